/**
 * The files beside the bundle of `rebuild`: the worker thread that looks at what a disarm service returned, and the packages that it loads.
 * libvips is there as WebAssembly, which runs on the architecture of every function.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';
import { copyPackages, PACKAGES } from './packages.ts';
import { WITH_OWN_URL } from './unpack-worker.ts';

/** The name under which lib/engines looks for the worker in its own folder. */
const WORKER_FILE = 'second-look-worker.cjs';
/** Packages that esbuild cannot put into one file, because they load WebAssembly beside themselves. */
const LOADED: readonly string[] = ['sharp', 'wasmagic', '@embedpdf/pdfium'];
/** Names of what `bundleSecondLook` writes. */
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
    external: [...LOADED],
    entryPoints: [entry],
    outfile: join(outDir, WORKER_FILE),
  });
  copyPackages([...LOADED, '@img/sharp-wasm32'], outDir);
}
