/**
 * Puts a dependency inside a package whose users want few bytes. A client needs only a fortieth of zod. esbuild makes one module of each
 * entry, with the used part of the dependency. The declarations of the dependency are copied beside ours, with its licence.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { buildSync } from 'esbuild';
import { CODE, compiled, ROOT } from './compile.ts';
import { filesOf } from './files.ts';
import type { PackageRow } from './package-table.ts';

/** Makes one module of each entry of a compiled package, and puts its row's `inside` into it. */
export function putInside(row: PackageRow, folder: string): void {
  const code = join(folder, CODE);
  for (const file of filesOf(code).filter((path) => /\.js(?:\.map)?$/.test(path))) rmSync(file);
  for (const source of Object.values(row.exports)) bundleEntry(row, source, join(code, compiled(source, '.js')));
  dropUnreached(row, code);
  for (const name of row.inside) {
    const named = filesOf(code).filter((file) => nameInside(file, name, join(code, name)));
    // If no declaration of ours mentions it, its licence is enough.
    if (named.length > 0) copyDeclarations(name, join(code, name));
    copyLicence(name, join(code, name));
  }
}

function bundleEntry(row: PackageRow, source: string, outfile: string): void {
  buildSync({
    entryPoints: [join(ROOT, source)],
    outfile,
    bundle: true,
    external: [...row.dependencies, ...row.optionalDependencies],
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    // The source map has the names.
    minify: true,
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  keepOwnSources(`${outfile}.map`);
}

/** A source map needs our sources. The sources of a dependency are three times as large. */
function keepOwnSources(file: string): void {
  const map = JSON.parse(readFileSync(file, 'utf8')) as { sources: string[]; sourcesContent: (string | null)[] };
  const isOwn = (source: string) => !source.includes('node_modules/');
  const sourcesContent = map.sourcesContent.map((text, index) => (isOwn(map.sources[index] ?? '') ? text : null));
  const sources = map.sources.map((source) => source.replace(/^.*node_modules\//, '').replace(/^(?:\.\.\/)+/, ''));
  writeFileSync(file, JSON.stringify({ ...map, sources, sourcesContent }));
}

/**
 * Replaces the name of the package in a declaration by the place of its declarations. The compiler repeats the name for each type, and
 * indents with spaces: both together are two thirds of the file. Returns true when the declaration mentions the package.
 */
function nameInside(file: string, name: string, place: string): boolean {
  if (!file.endsWith('.d.ts')) return false;
  const way = relative(dirname(file), place).replaceAll('\\', '/');
  const aliases = new Map<string, string>();
  const aliasOf = (path: string) => {
    const alias = aliases.get(path) ?? `$${aliases.size}`;
    aliases.set(path, alias);
    return alias;
  };
  const before = readFileSync(file, 'utf8');
  const text = before
    .replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
    .replace(new RegExp(`import\\(["']${name}((?:/[^"']*)?)["']\\)`, 'g'), (_, path: string) => aliasOf(path))
    .replace(new RegExp(`(from ["'])${name}((?:/[^"']*)?)(["'])`, 'g'), `$1${way}$2/index.js$3`);
  const imports = [...aliases].map(([path, alias]) => `import type * as ${alias} from '${way}${path}/index.js';\n`);
  writeFileSync(file, `${imports.join('')}${text}`);
  return new RegExp(`(?:from |import\\()["']${name}["'/]`).test(before);
}

/** Removes the declarations that no entry reaches: they belong to internal code. */
function dropUnreached(row: PackageRow, code: string): void {
  const entries = Object.values(row.exports).map((source) => join(code, compiled(source, '.d.ts')));
  const reached = new Set(entries.flatMap(reachedFrom));
  for (const file of filesOf(code))
    if (/\.d\.ts(?:\.map)?$/.test(file) && !reached.has(file.replace(/\.map$/, ''))) rmSync(file);
}

/** Copies the declarations of a package that its entry reaches. */
function copyDeclarations(name: string, to: string): void {
  const from = join(ROOT, 'node_modules', name);
  for (const file of reachedFrom(join(from, 'index.d.ts'))) {
    const target = join(to, relative(from, file));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(file, target);
  }
}

/** Returns a declaration, and every one that it imports by its place. */
function reachedFrom(entry: string): string[] {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    // An example in a comment has imports, too.
    const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    for (const [, next = ''] of code.matchAll(/(?:from|import\()\s*["'](\.[^"']+)\.js["']/g))
      visit(join(dirname(file), `${next}.d.ts`));
  };
  visit(entry);
  return [...seen];
}

function copyLicence(name: string, to: string): void {
  const from = join(ROOT, 'node_modules', name);
  const licence = ['LICENSE', 'LICENSE.md', 'LICENCE'].map((file) => join(from, file)).find(existsSync);
  if (licence === undefined) throw new Error(`${name} has no licence file, so it cannot be put inside of a package`);
  mkdirSync(to, { recursive: true });
  copyFileSync(licence, join(to, basename(licence)));
}
