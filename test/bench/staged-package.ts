/** The command line as users have it: compiled, and below the repository, so that it finds its dependencies. */
import { join } from 'node:path';
import { CODE, compiled, ROOT } from '../../packages/compile.ts';
import { stage } from '../../packages/pack.ts';
import { PACKAGES } from '../../packages/package-table.ts';

const AIRLOCK = 'bin/airlock.ts';
const STAGED = join(ROOT, 'dist/bench/mail-airlock');

/** The program of the package, after `stagePackage`. */
export const STAGED_PROGRAM = join(STAGED, CODE, compiled(AIRLOCK, '.js'));

/** Makes the package anew. A program that loads TypeScript itself needs more time and memory than what users install. */
export function stagePackage(): void {
  const row = PACKAGES.find(({ bin }) => bin.airlock === AIRLOCK);
  if (row === undefined) throw new Error(`no package has ${AIRLOCK}`);
  stage(row, STAGED);
}
