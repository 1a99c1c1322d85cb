/**
 * `npm run twin`: runs the deployed thing on this machine, under each fault that is asked for. Loopback only. Exit code 0: everything
 * held; 1: something did not; 2: wrong usage; 130: somebody ended it.
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
import { Progress } from './run/progress.ts';
import { addResult, heldBefore, readResults, stackOf } from './run/results-file.ts';
import { type FaultResult, GivenUpError, runFault } from './run/run-fault.ts';
import { reportText } from './run/table.ts';
import { contextWith } from './run/twin.ts';

const USAGE = `npm run twin -- [--mails N] [--faults all|NAME,…] [--processes N] [--seconds N] [--results FILE] [--json] [--keep]

  --mails N       mails of each fault, from 1 to 10000 (6)
  --faults NAMES  which faults, separated by commas, or all (none)
  --processes N   functions that work at the same time (one for each processor)
  --seconds N     a fault is given up when nothing was done for so long (600)
  --results FILE  adds the result of each fault to FILE; what held there with the same stack and mails is not run again
  --json          the result of each fault as one line of JSON, as soon as it ends
  --keep          keeps the folder with the assembly and the logs of the functions
  --list          lists the faults
  --help          this text
`;

const MAX_MAILS = 10_000;
const MAX_SECONDS = 24 * 60 * 60;
const MAX_PROCESSES = 64;
/** What shells give to a program that Ctrl-C ended. */
const INTERRUPTED = 130;

interface Options {
  readonly mails: number;
  readonly faults: readonly Fault[];
  readonly processes: number;
  readonly seconds: number;
  /** File for the results, or null. */
  readonly file: string | null;
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
      results: { type: 'string' },
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
    file: values.results ?? null,
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

async function run({ faults, file, isJson, isKept, mails, processes, seconds }: Options): Promise<number> {
  const before = file === null ? [] : readResults(file);
  const folder = mkdtempSync(join(tmpdir(), 'airlock-twin-'));
  const stop = stopped();
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
  const ready = faults.map((fault) => ({ fault, assembly: assemblies.get(fault.analyst ?? 'engines') ?? '' }));
  const known = ready.map(({ fault, assembly }) => heldBefore(before, fault.name, stackOf(assembly), mails));
  const results = known.filter((result) => result !== null);
  if (results.length > 0) say(`${results.length} of ${faults.length} faults held before, as ${file} says\n`);
  const progress = new Progress({ faults: faults.length - results.length, mails });
  for (const { fault, assembly } of ready.filter((_, index) => known[index] === null)) {
    if (stop.signal.aborted) break;
    const onProgress = (ended: number, sent: number) => progress.show(fault.name, ended, sent);
    const options = {
      assembly,
      folder,
      engines,
      processes,
      mails,
      mostSeconds: seconds,
      onProgress,
      signal: stop.signal,
    };
    const result = await runFault(fault, options).catch(nullWhenGivenUp);
    if (result === null) break;
    results.push(result);
    progress.end(result);
    if (file !== null) addResult(file, { stack: stackOf(assembly), mails, result });
    if (isJson) process.stdout.write(`${JSON.stringify(result)}\n`);
  }
  await engines.close();
  if (!isJson) process.stdout.write(`\n${reportText(results)}\n`);
  if (isKept) say(`the assembly and the logs are in ${folder}\n`);
  else rmSync(folder, { recursive: true });
  return exitCode(results, faults.length, file);
}

/** Says what is missing when somebody ended the run. */
function exitCode(results: readonly FaultResult[], faults: number, file: string | null): number {
  if (results.length === faults) return results.every(({ problems }) => problems.length === 0) ? 0 : 1;
  const goOn =
    file === null ? 'with --results FILE the next run can go on' : 'the same command goes on with the others';
  say(`ended early: ${results.length} of ${faults} faults were run; ${goOn}\n`);
  return INTERRUPTED;
}

/** Aborted by Ctrl-C and SIGTERM. */
function stopped(): AbortController {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  return stop;
}

function nullWhenGivenUp(error: unknown): null {
  if (error instanceof GivenUpError) return null;
  throw error;
}

const say = (text: string) => void process.stderr.write(text);

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

// A run that was ended early has left work behind that nobody waits for.
process.exit(await main());
