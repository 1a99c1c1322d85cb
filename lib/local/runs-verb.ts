/** `airlock runs`, `airlock quarantine` and `airlock index`: the list of mail, and of held mail with the reasons. */
import type { Command } from 'commander';
import { mended } from '../formats/names/defanged.ts';
import { normalFact } from '../pipeline/ledger/header-addresses.ts';
import { REASON_CODES } from '../pipeline/reason-codes.ts';
import { type Fact, type FactKind, RUN_STATES, wordsIn } from '../pipeline/runs/row.ts';
import { inertText, safeJson } from '../pipeline/safe-text.ts';
import { referenceIn } from '../words/reference.ts';
import { type Console, UsageError, writeLine } from './console.ts';
import { addReview } from './decisions/review-verb.ts';
import { timeOption } from './options/time.ts';
import { addOverview } from './overview-verb.ts';
import { openPlace } from './places/open.ts';
import { printPage } from './report/run-page.ts';
import { showRun } from './report/run-show.ts';
import { contextOf } from './session/run-context.ts';
import { fullPage, isBusy, type Rebuilt, rebuildIndex } from './session/run-index.ts';

interface ListOptions {
  readonly out: string;
  readonly stack?: string;
  readonly json?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly after?: string;
  readonly limit: string;
  readonly state?: string;
  readonly reason?: string;
  readonly sender?: string;
  readonly recipient?: string;
  readonly subject?: string;
  readonly hash?: string;
  readonly host?: string;
}

type Done = (code: number) => void;

const STACK = 'the runs of a deployment instead, by the name of its stack';

const MAX_ROWS = 1_000;
const HASH = /^[0-9a-f]{64}$/;

const EXAMPLES = `
Examples:
  airlock quarantine list --since 2026-11-23T08:00Z
  airlock quarantine show A7-4KQ9
  airlock quarantine release A7-4KQ9 --as pat --reason "the sender called"
  airlock quarantine delete A7-4KQ9 --as pat --reason "spam"`;

/** Adds the verbs to the program. */
export function addRuns(program: Command, console: Console, done: Done): void {
  const runs = program.command('runs').description('list, show and search all mail that came through');
  addList(runs, 'list', 'list the runs, the newest first')
    .option('--state <state>', `only runs in this state: ${RUN_STATES.join(', ')}`)
    .action(async (options: ListOptions) => done(await list(console, options, [])));
  addShow(runs, console, done);
  addList(runs, 'search', 'find the runs that had a file, an address, a host or words of a subject')
    .argument('<term...>', 'SHA-256 of a file, mail address, reference like A7-4KQ9, host name, or word of a subject')
    .option('--state <state>', `only runs in this state: ${RUN_STATES.join(', ')}`)
    .action(async (terms: string[], options: ListOptions) =>
      done(await list(console, options, terms.flatMap(factsIn))),
    );
  addOverview(runs, console, done);
  const quarantine = program
    .command('quarantine')
    .description('list held mail, show why it is held, and release, rescan or delete it');
  addList(quarantine, 'list', 'list what is held, the newest first').action(async (options: ListOptions) =>
    done(await list(console, { ...options, state: 'quarantined' }, [])),
  );
  addShow(quarantine, console, done);
  addReview(quarantine, console, done);
  quarantine.addHelpText('after', EXAMPLES);
  program
    .command('index')
    .description('make the index of runs anew')
    .command('rebuild')
    .description('make the index anew from the signed chains of the runs')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--stack <name>', 'the index of a deployment instead, by the name of its stack')
    .option('--json', 'print one JSON object on stdout')
    .action(async (options: ListOptions) => done(await rebuild(console, options)));
}

function addList(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--stack <name>', STACK)
    .option('--since <time>', 'came in at this time or later, for example 2026-11-23T08:00Z')
    .option('--until <time>', 'came in before this time')
    .option('--reason <code>', 'held with this reason code')
    .option('--sender <address>', 'from this address')
    .option('--recipient <address>', 'to this address')
    .option('--subject <words>', 'with all of these words in the subject')
    .option('--hash <sha256>', 'with a file of this SHA-256, also inside archives')
    .option('--host <name>', 'with a link to this host')
    .option('--limit <number>', `rows on a page, at most ${MAX_ROWS}`, '50')
    .option('--after <place>', 'go on where the page before ended; it prints the place')
    .option('--json', 'print one JSON line per run on stdout, and one with `next` when there are more');
}

function addShow(parent: Command, console: Console, done: Done): void {
  parent
    .command('show')
    .description('say why a mail was held, and what was found in it')
    .argument('<run>', 'the id of a run, or its reference like A7-4KQ9')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--stack <name>', STACK)
    .option('--json', 'print the ledger as one JSON line on stdout')
    .action(async (run: string, options: ListOptions) => {
      done(await show(console, run, options));
    });
}

async function list(console: Console, options: ListOptions, terms: readonly Fact[]): Promise<number> {
  const query = {
    facts: [...factsOf(options), ...terms],
    since: timeOption('--since', options.since),
    until: timeOption('--until', options.until),
    after: placeOf(options.after),
    most: mostOf(options.limit),
  };
  const place = await openPlace(console, options);
  try {
    await printPage(console, await fullPage(await place.index(), query), options.json === true);
    return 0;
  } finally {
    await place.close();
  }
}

async function show(console: Console, run: string, options: ListOptions): Promise<number> {
  const place = await openPlace(console, options);
  try {
    return await showRun(console, run, place, options.json === true);
  } finally {
    await place.close();
  }
}

function factsOf(options: ListOptions): Fact[] {
  const one = (kind: FactKind, value: string | undefined): Fact[] =>
    value === undefined ? [] : [{ kind, value: normalFact(mended(value)) }];
  return [
    ...one('state', fromList('--state', options.state, RUN_STATES)),
    ...one('reason', fromList('--reason', options.reason, REASON_CODES)),
    ...one('sender', options.sender),
    ...one('recipient', options.recipient),
    ...(options.subject === undefined ? [] : wordFacts('--subject', options.subject)),
    ...one('hash', hashIn(options.hash)),
    ...one('host', options.host),
  ];
}

/** Reads a term of a search. Its form shows its kind. */
function factsIn(term: string): Fact[] {
  const value = normalFact(mended(term));
  if (HASH.test(value)) return [{ kind: 'hash', value }];
  const reference = referenceIn(value);
  if (reference !== null) return [{ kind: 'reference', value: reference }];
  if (value.includes('@')) return [{ kind: 'address', value }];
  if (/^[^\s.]+(?:\.[^\s.]+)+$/.test(value)) return [{ kind: 'host', value }];
  return wordFacts('the term', term);
}

/** Signs alone are in no index: a search for `*` would be a search for everything. */
function wordFacts(name: string, text: string): Fact[] {
  const words = wordsIn(text);
  if (words.length === 0)
    throw new UsageError(
      `${name} "${inertText(text, 100)}" has no letter and no digit to search for. Leave it out to list everything.`,
    );
  return words.map((value): Fact => ({ kind: 'word', value }));
}

function fromList(name: string, value: string | undefined, allowed: readonly string[]): string | undefined {
  if (value === undefined || allowed.includes(value)) return value;
  throw new UsageError(`${name} ${value} is unknown. Known are: ${allowed.join(', ')}.`);
}

function hashIn(value: string | undefined): string | undefined {
  if (value === undefined || HASH.test(value.toLowerCase())) return value;
  throw new UsageError(`--hash ${value} is no SHA-256: 64 digits from 0 to 9 and a to f.`);
}

function placeOf(value: string | undefined): string | null {
  if (value === undefined || /^\d{1,15}-[0-9a-f]{32}$/.test(value)) return value ?? null;
  throw new UsageError(`--after ${value} is not where a page ended. Use the place that the page before printed.`);
}

function mostOf(value: string): number {
  const most = /^\d{1,5}$/.test(value) ? Number(value) : 0;
  if (most < 1 || most > MAX_ROWS) throw new UsageError(`--limit ${value} is no number from 1 to ${MAX_ROWS}.`);
  return most;
}

async function rebuild(console: Console, { out, stack, json }: ListOptions): Promise<number> {
  const rebuilt = await (stack === undefined ? rebuildFolder(out) : rebuildStack(console, stack));
  if (json) await writeLine(console.stdout, safeJson(rebuilt));
  else {
    for (const { runId, why } of rebuilt.unreadable)
      await writeLine(
        console.stdout,
        `${runId} is not in the index, because its chain cannot be trusted: ${inertText(why, 300)}`,
      );
    await writeLine(console.stdout, `${rebuilt.runs} ${rebuilt.runs === 1 ? 'run' : 'runs'} in the index`);
  }
  return rebuilt.unreadable.length === 0 ? 0 : 1;
}

function rebuildFolder(out: string): Promise<Rebuilt> {
  return rebuildIndex(out, contextOf(out)).catch((error: unknown) => {
    if (!isBusy(error)) throw error;
    throw new UsageError(`Another process writes to the index of ${out} just now. Try again when it has ended.`);
  });
}

async function rebuildStack(console: Console, stack: string): Promise<Rebuilt> {
  // The clients of AWS are loaded only where they are used.
  const { rebuildDeployed } = await import('./places/deployed-runs.ts');
  return rebuildDeployed(console, stack);
}
