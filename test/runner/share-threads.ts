/** Gives the sessions of the command line threads that they share (shared-threads.ts). */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

const SHARED = fileURLToPath(new URL('./shared-threads.ts', import.meta.url));
/** The modules that start threads, as `lib/local` imports them. */
const STARTS = /\/(?:local-engines|second-look|unpacker|code-reader|signature-reader)\.ts$/;

/** The module to take instead of the one that is imported; null for all others. */
export const sharedThreads = (source: string, importer: string | undefined): string | null =>
  STARTS.test(source) && importer?.replaceAll('\\', '/').includes('/lib/local/') ? SHARED : null;

export function shareThreads(): Plugin {
  return { name: 'share-threads', enforce: 'pre', resolveId: sharedThreads };
}
