/**
 * The files beside the bundle of `parse`: the worker thread that opens archives, and 7-Zip as WebAssembly with its licences. The first
 * archive loads them, so they cost nothing for a mail without archives.
 */
import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';

/** The names under which lib/formats looks for these files in its own folder. */
export const WORKER_FILE = 'unpack-worker.cjs';
export const WASM_FILE = '7zz.wasm';
/** LGPL-2.1 and the unRAR restriction must accompany the library. */
const LICENCES: Readonly<Record<string, string>> = {
  'License.txt': '7zz-licence.txt',
  'unRarLicense.txt': '7zz-unrar-licence.txt',
};

/** A CommonJS bundle has no `import.meta.url`. This gives the place of the bundle instead. */
export const WITH_OWN_URL = {
  define: { 'import.meta.url': '__bundleUrl' },
  banner: { js: "const __bundleUrl=require('node:url').pathToFileURL(__filename).href;" },
} satisfies BuildOptions;

/** The names of the files that `bundleUnpackWorker` writes. */
export const UNPACK_FILES: readonly string[] = [WORKER_FILE, WASM_FILE, ...Object.values(LICENCES)];

/**
 * Writes `UNPACK_FILES` into `outDir`. Throws esbuild's BuildFailure.
 *
 * @example
 * ```ts
 * bundleUnpackWorker('dist/parse', { bundle: true, platform: 'node', format: 'cjs' });
 * ```
 */
export function bundleUnpackWorker(outDir: string, common: BuildOptions): void {
  const entry = fileURLToPath(new URL('../../formats/archives/worker.ts', import.meta.url));
  buildSync({ ...common, ...WITH_OWN_URL, entryPoints: [entry], outfile: join(outDir, WORKER_FILE) });
  const library = dirname(createRequire(import.meta.url).resolve('7z-wasm/package.json'));
  for (const [from, to] of Object.entries({ [WASM_FILE]: WASM_FILE, ...LICENCES }))
    copyFileSync(join(library, from), join(outDir, to));
}
