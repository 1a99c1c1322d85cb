/**
 * `npm test`: lint, types, all tests and a synthesis of the stack. `npm test -- PATH…` runs the tests below those paths and nothing else.
 * Options are handed to vitest.
 */
import { spawnSync } from 'node:child_process';

const args = process.argv.slice(2);
const TESTS = ['vitest', 'run', ...args] as const;
const TYPES = ['tsc', '--project', 'tsconfig.types.json'] as const;
const CHECKS = [['biome', 'check', '.'], TYPES, TESTS, ['cdk', 'synth', '--quiet']] as const;

/** npm puts the programs of the project on the path. Windows starts them by a script. */
function run([program, ...rest]: readonly [string, ...string[]]): number {
  const { status, error } = spawnSync(program, rest, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) process.stderr.write(`${program} does not start: ${error.message}. Run this with npm test\n`);
  return status ?? 1;
}

function check(): number {
  for (const command of CHECKS) {
    process.stdout.write(`\n> ${command.join(' ')}\n`);
    const status = run(command);
    if (status !== 0) return status;
  }
  return 0;
}

const hasPath = args.some((arg) => !arg.startsWith('-'));
process.exitCode = hasPath ? run(TESTS) : check();
