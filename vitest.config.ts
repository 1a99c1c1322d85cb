import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores is the smallest machine we promise: more forks only fight over them.
    maxWorkers: 2,
  },
});
