/** Gives the constructs of the CDK bundles that the run made once (shared-bundles.ts). */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

const SHARED = fileURLToPath(new URL('./shared-bundles.ts', import.meta.url));

export function shareBundles(): Plugin {
  return {
    name: 'share-bundles',
    enforce: 'pre',
    resolveId: (source) => (source === '#bundles' ? SHARED : null),
  };
}
