/** The version of an engine: the number that people read, and a digest of everything that makes its results. */
import { createHash } from 'node:crypto';
import { transformSync } from 'esbuild';
import { packageOf, reach, read } from './imports.ts';

/** Where the versions are committed, so that they are the same however the code is run. */
export const VERSIONS_FILE = 'lib/engines/engine-versions.ts';

/** Where each engine begins. All of lib that it reaches from there is part of it. */
const ENTRIES = {
  static: ['static-3', 'lib/engines/static/analyse-file.ts'],
  disarm: ['disarm-3', 'lib/engines/disarm/disarm.ts'],
  script: ['sandbox-1', 'lib/engines/script/detonate-file.ts'],
  url: ['url-2', 'lib/engines/url/analyse-url.ts'],
  page: ['page-1', 'lib/engines/url/page.ts'],
  visit: ['visit-1', 'lib/engines/url/visit/visiting-runner.ts'],
} as const;

interface LockedPackage {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = (JSON.parse(read('package-lock.json')) as { packages: Readonly<Record<string, LockedPackage>> }).packages;

/** The version of a package and of everything that it needs, by its place, found in the lock file as Node finds it on the disk. */
function addLocked(name: string, from: string, found: Map<string, string>): void {
  for (const folder of foldersAbove(from)) {
    const path = `${folder}node_modules/${name}`;
    const locked = lock[path];
    if (locked === undefined) continue;
    if (found.has(path)) return;
    found.set(path, locked.version);
    for (const needed of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }))
      addLocked(needed, `${path}/`, found);
    return;
  }
}

/** `a/node_modules/b/` and every folder above it in which Node looks for a package. */
function foldersAbove(folder: string): string[] {
  const parent = folder.replace(/node_modules\/(?:@[^/]+\/)?[^/]+\/$/, '');
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

/** What a file does: of code, neither comments nor types nor format. */
function meaningOf(path: string): string {
  const [, loader] = /\.(tsx?|js)$/.exec(path) ?? [];
  if (loader === undefined) return read(path);
  return transformSync(read(path), {
    loader: loader === 'tsx' ? 'tsx' : 'ts',
    minifyWhitespace: true,
    legalComments: 'none',
  }).code;
}

/** Everything that makes the results of an engine: its files with what they do, its libraries with their versions. */
export function partsOf(engine: keyof typeof ENTRIES): ReadonlyMap<string, string> {
  const reached = [...reach([ENTRIES[engine][1]], ({ to }) => to !== VERSIONS_FILE).keys()];
  const parts = new Map(reached.filter((path) => path.startsWith('lib/')).map((path) => [path, meaningOf(path)]));
  for (const target of reached) {
    const name = packageOf(target);
    if (name !== null) addLocked(name, '', parts);
  }
  return parts;
}

function versionOf(engine: keyof typeof ENTRIES): string {
  const hash = createHash('sha256');
  for (const [path, content] of [...partsOf(engine)].sort(([one], [other]) => (one < other ? -1 : 1)))
    hash.update(`${path}\0${content}\0`);
  return `${ENTRIES[engine][0]}-${hash.digest('hex').slice(0, 12)}`;
}

/** The text of `VERSIONS_FILE` for the sources, rules and libraries as they are now. */
export function versionsText(): string {
  const engines = Object.keys(ENTRIES) as (keyof typeof ENTRIES)[];
  const rows = engines.map((engine) => `  ${engine}: '${versionOf(engine)}',`);
  return `/**
 * Written by \`npm run versions\`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
${rows.join('\n')}
} as const;
`;
}
