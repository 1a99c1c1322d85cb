/** The package.json of a package: what it exports, starts and needs. Versions are those of the repository. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODE, compiled, ROOT } from './compile.ts';
import { importedPackages } from './imported.ts';
import { MAN_PAGE } from './man-page.ts';
import type { PackageRow } from './package-table.ts';

interface RootManifest {
  readonly version: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const root = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as RootManifest;

/** The folder of the JSON schemas for the files that the command line reads and writes. */
export const SCHEMAS = 'schema';

/** The version of every package. */
export const VERSION = root.version;

/** Returns the manifest. Throws Error when the compiled files below `folder` import other packages than the row says. */
export function manifestOf(row: PackageRow, folder: string): object {
  checkDependencies(row, folder);
  const range = (name: string) => (row.versions === 'exact' ? versionOf(name) : `^${versionOf(name)}`);
  return {
    name: row.name,
    version: root.version,
    description: row.description,
    keywords: row.keywords,
    license: root.license,
    type: 'module',
    engines: root.engines,
    exports: {
      ...Object.fromEntries(Object.entries(row.exports).map(([entry, source]) => [entry, exported(source)])),
      ...(Object.keys(row.bin).length > 0 && { [`./${SCHEMAS}/*.json`]: `./${SCHEMAS}/*.json` }),
      './package.json': './package.json',
    },
    ...(Object.keys(row.imports).length > 0 && {
      imports: mapped(row.imports, (source) => inCode(compiled(source, '.js'))),
    }),
    ...(Object.keys(row.bin).length > 0 && { bin: mapped(row.bin, (source) => inCode(compiled(source, '.js'))) }),
    ...(Object.keys(row.bin).length > 0 && { man: [`./${MAN_PAGE}`] }),
    // Threads and processes are started by their files, so nothing may drop those. No module has an effect when it is imported.
    sideEffects: false,
    dependencies: versions(row.dependencies, range),
    ...(row.optionalDependencies.length > 0 && { optionalDependencies: versions(row.optionalDependencies, range) }),
    ...(row.peerDependencies.length > 0 && {
      peerDependencies: versions(row.peerDependencies, (name) => `^${versionOf(name)}`),
    }),
  };
}

function checkDependencies(row: PackageRow, folder: string): void {
  const { dependencies, optionalDependencies, peerDependencies } = row;
  const declared = [...dependencies, ...optionalDependencies, ...peerDependencies];
  // npm treats a package that is in two lists as optional.
  const twice = declared.filter((name, index) => declared.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`${row.name}: packages/package-table.ts names ${twice.join(', ')} twice`);
  const imported = importedPackages(join(folder, CODE));
  const missing = imported.filter((name) => !declared.includes(name));
  const unused = declared.filter((name) => !imported.includes(name) && !NEVER_IMPORTED.includes(name));
  if (missing.length + unused.length === 0) return;
  throw new Error(
    `${row.name}: packages/package-table.ts lacks [${missing.join(', ')}] and names for nothing [${unused.join(', ')}]`,
  );
}

/** `sharp` loads it on platforms for which it has no build. */
const NEVER_IMPORTED: readonly string[] = ['@img/sharp-wasm32'];

const exported = (source: string) => ({
  types: inCode(compiled(source, '.d.ts')),
  default: inCode(compiled(source, '.js')),
});

const inCode = (file: string) => `./${CODE}/${file}`;

function versionOf(name: string): string {
  const version = root.dependencies[name] ?? root.devDependencies[name];
  if (version === undefined) throw new Error(`package.json of the repository has no dependency ${name}`);
  return version;
}

const versions = (names: readonly string[], range: (name: string) => string) =>
  Object.fromEntries([...names].sort().map((name) => [name, range(name)]));

const mapped = (record: Readonly<Record<string, string>>, change: (value: string) => string) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
