/**
 * Threads of the engines, of archives and of codes load a bundle in tests, which is made once in each run. To load the sources through
 * tsx, as a checkout does, takes each thread one to two seconds. Tests that start the command line as a process, or an engine in a
 * process of its own, still load the sources.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin } from 'vitest/config';

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
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    }));
  },
};

/** Makes the bundles before the first test. */
export async function setup(): Promise<void> {
  for (const folder of THREADS) if (!startsThread(folder)) throw new Error(`nothing in ${folder} starts its worker.ts`);
  await build({
    entryPoints: THREADS.map((folder) => ({ in: join(ROOT, folder, 'worker.ts'), out: `${folder}/worker` })),
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
      const folder = THREADS.find((one) => dirname(id) === join(ROOT, one));
      if (folder === undefined || code.search(START) < 0) return null;
      const bundle = pathToFileURL(join(FOLDER, folder, 'worker.mjs')).href;
      return { code: code.replaceAll(START, `new URL(${JSON.stringify(bundle)})`), map: null };
    },
  };
}
