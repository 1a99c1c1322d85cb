/**
 * Compiles a package with the TypeScript compiler: one ES module, one declaration and one source map for each source. Nothing is bundled.
 * Stack traces, threads and files that are read at run time therefore have the same places as in the repository. Users debug our sources.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { filesOf } from './files.ts';
import type { PackageRow } from './package-table.ts';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The folder of the compiled files in a package. */
export const CODE = 'dist';

/**
 * Writes the compiled files of a package into `folder`, with the files that they read beside themselves. Throws Error with what the
 * compiler says.
 */
export function compile(row: PackageRow, folder: string): void {
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify(compilerConfig(row, folder)));
  runCompiler(config);
  execFileSync('rm', [config]);
  const code = join(folder, CODE);
  for (const file of filesOf(code).filter((path) => path.endsWith('.js'))) copyReadFiles(code, file);
  for (const file of filesOf(code).filter((path) => path.endsWith('.d.ts'))) nameCompiledFiles(file);
  for (const source of new Set(Object.values(row.bin))) makeCommand(join(code, compiled(source, '.js')));
}

/** `lib/a.ts` is compiled to `lib/a.js`, and declared in `lib/a.d.ts`. */
export const compiled = (source: string, ending: '.js' | '.d.ts'): string => source.replace(/\.tsx?$/, ending);

function compilerConfig({ exports, bin, threads, imports }: PackageRow, folder: string): object {
  const entries = [...Object.values(exports), ...Object.values(bin), ...threads];
  return {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      typeRoots: [join(ROOT, 'node_modules/@types')],
      paths: Object.fromEntries(Object.entries(imports).map(([name, source]) => [name, [join(ROOT, source)]])),
      rootDir: ROOT,
      outDir: join(folder, CODE),
      // Imports name sources (`./a.ts`). Compiled files must name compiled files.
      rewriteRelativeImportExtensions: true,
      declaration: true,
      sourceMap: true,
      // The source map must be of use without the repository.
      inlineSources: true,
      incremental: false,
      tsBuildInfoFile: null,
    },
    include: [],
    files: [...new Set(entries)].map((entry) => join(ROOT, entry)),
  };
}

function runCompiler(config: string): void {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, '-p', config], { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  } catch (error) {
    throw new Error(`the compiler refuses the package:\n${(error as { stdout?: string }).stdout ?? error}`);
  }
}

/**
 * Copies each file or folder that a module names by its own place and that is not compiled. Examples are rules, tables and the first files
 * of threads.
 */
function copyReadFiles(code: string, file: string): void {
  const source = join(ROOT, relative(code, file));
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/new URL\('(\.[^']+)', import\.meta\.url\)/g)) {
    const from = fileURLToPath(new URL(name, pathToFileURL(source)));
    const to = fileURLToPath(new URL(name, pathToFileURL(file)));
    if (existsSync(from) && !/\.tsx?$/.test(from)) cpSync(from, to, { recursive: true });
  }
}

/** The compiler leaves `./a.ts` in declarations, which other compilers refuse. */
function nameCompiledFiles(declaration: string): void {
  const text = readFileSync(declaration, 'utf8');
  const named = text.replace(/((?:from|import\()\s*["']\.[^"']*)\.tsx?(["'])/g, '$1.js$2');
  if (named !== text) writeFileSync(declaration, named);
}

/** Node itself starts a command of a package. */
function makeCommand(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^#!.*\n/, '#!/usr/bin/env node\n'));
  chmodSync(file, 0o755);
}

/** Returns the folder of a file, with forward slashes, from the root of its package. */
export const folderIn = (root: string, file: string): string => dirname(relative(root, file)).replaceAll('\\', '/');
