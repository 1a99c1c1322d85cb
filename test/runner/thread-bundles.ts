/**
 * Threads of the engines, of archives and of codes load a bundle in tests, which is made once in each run, and so does the command line
 * where a test starts it as a process (command-line.ts). To load the sources through tsx, as a checkout does, takes each thread one to
 * two seconds, and each process as much again.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin } from 'vitest/config';
import type { TestProject } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Below node_modules, where the packages are found, which are not bundled. Two runs at the same time have a folder each. */
const FOLDER = join(ROOT, 'node_modules/.cache/thread-bundles', String(process.pid));
/** Folders with a thread, whose module is `worker.ts`. */
const THREADS = ['lib/engines/threads', 'lib/formats/archives', 'lib/formats/codes'];
/** How a module beside it names what the thread is started from. */
const START = /new URL\('\.\/worker-entry\.mjs', import\.meta\.url\)|ownWorker\(import\.meta\.url, '[^']*'\)/g;

/** Source files find what lies beside them by their own URL, which a bundle would change. */
const withOwnUrls: EsbuildPlugin = {
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const contents = (withBundledThreads(code, path) ?? code).replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      );
      return { loader: 'ts', contents };
    });
  },
};

/** Makes the bundles before the first test. */
export async function setup(project: TestProject): Promise<void> {
  for (const folder of THREADS) if (!startsThread(folder)) throw new Error(`nothing in ${folder} starts its worker.ts`);
  await build({
    entryPoints: [
      ...THREADS.map((folder) => ({ in: join(ROOT, folder, 'worker.ts'), out: `${folder}/worker` })),
      { in: join(ROOT, 'bin/airlock.ts'), out: 'bin/airlock' },
    ],
    outdir: FOLDER,
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
    plugins: [withOwnUrls],
  });
  project.provide('commandLine', join(FOLDER, 'bin/airlock.mjs'));
}

function startsThread(folder: string): boolean {
  const files = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.ts'));
  return files.some((name) => readFileSync(join(ROOT, folder, name), 'utf8').search(START) >= 0);
}

/** Removes them after the last test. */
export function teardown(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}

/** Lets the modules that start a thread start it from its bundle. */
export function threadBundles(): Plugin {
  return {
    name: 'thread-bundles',
    transform(code, id) {
      const changed = withBundledThreads(code, id);
      return changed === null ? null : { code: changed, map: null };
    },
  };
}

/** The code of a module with its thread started from the bundle; null when it starts none. */
function withBundledThreads(code: string, path: string): string | null {
  const folder = THREADS.find((one) => dirname(path) === join(ROOT, one));
  if (folder === undefined || code.search(START) < 0) return null;
  const bundle = pathToFileURL(join(FOLDER, folder, 'worker.mjs')).href;
  return code.replaceAll(START, `new URL(${JSON.stringify(bundle)})`);
}
