import { defineConfig } from 'vitest/config';

/** The contract suites over PostgreSQL. `npm run check:service` starts the server and says where it is. */
export default defineConfig({
  test: {
    root: new URL('../../..', import.meta.url).pathname,
    include: ['test/checkers/service/*.check.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    isolate: false,
    maxWorkers: 1,
  },
});
