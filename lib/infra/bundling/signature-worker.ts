/**
 * The files beside the bundle of `parse`: the worker thread that checks signatures, and OpenPGP.js as a separate package with its licence.
 * The first signature loads them, so they cost nothing for a mail without signatures.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';
import { WITH_OWN_URL } from './unpack-worker.ts';

/** The name under which lib/formats looks for the worker in its own folder. */
const WORKER_FILE = 'signature-worker.cjs';
const PACKAGES = 'node_modules';
/** OpenPGP.js is LGPL-3.0. A user who wants another build of it replaces this folder. */
const LIBRARY = 'openpgp';
const LIBRARY_FILES: readonly string[] = ['package.json', 'LICENSE', 'dist/node/openpgp.min.cjs'];

/** The names of the files that `bundleSignatureWorker` writes. */
export const SIGNATURE_FILES: readonly string[] = [WORKER_FILE, PACKAGES];

/**
 * Writes `SIGNATURE_FILES` into `outDir`. Throws esbuild's BuildFailure.
 *
 * @example
 * ```ts
 * bundleSignatureWorker('dist/parse', { bundle: true, platform: 'node', format: 'cjs' });
 * ```
 */
export function bundleSignatureWorker(outDir: string, common: BuildOptions): void {
  const entry = fileURLToPath(new URL('../../formats/signed/worker.ts', import.meta.url));
  buildSync({
    ...common,
    ...WITH_OWN_URL,
    external: [LIBRARY],
    entryPoints: [entry],
    outfile: join(outDir, WORKER_FILE),
  });
  const [from, to] = [
    join(dirname(createRequire(import.meta.url).resolve(LIBRARY)), '../..'),
    join(outDir, PACKAGES, LIBRARY),
  ];
  for (const file of LIBRARY_FILES) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(from, file), join(to, file));
  }
}
