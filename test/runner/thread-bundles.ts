/**
 * Threads and processes that the code starts load a bundle in tests, which is made once in each run, and so does the command line
 * where a test starts it as a process (command-line.ts). To load the sources through tsx, as a checkout does, takes each thread one to
 * two seconds, and each process as much again.
 */
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin } from 'vitest/config';
import type { TestProject } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Below node_modules, where the packages are found, which are not bundled. Two runs at the same time have a folder each. */
export const FOLDER = join(ROOT, 'node_modules/.cache/thread-bundles', String(process.pid));
/** Modules that start a thread or a process, the module beside them that runs in it, and its first file where that is another one. */
const STARTS: Readonly<Record<string, readonly [runs: string, entry?: string]>> = {
  'lib/engines/threads/pool.ts': ['worker', 'worker-entry.mjs'],
  'lib/engines/threads/stored-file.ts': ['stored-file-run', 'stored-file-entry.mjs'],
  'lib/engines/returned/second-look.ts': ['worker'],
  'lib/formats/archives/unpacker.ts': ['worker'],
  'lib/formats/codes/reader.ts': ['worker'],
  'lib/formats/drawn/drawer.ts': ['worker'],
  'lib/formats/signed/signature-reader.ts': ['worker'],
  'lib/local/gateway/judge-child.ts': ['judge-process', 'judge-entry.mjs'],
};
/** Starts what `ownWorker` does not find in a bundle from its sources, as in a checkout. */
const FROM_SOURCES = ['lib/formats/threads/worker-host.ts'];
/** How such a module names what it starts. */
const START = /new URL\('\.\/[\w-]+-entry\.mjs', import\.meta\.url\)|ownWorker\(import\.meta\.url, '[^']*'\)/g;

/** Source files find what lies beside them by their own URL, which a bundle would change. */
const withOwnUrls: EsbuildPlugin = {
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const contents = (withBundledThreads(code, path) ?? code).replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      );
      return { loader: path.endsWith('.tsx') ? 'tsx' : 'ts', contents };
    });
  },
};

/** Makes the bundles before the first test. */
export async function setup(project: TestProject): Promise<void> {
  for (const path of modulesThatStart())
    if (!(path in STARTS)) throw new Error(`${path} starts a thread or a process that has no bundle in tests: list it`);
  const runs = Object.entries(STARTS).map(([path, [name]]) => `${dirname(path)}/${name}`);
  await build({
    entryPoints: [...runs, 'bin/airlock'].map((path) => ({ in: join(ROOT, `${path}.ts`), out: path })),
    outdir: FOLDER,
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    logLevel: 'warning',
    plugins: [withOwnUrls],
  });
  writeFileSync(join(FOLDER, 'package.json'), '{ "type": "module" }');
  for (const [path, [, entry]] of Object.entries(STARTS))
    if (entry !== undefined) copyFileSync(join(ROOT, dirname(path), entry), join(FOLDER, dirname(path), entry));
  project.provide('commandLine', join(FOLDER, 'bin/airlock.js'));
  project.provide('lambdaBundles', join(FOLDER, 'lambdas'));
}

function modulesThatStart(): readonly string[] {
  return readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' })
    .map((name) => `lib/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !FROM_SOURCES.includes(path))
    .filter((path) => readFileSync(join(ROOT, path), 'utf8').search(START) >= 0);
}

/** Removes them after the last test. */
export function teardown(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}

/** Lets the modules that start a thread or a process start it from its bundle. */
export function threadBundles(): Plugin {
  return {
    name: 'thread-bundles',
    // Before the types are taken out of the source, which also writes other quotes.
    enforce: 'pre',
    transform(code, id) {
      const changed = withBundledThreads(code, id);
      return changed === null ? null : { code: changed, map: null };
    },
  };
}

/** The code of a module with its thread started from the bundle; null when it starts none. Throws when it starts one in a way not known here. */
export function withBundledThreads(code: string, path: string): string | null {
  const name = relative(ROOT, path).replaceAll('\\', '/');
  const start = STARTS[name];
  if (start === undefined) return null;
  if (code.search(START) < 0) throw new Error(`${name} does not start its thread or process in a known way`);
  const [runs, entry = `${runs}.js`] = start;
  return code.replaceAll(START, `new URL(${JSON.stringify(pathToFileURL(join(FOLDER, dirname(name), entry)).href)})`);
}
