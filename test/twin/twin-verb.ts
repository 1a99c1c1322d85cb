/**
 * `npm run twin`: runs the deployed thing on this machine, under each fault that is asked for. Loopback only. Exit code 0: everything
 * held; 1: something did not; 2: wrong usage.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createEnginePool } from '../../lib/engines/threads/pool.ts';
import type { Analyst } from '../../lib/infra/engines/analysis-choice.ts';
import { synthesizeTo } from './assembly/synthesize.ts';
import type { Fault } from './faults/fault.ts';
import { FAULTS } from './faults/faults.ts';
import { type FaultResult, runFault } from './run/run-fault.ts';
import { grantsText, memoryText, tableOf, unusedInAll } from './run/table.ts';
import { contextWith } from './run/twin.ts';

const USAGE = `npm run twin -- [--mails N] [--faults all|NAME,…] [--processes N] [--seconds N] [--json] [--keep]

  --mails N       mails of each fault, from 1 to 10000 (6)
  --faults NAMES  which faults, separated by commas, or all (none)
  --processes N   functions that work at the same time (one for each processor)
  --seconds N     a fault is given up when nothing was done for so long (600)
  --json          the results as JSON
  --keep          keeps the folder with the assembly and the logs of the functions
  --list          lists the faults
  --help          this text
`;

const MAX_MAILS = 10_000;
const MAX_SECONDS = 24 * 60 * 60;
const MAX_PROCESSES = 64;

interface Options {
  readonly mails: number;
  readonly faults: readonly Fault[];
  readonly processes: number;
  readonly seconds: number;
  readonly isJson: boolean;
  readonly isKept: boolean;
}

/** Throws TypeError with what is wrong. */
function optionsOf(args: string[]): Options | 'list' | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      mails: { type: 'string', default: '6' },
      faults: { type: 'string', default: 'none' },
      processes: { type: 'string', default: String(availableParallelism()) },
      seconds: { type: 'string', default: '600' },
      json: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  if (values.list) return 'list';
  return {
    mails: numberOf('--mails', values.mails, MAX_MAILS),
    faults: faultsOf(values.faults),
    processes: numberOf('--processes', values.processes, MAX_PROCESSES),
    seconds: numberOf('--seconds', values.seconds, MAX_SECONDS),
    isJson: values.json,
    isKept: values.keep,
  };
}

function numberOf(name: string, text: string, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new TypeError(`${name}: a whole number from 1 to ${most} is expected, not ${text}`);
}

function faultsOf(text: string): readonly Fault[] {
  if (text === 'all') return FAULTS;
  return text.split(',').map((name) => {
    const found = FAULTS.find((fault) => fault.name === name);
    if (!found)
      throw new TypeError(`--faults: there is no ${name}; there are all, ${FAULTS.map((one) => one.name).join(', ')}`);
    return found;
  });
}

async function run({ faults, isJson, isKept, mails, processes, seconds }: Options): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-twin-'));
  const assemblies = new Map<Analyst, string>();
  for (const { analyst = 'engines' } of faults) {
    if (assemblies.has(analyst)) continue;
    const assembly = join(folder, `cdk.out.${analyst}`);
    say(`synthesizes into ${assembly}\n`);
    synthesizeTo(assembly, contextWith(analyst));
    assemblies.set(analyst, assembly);
  }
  const engines = createEnginePool({ threads: availableParallelism() });
  if (assemblies.has('service')) await engines.warmUp();
  const results: FaultResult[] = [];
  for (const [index, fault] of faults.entries()) {
    const head = `${index + 1}/${faults.length} ${fault.name}: `;
    const onProgress = (ended: number, sent: number) => sayOver(`${head}${ended} of ${sent} mails ended`);
    const result = await runFault(fault, {
      assembly: assemblies.get(fault.analyst ?? 'engines') ?? '',
      folder,
      engines,
      processes,
      mails,
      mostSeconds: seconds,
      onProgress,
    });
    results.push(result);
    sayOver(`${head}${result.problems.length === 0 ? 'held' : 'DID NOT HOLD'}\n`);
    for (const problem of result.problems) say(`    ${problem}\n`);
  }
  await engines.close();
  if (isJson) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  else
    process.stdout.write(
      `\n${tableOf(results)}\n\nMost memory of each function:\n${memoryText(results)}\n\nPermissions that no run used:\n${grantsText(unusedInAll(results))}\n`,
    );
  if (isKept) say(`the assembly and the logs are in ${folder}\n`);
  else rmSync(folder, { recursive: true });
  return results.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

const say = (text: string) => void process.stderr.write(text);

/** On a terminal the line is written over; in a file only what is complete appears. */
function sayOver(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
  else if (text.endsWith('\n')) process.stderr.write(text);
}

async function main(): Promise<number> {
  // The SDK says which Node it will want next year. CONTRIBUTING.md says which we test.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  try {
    const options = optionsOf(process.argv.slice(2));
    if (options !== 'list' && options !== 'help') return await run(options);
    const list = FAULTS.map(({ name, says }) => `${name.padEnd(24)} ${says}\n`).join('');
    process.stdout.write(options === 'list' ? list : USAGE);
    return 0;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    return 2;
  }
}

process.exitCode = await main();
