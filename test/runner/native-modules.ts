/**
 * The modules under test run as modules of Node. vitest runs each module as a function in which every use of an import calls a getter, which is
 * much of the processor time of the tests. So each module is written once in a run, without its types, below node_modules.
 * A test that replaces or resets modules has them from vitest. So has every test when lines are counted (`npm run coverage`), and when
 * vitest waits for changes.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync, transformWithOxc } from 'vite';
import type { Plugin } from 'vitest/config';
import { sharedBundles } from './share-bundles.ts';
import { sharedThreads } from './share-threads.ts';
import { FOLDER, withBundledThreads } from './thread-bundles.ts';

type OxcOptions = Exclude<Parameters<typeof transformWithOxc>[2], undefined>;
type Parsed = ReturnType<typeof parseSync>['module'];

/** Text from `start` to before `end`, counted in characters. */
interface Span {
  readonly start: number;
  readonly end: number;
}

interface Change extends Span {
  readonly text: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WRITTEN = join(FOLDER, 'modules');
const SOURCE = /\.tsx?$/;
const TEST = /\.test\.ts$/;
const REPLACES_MODULES = /\bvi\.(?:mock|doMock|resetModules)\(/;
/** A name in quotes, and what may stand behind it. */
const NAME = /^(["'])(?<name>[^"'\\]+)\1(?<attributes>\s*with\s*\{[^}]*\})?/;
const { imports: OWN_NAMES } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly imports: Readonly<Record<string, string | undefined>>;
};

/** @param aliases Names of packages that stand for a module of the project */
export function nativeModules(oxc: OxcOptions, aliases: Readonly<Record<string, string>>): Plugin {
  const begun = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  let isOn = true;

  /** The path of a module or file of the project; null for a package. */
  function sourceOf(name: string, importer: string): string | null {
    const shared = sharedThreads(name, importer) ?? sharedBundles(name) ?? aliases[name];
    if (shared !== undefined) return shared;
    const ownName = OWN_NAMES[name];
    if (ownName !== undefined) return join(ROOT, ownName);
    return name.startsWith('.') ? resolve(dirname(importer), name) : null;
  }

  /** Writes a module, and gives the modules that it imports. */
  async function write(path: string): Promise<readonly string[]> {
    const source = readFileSync(path, 'utf8');
    const { code, map } = await transformWithOxc(withBundledThreads(source, path) ?? source, path, oxc);
    const imported: string[] = [];
    const { module } = parseSync('module.js', code);
    const changes = importsOf(module).flatMap(({ start }): readonly Change[] => {
      const written = NAME.exec(code.slice(start));
      const { name, attributes } = written?.groups ?? {};
      if (written === null || name === undefined) return [];
      const own = sourceOf(name, path);
      const end = start + written[0].length;
      if (attributes !== undefined)
        return [{ start, end, text: quoted(writeJson(own ?? createRequire(path).resolve(name))) }];
      if (own === null) return [];
      if (SOURCE.test(own)) imported.push(own);
      return [{ start, end, text: quoted(SOURCE.test(own) ? placeOf(own) : own) }];
    });
    const metas = module.importMetas.map((span): Change => ({ ...span, text: 'OWN_META' }));
    const own = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
    const text = `const OWN_META = ${JSON.stringify(own)};${changed(code, [...changes, ...metas])}`;
    put(placeOf(path), `${text}\n//# sourceMappingURL=${dataUrl({ ...map, sources: [path] })}\n`);
    return imported;
  }

  /** Writes a module and all that it imports, one after the other, as importers come at the same time. */
  async function writeAll(path: string): Promise<void> {
    const paths = [path];
    for (let next = paths.pop(); next !== undefined; next = paths.pop()) {
      if (begun.has(next)) continue;
      begun.add(next);
      paths.push(...(await write(next)));
    }
  }

  return {
    name: 'native-modules',
    enforce: 'pre',
    configResolved({ test }) {
      const isCounted = process.argv.some((arg) => arg.startsWith('--coverage'));
      isOn = !isCounted && test?.watch !== true;
      if (isOn) put(join(WRITTEN, 'package.json'), '{ "type": "module" }');
    },
    async resolveId(name, importer) {
      if (!isOn || importer === undefined || !TEST.test(importer)) return null;
      const path = sourceOf(name, importer);
      if (path === null || !SOURCE.test(path) || TEST.test(path)) return null;
      if (REPLACES_MODULES.test(readFileSync(importer, 'utf8'))) return null;
      const done = last.then(async () => writeAll(path));
      last = done.catch(() => undefined);
      await done;
      return { id: placeOf(path), external: true };
    },
  };
}

const importsOf = ({ staticImports, staticExports, dynamicImports }: Parsed): readonly Span[] => {
  const requests = [...staticImports, ...dynamicImports, ...staticExports.flatMap(({ entries }) => entries)];
  const spans = requests.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest]));
  return [...new Map(spans.map((span) => [span.start, span])).values()];
};

function changed(code: string, changes: readonly Change[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text } of changes.toSorted((one, other) => one.start - other.start)) {
    parts.push(code.slice(at, start), text);
    at = end;
  }
  return [...parts, code.slice(at)].join('');
}

/** vitest reads it when a test fails, and names the source. The lines of the text stay what they are when it is changed. */
const dataUrl = (map: object) => `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;

const quoted = (path: string) => JSON.stringify(pathToFileURL(path).href);

const placeOf = (path: string) => join(WRITTEN, `${relative(ROOT, path)}.js`);

function writeJson(path: string): string {
  const place = placeOf(path);
  put(place, `export default ${readFileSync(path, 'utf8')};`);
  return place;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
