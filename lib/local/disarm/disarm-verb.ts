/** `airlock disarm`: disarms files, folders and stdin, and says in plain words what was removed. */
import { availableParallelism } from 'node:os';
import type { DisarmReport, FailedReport } from '../../engines/engine.ts';
import { createEnginePool, type EnginePool } from '../../engines/threads/pool.ts';
import { safeJson } from '../../pipeline/safe-text.ts';
import { type Console, writeLine } from '../console.ts';
import { EXIT } from '../outcome.ts';
import { painterFor } from '../paint.ts';
import { inOrder } from '../session/bounded-queue.ts';
import { type DisarmInput, disarmInputs, TooLargeError } from './input.ts';
import { checkOutput, type OutputOptions, writeOutput } from './output.ts';
import { showProgress } from './progress.ts';
import { type Disarmed, disarmedJson, disarmedLines } from './report.ts';

export interface DisarmOptions extends OutputOptions {
  readonly json?: boolean;
  readonly password?: string;
  readonly keepMetadata?: boolean;
  /** The name of the data from stdin. */
  readonly name?: string;
}

/**
 * Runs the verb. Returns 0 when every file is disarmed or already safe. Returns 1 when one is refused and not written, and 2 when one could
 * not be read or written. Throws UsageError when nothing can begin. No input is ever changed.
 */
export async function disarmVerb(console: Console, paths: readonly string[], options: DisarmOptions): Promise<number> {
  const inputs = await disarmInputs(console, paths, options.name ?? 'stdin');
  await checkOutput(console, paths, inputs, options);
  const pool = createEnginePool({ threads: Math.min(inputs.length, availableParallelism()) });
  const stop = () => void pool.close();
  console.signal.addEventListener('abort', stop, { once: true });
  const all: Disarmed[] = [];
  try {
    const isAlone = inputs.length === 1;
    const disarm = (input: DisarmInput) => disarmOne(console, pool, input, { ...options, isAlone });
    for await (const disarmed of inOrder(inEach(inputs, console.signal), availableParallelism(), disarm)) {
      if (console.signal.aborted) break;
      await print(console, disarmed, options);
      all.push(disarmed);
    }
  } finally {
    console.signal.removeEventListener('abort', stop);
    await pool.close();
  }
  if (console.signal.aborted) throw new Error(stoppedAfter(all.length, inputs.length));
  if (inputs.length > 1 && !options.json) await writeLine(console.stdout, totals(all));
  return exitCodeOf(all);
}

async function* inEach(inputs: readonly DisarmInput[], signal: AbortSignal): AsyncGenerator<DisarmInput> {
  for (const input of inputs) if (!signal.aborted) yield input;
}

interface One extends DisarmOptions {
  readonly isAlone: boolean;
}

/**
 * Disarms and writes one file. Among several files, a fault of one is its result. A fault of a single file ends the verb with UsageError.
 */
async function disarmOne(console: Console, pool: EnginePool, input: DisarmInput, options: One): Promise<Disarmed> {
  const progress = options.json || !options.isAlone ? null : showProgress(console, input.name);
  let size = 0;
  const none: FailedReport = {
    outcome: 'failed',
    failure: { code: 'engine_failed', message: 'nothing was disarmed' },
    engineVersion: '',
  };
  let report: DisarmReport | FailedReport = none;
  const { path } = input;
  try {
    const bytes = await input.read();
    size = bytes.length;
    report = await run(pool, input, bytes, options);
    if (report.outcome === 'failed' || console.signal.aborted)
      return { path, size, report, written: null, problem: null };
    return { path, size, report, written: await writeOutput(console, input, options, report), problem: null };
  } catch (error) {
    if (error instanceof TooLargeError) {
      const failure = { code: 'oversize', message: error.message } as const;
      return { path, size, report: { ...none, failure }, written: null, problem: null };
    }
    if (options.isAlone) throw error;
    return { path, size, report, written: null, problem: error instanceof Error ? error.message : String(error) };
  } finally {
    progress?.end();
  }
}

/** Runs the engine in a thread of the pool, so that its deadline and its memory limit count here, too. */
async function run(
  pool: EnginePool,
  { name: untrustedName }: DisarmInput,
  bytes: Uint8Array,
  { password = '', keepMetadata = false }: DisarmOptions,
): Promise<DisarmReport | FailedReport> {
  const input = { bytes, untrustedName, password: password === '' ? null : password, keepMetadata };
  const report = await pool.run({ engine: 'disarm', input });
  if (report.outcome === 'failed' || 'bytes' in report) return report;
  throw new Error('the engine answered with a report of another kind');
}

/** Prints the report of a file: on stderr when the file itself goes to stdout, otherwise on stdout. */
async function print(console: Console, disarmed: Disarmed, { json }: DisarmOptions): Promise<void> {
  const stream = disarmed.written === '-' ? console.stderr : console.stdout;
  if (json) return await writeLine(stream, safeJson(disarmedJson(disarmed)));
  for (const line of disarmedLines(disarmed, painterFor(console))) await writeLine(stream, line);
}

function stoppedAfter(done: number, of: number): string {
  if (of === 1) return 'stopped before the file was disarmed; nothing was written';
  return `stopped after ${done} of ${of} files; what was disarmed is written`;
}

function totals(all: readonly Disarmed[]): string {
  const count = (isOne: (one: Disarmed) => boolean) => all.filter(isOne).length;
  const parts = [
    [count(({ report, problem }) => report.outcome === 'disarmed' && problem === null), 'disarmed'],
    [count(({ report, problem }) => report.outcome === 'already_safe' && problem === null), 'already safe'],
    [count(({ report, problem }) => report.outcome === 'failed' && problem === null), 'refused'],
    [count(({ problem }) => problem !== null), 'not written'],
  ] as const;
  const words = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  return `${all.length} files: ${words.join(', ')}`;
}

function exitCodeOf(all: readonly Disarmed[]): number {
  if (all.some(({ problem }) => problem !== null)) return EXIT.usage;
  return all.some(({ report }) => report.outcome === 'failed') ? EXIT.quarantined : EXIT.delivered;
}
