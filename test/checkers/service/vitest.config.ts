import { defineConfig } from 'vitest/config';

/** The contract suites over PostgreSQL. `npm run check:service` starts the server and says where it is. */
export default defineConfig({
  // The pages have one runtime of JSX, and none for development.
  oxc: { jsx: { runtime: 'automatic', importSource: '#markup', development: false } },
  test: {
    root: new URL('../../..', import.meta.url).pathname,
    include: ['test/checkers/service/*.check.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    isolate: false,
    maxWorkers: 1,
  },
});
