/** Plants faults with StrykerJS and says which of them the tests noticed. */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Stryker } from '@stryker-mutator/core';

export interface Fault {
  /** From the root. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly kind: string;
  /** What stood there, on one line, and what was planted. */
  readonly was: string;
  readonly becomes: string;
  readonly outcome: 'noticed' | 'not noticed' | 'not reached' | 'not counted';
}

const OUTCOMES: Readonly<Record<string, Fault['outcome']>> = {
  Killed: 'noticed',
  Timeout: 'noticed',
  Survived: 'not noticed',
  NoCoverage: 'not reached',
};

/**
 * Plants every fault it can think of in the places, files or `FILE:FIRST-LAST`, one at a time, and runs the tests that reach it. With
 * `isAgain`, a fault that was noticed the last time in the same places is not planted if the test that noticed it is still there.
 */
export async function plant(
  places: readonly string[],
  tests: readonly string[],
  isAgain: boolean,
  sourceOf: (file: string) => string,
): Promise<Fault[]> {
  process.env.MUTATION_TESTS = JSON.stringify(tests);
  const stryker = new Stryker({
    mutate: [...places],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', new URL('messages.mjs', import.meta.url).pathname],
    ignorers: ['messages'],
    // The compiler asks for every one that there is, and refuses the code without it.
    mutator: { excludedMutations: ['OptionalChaining'] },
    coverageAnalysis: 'perTest',
    concurrency: Math.max(1, availableParallelism() - 1),
    reporters: ['progress-append-only'],
    tempDirName: '.mutation',
    incremental: true,
    force: !isAgain,
    // One for each set of places: Stryker would count what it knows of other places, too.
    incrementalFile: `node_modules/.cache/mutation/${createHash('sha256').update(places.join()).digest('hex')}.json`,
    ignorePatterns: ['.git', 'dist', 'cdk.out', 'airlock-out', 'airlock-data'],
    // It reads a configuration of TypeScript with the library of TypeScript, which has no such interface since version 7.
    tsconfigFile: 'none',
    timeoutMS: 30_000,
    dryRunTimeoutMinutes: 20,
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: true },
  });
  const root = `${process.cwd()}/`;
  const results = await stryker.runMutationTest();
  return results.map(({ fileName, location: { start, end }, mutatorName, replacement, status }) => {
    const file = fileName.startsWith(root) ? fileName.slice(root.length) : fileName;
    const lines = sourceOf(file)
      .split('\n')
      .slice(start.line - 1, end.line);
    const last = lines.length - 1;
    const cut = lines.map((line, at) =>
      line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined),
    );
    const flat = (text: string) => text.replace(/\s+/g, ' ').trim();
    return {
      file,
      line: start.line,
      kind: mutatorName,
      was: flat(cut.join('\n')),
      becomes: flat(replacement),
      outcome: OUTCOMES[status] ?? 'not counted',
    };
  });
}
