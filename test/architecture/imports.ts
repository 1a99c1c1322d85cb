/** The graph of what imports what in bin, lambdas and lib, read from the sources. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** The rooms, from the ground up, and which rooms below each may import. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  words: [],
  formats: [],
  message: ['formats'],
  pipeline: ['words', 'message', 'formats'],
  engines: ['formats'],
  jobs: ['engines', 'pipeline', 'formats'],
  storage: ['jobs', 'pipeline', 'formats'],
  service: ['engines', 'storage', 'pipeline', 'formats'],
  infra: ['engines', 'pipeline', 'formats'],
  gateway: ['storage', 'pipeline', 'words', 'formats'],
  desk: ['service', 'storage', 'pipeline', 'words', 'formats'],
  local: ['desk', 'gateway', 'service', 'storage', 'jobs', 'engines', 'pipeline', 'words', 'formats'],
};

/** Every file below a folder, as paths from the root with forward slashes; none for a folder that does not exist. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => slashed(join(folder, path)))
    .filter((path) => statSync(join(ROOT, path)).isFile())
    .sort();
}

/** The text of a file, by its path from the root. */
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Is `path` below one of `folders`? */
export const isIn = (path: string, ...folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`));

/** The room of a path: the folder directly below lib. */
export const roomOf = (path: string): string | null => /^lib\/([^/]+)\//.exec(path)?.[1] ?? null;

/** The name of the package that an import names; null for our own files and for Node. */
export function packageOf(target: string): string | null {
  if (/^(?:node:|(?:bin|lambdas|lib)\/)/.test(target)) return null;
  return /^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? null;
}

export interface Import {
  readonly from: string;
  /** A path from the root for our own files, what the import says otherwise. */
  readonly to: string;
  /** `type`: nothing of it is left when the program runs. `file`: a file that is named, to be read or to be started. */
  readonly kind: 'code' | 'type' | 'file';
  /** Loaded only when the program comes to it: `await import(…)`. */
  readonly isLazy?: true;
}

/** Modules that Node never runs: they are joined to one text for the interpreter of scripts, so their imports order nothing. */
export const SCRIPT_ENVIRONMENT = 'lib/engines/script/environment';

/** Code of ours that runs: TypeScript, and the first files of threads. */
export const sources: readonly string[] = ['bin', 'lambdas', 'lib']
  .flatMap(filesBelow)
  .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !isIn(path, SCRIPT_ENVIRONMENT));

const STATEMENT = /(?:^|\n)\s*(?:import|export)\b([^;'"(]*?from\s*|\s*)'([^']+)'/g;
const IMPORT_CALL = /(?<!typeof )\bimport\(\s*'([^']+)'/g;
const REQUIRE_CALL = /(?:\brequire|\bcreateRequire\(import\.meta\.url\))(?:\.resolve)?\(\s*'([^']+)'/g;
/** A thread of a reader: in a checkout it starts from `worker.ts` beside the module. */
const OWN_WORKER = /ownWorker\(\s*import\.meta\.url/;
/** Names that package.json gives to files: `#name`. */
const { imports: NAMED } = JSON.parse(read('package.json')) as { imports: Readonly<Record<string, string>> };
/** What the compiler imports for JSX, by the first line of each page. */
const JSX_RUNTIME = '#markup/jsx-runtime';
const NAMED_FILE = /new URL\(\s*'([^']+)',\s*import\.meta\.url\s*\)/g;

/** What one file imports, loads while it runs, or names by its URL. A named folder is all files in it. */
export function importsOf(from: string): Import[] {
  const text = read(from);
  const path = (target: string) => {
    if (target.startsWith('.')) return slashed(normalize(join(dirname(from), target)));
    return NAMED[target] === undefined ? target : slashed(normalize(NAMED[target]));
  };
  const statements = [...text.matchAll(STATEMENT)].map(([, clause, target = '']): Import => {
    return { from, to: path(target), kind: /^\s*type\b/.test(clause ?? '') ? 'type' : 'code' };
  });
  const lazy = [...text.matchAll(IMPORT_CALL)].map(([, target = '']): Import => {
    return { from, to: path(target), kind: 'code', isLazy: true };
  });
  const required = [...text.matchAll(REQUIRE_CALL)].map(([, target = '']): Import => {
    return { from, to: path(target), kind: 'code' };
  });
  const files = [...text.matchAll(NAMED_FILE)]
    .flatMap(([, target = '']) => filesAt(path(target)))
    .map((to): Import => ({ from, to, kind: 'file' }));
  const workers = OWN_WORKER.test(text) ? [{ from, to: path('./worker.ts'), kind: 'file' as const }] : [];
  const runtime = from.endsWith('.tsx') ? [{ from, to: path(JSX_RUNTIME), kind: 'code' as const }] : [];
  return [...statements, ...lazy, ...required, ...files, ...workers, ...runtime];
}

export const imports: readonly Import[] = sources.flatMap(importsOf);

const byFile = new Map(sources.map((path): [string, Import[]] => [path, []]));
for (const found of imports) byFile.get(found.from)?.push(found);

/**
 * Everything that runs, or is read, when `doors` run, however far away, and which file asked for it first; types are not followed.
 * `follow` says which imports count. @default all but types
 */
export function reach(
  doors: readonly string[],
  follow: (found: Import) => boolean = () => true,
): ReadonlyMap<string, string> {
  const reached = new Map(doors.map((door) => [door, door]));
  const open = [...doors];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const found of byFile.get(path) ?? []) {
      if (found.kind === 'type' || reached.has(found.to) || !follow(found)) continue;
      reached.set(found.to, path);
      open.push(found.to);
    }
  }
  return reached;
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}

/** A path that does not exist is a file that only a bundle has beside it. */
function filesAt(path: string): string[] {
  if (!existsSync(join(ROOT, path))) return [];
  return statSync(join(ROOT, path)).isFile() ? [path] : filesBelow(path);
}
