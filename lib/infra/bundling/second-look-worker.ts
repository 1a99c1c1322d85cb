/**
 * The files beside the bundle of `rebuild`: the worker thread that checks the files of a disarm service, and the packages that it loads.
 * The worker contains the disarm, too, because it may have to write the file anew. libvips is included as WebAssembly, which runs on every
 * architecture.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';
import { DISARM } from './engines.ts';
import { copyPackages, PACKAGES } from './packages.ts';
import { WITH_OWN_URL } from './unpack-worker.ts';

/** The name under which lib/engines looks for the worker in its own folder. */
const WORKER_FILE = 'second-look-worker.cjs';
/** The names of the files that `bundleSecondLook` writes. */
export const SECOND_LOOK_FILES: readonly string[] = [WORKER_FILE, PACKAGES];

/**
 * Writes `SECOND_LOOK_FILES` into `outDir`. Throws esbuild's BuildFailure, and Error when a package is not installed.
 *
 * @example
 * ```ts
 * bundleSecondLook('dist/rebuild', { bundle: true, platform: 'node', format: 'cjs' });
 * ```
 */
export function bundleSecondLook(outDir: string, common: BuildOptions): void {
  const entry = fileURLToPath(new URL('../../engines/returned/worker.ts', import.meta.url));
  buildSync({
    ...common,
    ...WITH_OWN_URL,
    external: [...DISARM],
    entryPoints: [entry],
    outfile: join(outDir, WORKER_FILE),
  });
  copyPackages(DISARM, outDir);
}
