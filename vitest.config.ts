import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/runner/longest-first.ts';
import { nativeModules } from './test/runner/native-modules.ts';
import { NET_MS } from './test/runner/net.ts';
import { shareBundles } from './test/runner/share-bundles.ts';
import { shareThreads } from './test/runner/share-threads.ts';
import { threadBundles } from './test/runner/thread-bundles.ts';
import { KEEPS_MEMORY, V8_OPTIONS } from './test/runner/v8-options.ts';

/** Files that share a process must hold in any order. `AIRLOCK_TEST_SEED=N npm test` tries another one. */
const SEED = process.env.AIRLOCK_TEST_SEED;
const sequence =
  SEED === undefined ? { sequencer: LongestFirst } : { shuffle: { files: true, tests: false }, seed: Number(SEED) };

/** The pages have one runtime of JSX, and none for development. */
const OXC = { jsx: { runtime: 'automatic', importSource: '#markup', development: false } } as const;
/** Examples import the package, as a program of its users does. */
const ALIASES = { '@mail-airlock/client': join(import.meta.dirname, 'lib/service/client/client.ts') };

// The processes of the tests begin with the environment of this one.
Object.assign(process.env, KEEPS_MEMORY);

export default defineConfig({
  plugins: [nativeModules(OXC, ALIASES), threadBundles(), shareThreads(), shareBundles()],
  oxc: OXC,
  resolve: { alias: ALIASES },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**'],
    setupFiles: ['test/runner/setup.ts'],
    globalSetup: ['test/runner/scratch.ts', 'test/runner/thread-bundles.ts'],
    sequence,
    testTimeout: NET_MS,
    hookTimeout: NET_MS,
    expect: { poll: { timeout: NET_MS } },
    // Two cores is the smallest machine we promise: more processes only fight over them.
    maxWorkers: 2,
    // One process loads each module once for all of its test files, which saves half of the time. A test that replaces a module sets it back.
    isolate: false,
    execArgv: V8_OPTIONS,
    env: {
      // The SDK says which Node it will want next year, in each process. CONTRIBUTING.md says which we test.
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      // esbuild, which is written in Go, takes a fifth of its time to collect garbage that it could leave.
      GOGC: '400',
    },
    coverage: {
      reportsDirectory: 'coverage/rooms',
      include: ['lib/**/*.{ts,tsx}', 'lambdas/**/*.ts'],
      reporter: ['json-summary'],
    },
  },
});
