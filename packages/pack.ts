/**
 * Makes the packages: `npm run packages -- [--out DIR] [NAME…]`. Each package is staged below `dist/packages`, and `npm pack` packs it into
 * DIR. Only staged files are packed. They are a closed list of our own files, so nothing else of the repository gets in.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeBundles } from './bundles.ts';
import { CODE, compile, ROOT } from './compile.ts';
import { putInside } from './inside.ts';
import { writeManPage } from './man-page.ts';
import { manifestOf, SCHEMAS, VERSION } from './manifest.ts';
import { PACKAGES, type PackageRow } from './package-table.ts';
import { writeContents } from './sbom.ts';

/** Where packages are staged. */
export const STAGED = join(ROOT, 'dist/packages');
/** Files of the repository that every package carries. */
const COMMON_FILES = ['LICENSE', 'NOTICE', 'CHANGELOG.md'] as const;

/** Stages a package, and returns its folder. Throws Error when it cannot be compiled or its dependencies are not the declared ones. */
export function stage(row: PackageRow, folder = join(STAGED, row.folder)): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  compile(row, folder);
  if (row.inside.length > 0) putInside(row, folder);
  for (const name of COMMON_FILES) cpSync(join(ROOT, name), join(folder, name));
  cpSync(join(ROOT, 'packages/readme', `${row.folder}.md`), join(folder, 'README.md'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(row, folder), null, 2)}\n`);
  writeContents(row, VERSION, folder);
  if (Object.keys(row.bin).length > 0) {
    writeManPage(VERSION, folder);
    cpSync(join(ROOT, SCHEMAS), join(folder, SCHEMAS), { recursive: true });
  }
  // This comes after the manifest, because the imports of the bundles are inside them.
  if (row.hasBundles) writeBundles(join(folder, CODE, 'prebuilt'));
  return folder;
}

/** Packs a staged package into `out`. */
function pack(folder: string, out: string): void {
  mkdirSync(out, { recursive: true });
  const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', out];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Returns the tarball of a package in `out`, by the name that npm gives it. */
export const tarballOf = ({ name }: PackageRow, out: string): string =>
  join(out, `${name.replace('@', '').replace('/', '-')}-${VERSION}.tgz`);

function main(): void {
  const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
  const out = resolve(values.out ?? join(ROOT, 'dist'));
  const rows = PACKAGES.filter(({ folder }) => positionals.length === 0 || positionals.includes(folder));
  for (const row of rows) {
    pack(stage(row), out);
    process.stdout.write(`${tarballOf(row, out)}\n`);
  }
}

if (import.meta.filename === process.argv[1]) main();
