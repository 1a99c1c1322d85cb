/** Tests that need a program of others. CI installs them; elsewhere a test says on the terminal that it is not run, and why. */
import { test } from 'vitest';

const warned = new Set<string>();

/** `test` where the program is; else one that is listed as skipped, with a line on the terminal. */
export function testWith(program: string, isHere: boolean) {
  if (!isHere && !warned.has(program))
    process.stderr.write(`\nNOT RUN: tests that need ${program}, which is not here\n`);
  if (!isHere) warned.add(program);
  return test.runIf(isHere);
}
