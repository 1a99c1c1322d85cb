/**
 * The bundle of the engines: the handler, the worker thread in `engines`, and the packages with WebAssembly. The WebAssembly build of sharp
 * decodes pictures. It runs on every architecture, so a bundle from any machine runs in Lambda.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';
import packages from './bundled-packages.json' with { type: 'json' };
import { copyPackages, PACKAGES } from './packages.ts';
import { buildInTwoPasses, type Passes } from './two-passes.ts';

/** Packages that find files in their own folder. `sharp` finds its WebAssembly if no other build of it is installed. */
const CODES: readonly string[] = packages.codes;
/** The packages among them that the disarm needs. */
export const DISARM: readonly string[] = packages.disarm;
const ENGINES: readonly string[] = [...new Set([...CODES, ...DISARM, ...packages.engines])];

const ENGINE_WORKER = new URL('../../engines/threads/worker.ts', import.meta.url);
const DRAW_WORKER = new URL('../../formats/drawn/worker.ts', import.meta.url);
const CODE_WORKER = new URL('../../formats/codes/worker.ts', import.meta.url);
/** Files that the worker of the engines looks for in its own folder: its first file, the rules, and the environment of scripts. */
const BESIDE: Readonly<Record<string, URL>> = {
  'worker-entry.mjs': new URL('../../engines/threads/worker-entry.mjs', import.meta.url),
  rules: new URL('../../engines/static/yara/rules', import.meta.url),
  environment: new URL('../../engines/script/environment', import.meta.url),
};

/** A worker is an ES module. The CommonJS packages inside it load modules of Node by `require`. */
const WORKER = {
  format: 'esm',
  banner: { js: "import{createRequire as __ownRequire}from'node:module';const require=__ownRequire(import.meta.url);" },
} satisfies BuildOptions;

/** The folder of the worker thread of the engines. */
export const ENGINES_FOLDER = 'engines';
/** The names of the files that `bundleCodeWorker` writes beside the bundle of `parse`. */
export const CODE_FILES: readonly string[] = ['codes', PACKAGES];

/**
 * Writes the bundle of an engine into `outDir`. Throws esbuild's BuildFailure.
 *
 * @example
 * ```ts
 * const passes = { entry: 'lambdas/engine.ts', name: 'index.cjs', alias: {} };
 * bundleEngine(passes, 'dist/engine', { bundle: true, platform: 'node' });
 * ```
 */
export function bundleEngine(handler: Passes, outDir: string, common: BuildOptions): void {
  buildInTwoPasses({ ...handler, external: [...ENGINES, ...(handler.external ?? [])] }, outDir, common);
  const folder = join(outDir, ENGINES_FOLDER);
  bundleWorker(ENGINE_WORKER, join(folder, 'worker.js'), common, ENGINES);
  for (const [name, from] of Object.entries(BESIDE))
    cpSync(fileURLToPath(from), join(folder, name), { recursive: true });
  copyPackages(ENGINES, outDir);
}

/**
 * Writes `CODE_FILES` into `outDir`: the worker thread that reads codes in pictures. The first picture loads it, so it costs nothing for a
 * mail without pictures.
 *
 * @example
 * ```ts
 * bundleCodeWorker('dist/parse', { bundle: true, platform: 'node', format: 'cjs' });
 * ```
 */
export function bundleCodeWorker(outDir: string, common: BuildOptions): void {
  bundleWorker(CODE_WORKER, join(outDir, 'codes', 'code-worker.mjs'), common, CODES);
  copyPackages(CODES, outDir);
}

/** The packages that draw pictures and pages. */
const DRAWN: readonly string[] = packages.drawn;

/**
 * Writes the worker thread that draws stored files into `outDir`, with its packages. Throws esbuild's BuildFailure.
 *
 * @example
 * ```ts
 * bundleDrawWorker('dist/preview', { bundle: true, platform: 'node', format: 'cjs' });
 * ```
 */
export function bundleDrawWorker(outDir: string, common: BuildOptions): void {
  bundleWorker(DRAW_WORKER, join(outDir, 'drawn', 'draw-worker.mjs'), common, DRAWN);
  copyPackages(DRAWN, outDir);
}

function bundleWorker(entry: URL, outfile: string, common: BuildOptions, external: readonly string[]): void {
  mkdirSync(dirname(outfile), { recursive: true });
  writeFileSync(join(dirname(outfile), 'package.json'), '{"type":"module"}');
  buildSync({ ...common, ...WORKER, entryPoints: [fileURLToPath(entry)], outfile, external: [...external] });
}
