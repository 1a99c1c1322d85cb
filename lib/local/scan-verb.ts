/** `airlock scan`: runs inputs through the whole flow and reports on each. */
import type { DeskLanguage } from '../desk/desk-words.ts';
import { safeJson } from '../pipeline/safe-text.ts';
import { type Console, complain, ReaderGone, writeLine } from './console.ts';
import { inputsOf, inputsOfArguments, withoutRepeats } from './input/input.ts';
import { createStreamCopies } from './input/stream-copies.ts';
import { EXIT, exitCodeOf, type Outcome } from './outcome.ts';
import { painterFor } from './paint.ts';
import { createProgress, type Progress } from './progress.ts';
import { mailFileName, writeMailFile } from './report/html-report.ts';
import { reportLines } from './report/report.ts';
import { inOrder } from './session/bounded-queue.ts';
import { type EngineOptions, inputsAtOnce, openEngineSession } from './session/engine-session.ts';

export interface PrintOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly html?: string;
  /** The language of those pages. @default en */
  readonly language?: DeskLanguage;
}

export interface ScanOptions extends EngineOptions, PrintOptions {
  readonly out: string;
  /** Leave out inputs that an earlier scan into the same folder has finished. */
  readonly resume?: boolean;
}

/** Inputs that are scanned at the same time: enough to keep the engines busy, few enough for memory (42 MB each). */
const CONCURRENT_INPUTS = 8;

/** Runs the verb. Returns the exit code; throws UsageError, ConfigError or ClientConfigError when it cannot begin. */
export async function scanVerb(console: Console, paths: readonly string[], options: ScanOptions): Promise<number> {
  const progress = createProgress(console, options.quiet === true);
  const { signal } = console;
  const outcomes: Outcome[] = [];
  const again: Outcome[] = [];
  const session = await openEngineSession(console, options, {
    ...{ out: options.out, signal, onStage: progress.stage },
    concurrentStages: CONCURRENT_INPUTS,
    onAgain: async (outcome) => void again.push(outcome),
  });
  const copies = createStreamCopies(console.stdin);
  try {
    const counting = countInputs(paths, options.out, progress, signal);
    const all = withoutRepeats(inputsOfArguments(paths, copies, options.out));
    // A program that reads the lines gets one for every input, even for those that were not begun.
    const inputs = options.json ? all : untilStopped(all, signal);
    const scanned = inOrder(inputs, inputsAtOnce(options, CONCURRENT_INPUTS), async (input) => {
      const outcome = options.resume ? await session.scanOnce(input) : await session.scan(input);
      progress.done(outcome);
      return outcome;
    });
    for await (const outcome of scanned) {
      progress.clear();
      outcomes.push(summaryOnly(outcome));
      if (isToldOf(outcome, options)) await reportOutcome(console, outcome, options);
    }
    await counting;
    await session.settled();
    for (const outcome of again) await reportAgain(console, outcomes, outcome, options);
  } finally {
    progress.end();
    await session.close();
    await copies.remove();
  }
  if (signal.aborted) return await stopped(console, outcomes, options);
  if (!options.json && !options.quiet) {
    if (outcomes.length > 1) await writeLine(console.stdout, totals(outcomes));
    if (outcomes.some(({ state }) => state === 'quarantined')) await writeLine(console.stdout, whatNext(options.out));
  }
  return exitCodeOf(outcomes);
}

/** Reports held mail that has ended anew, because another mail tells its password. It counts as an input of this scan. */
async function reportAgain(
  console: Console,
  outcomes: Outcome[],
  outcome: Outcome,
  options: ScanOptions,
): Promise<void> {
  const isOf = (other: Outcome) => 'runId' in other && 'runId' in outcome && other.runId === outcome.runId;
  const index = outcomes.findIndex(isOf);
  const told = { ...outcome, input: outcomes[index]?.input ?? outcome.input };
  if (index >= 0) outcomes[index] = summaryOnly(told);
  await reportOutcome(console, told, options);
}

/** Finds out how many inputs there are while they are scanned. Inputs from a pipe cannot be counted beforehand. */
async function countInputs(
  paths: readonly string[],
  out: string,
  { total }: Progress,
  signal: AbortSignal,
): Promise<void> {
  // To count them, folders and mboxes are read once more.
  if (total === null) return;
  const files = paths.filter((path) => path !== '-' && path !== '/dev/stdin');
  let inputs = 0;
  for await (const _ of untilStopped(withoutRepeats(inputsOf(files, out)), signal)) {
    inputs += 1;
    total(inputs);
  }
}

async function* untilStopped<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const item of items) {
    if (signal.aborted) return;
    yield item;
  }
}

/** Tells a person once that a scan was stopped. An earlier scan may have said it already. */
function isToldOf(outcome: Outcome, { json }: ScanOptions): boolean {
  return json === true || (outcome.state !== 'interrupted' && !('isEarlier' in outcome));
}

/** Writes one line about the progress. When nobody reads any more (`| head`), nothing is written. */
async function stopped(console: Console, outcomes: readonly Outcome[], { json, out }: ScanOptions): Promise<number> {
  if (console.signal.reason instanceof ReaderGone || json) return EXIT.failed;
  const done = outcomes.filter(({ state }) => state !== 'interrupted');
  const far = done.length === 0 ? 'nothing is done' : totals(done);
  complain(console, `Stopped: ${far}. The same command with --resume does the rest; what is done stays in ${out}.`);
  return EXIT.failed;
}

/** Prints the outcome of an input, and writes its page when asked to. Throws UsageError. */
export async function reportOutcome(console: Console, outcome: Outcome, options: ScanOptions): Promise<void> {
  await print(console, outcome, options);
  const { html, out, language = 'en' } = options;
  if (html !== undefined && 'ledger' in outcome) await writeMailFile(html, out, outcome.ledger, language);
}

async function print(console: Console, outcome: Outcome, options: PrintOptions): Promise<void> {
  if (options.json) return writeLine(console.stdout, safeJson(outcome));
  if (options.quiet && outcome.state === 'delivered') return;
  const stream = options.quiet ? console.stderr : console.stdout;
  const page =
    options.html !== undefined && 'ledger' in outcome ? mailFileName(options.html, outcome.ledger.runId) : null;
  for (const line of reportLines(outcome, painterFor(console), page)) await writeLine(stream, line);
}

/** The exit code needs only the reasons of a ledger. The rest is dropped, because thousands of ledgers fill memory. */
function summaryOnly(outcome: Outcome): Outcome {
  if (!('ledger' in outcome)) return outcome;
  const ledger = { ...outcome.ledger, parts: [], urls: [], artifacts: [], warnings: [] };
  return { ...outcome, ledger };
}

/** Names the next verb for held mail, because nobody finds it from the name of a folder. */
function whatNext(out: string): string {
  const where = out === 'airlock-out' ? '' : ` --out ${out}`;
  return `Held mail waits for a decision: "airlock quarantine list${where}" shows it, and so does "airlock desk${where} --as YOUR-NAME" in a browser.`;
}

function totals(outcomes: readonly Outcome[]): string {
  const states: readonly Outcome['state'][] = ['delivered', 'quarantined', 'rejected', 'interrupted', 'failed'];
  const counts = states.map((state) => [outcomes.filter((outcome) => outcome.state === state).length, state] as const);
  const words = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  return `${outcomes.length} inputs: ${words.join(', ')}`;
}
