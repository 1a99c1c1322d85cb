/** Gives the constructs of the CDK bundles that the run made once (shared-bundles.ts). */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

const SHARED = fileURLToPath(new URL('./shared-bundles.ts', import.meta.url));

/** The module to take instead of the one that is imported; null for all others. */
export const sharedBundles = (source: string): string | null => (source === '#bundles' ? SHARED : null);

export function shareBundles(): Plugin {
  return { name: 'share-bundles', enforce: 'pre', resolveId: sharedBundles };
}
