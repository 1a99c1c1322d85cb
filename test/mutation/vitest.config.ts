import { defineConfig } from 'vitest/config';

/** Modules stay loaded between the test files of a run: each fault would otherwise load all of them for every file. */
export default defineConfig({
  // The pages have one runtime of JSX, and none for development.
  oxc: { jsx: { runtime: 'automatic', importSource: '#markup', development: false } },
  test: {
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]') as string[],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    isolate: false,
    runner: new URL('runner.ts', import.meta.url).pathname,
  },
});
