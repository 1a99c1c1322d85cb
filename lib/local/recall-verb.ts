/** `airlock recall` and `airlock recheck`: delivered mail with something that is blocked or worse now. */
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { withBlocks } from '../pipeline/block.ts';
import { createBlockList } from '../pipeline/block-list.ts';
import { keys } from '../pipeline/keys.ts';
import { DEFAULT_POLICY } from '../pipeline/policy.ts';
import { deliveredRuns, type Exposure, type Recalled, recalls } from '../pipeline/recall.ts';
import type { Rechecked } from '../pipeline/recheck.ts';
import { safeJson, safeText } from '../pipeline/safe-text.ts';
import type { Worse } from '../pipeline/worse.ts';
import { type Console, UsageError, writeLine } from './console.ts';
import { openEngineSession } from './engine-session.ts';
import { openPlace } from './open-place.ts';
import { checkFolder, contextOf } from './run-context.ts';
import { openOrExplain } from './run-index.ts';

interface RecallOptions {
  readonly out: string;
  readonly stack?: string;
  readonly days: string;
  readonly new?: boolean;
  readonly json?: boolean;
}

interface RecheckOptions extends RecallOptions {
  readonly budget: string;
  readonly service?: string;
  readonly policy?: string;
}

const DAY_MS = 86_400_000;
const EXIT = { nothing: 0, found: 1 } as const;

/** Adds the verbs to the program. */
export function addRecall(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('recall')
    .description('list delivered mail that has something which is blocked now, or which recheck found to be worse')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--stack <name>', 'the mail of a deployment instead, by the name of its stack')
    .option('--days <number>', 'mail that came in within so many days', '30')
    .option('--new', 'only mail that --new has not listed before')
    .option('--json', 'print one JSON line for each mail')
    .addHelpText('after', '\nExit codes: 0 there is none, 1 there is some, 2 wrong usage.')
    .action(async (options: RecallOptions) => done(await recallVerb(console, options)));
  program
    .command('recheck')
    .description('ask again about each file that was delivered, and note which are worse now')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--stack <name>', 'have a deployment ask about its own mail, by the name of its stack')
    .option('--days <number>', 'mail that came in within so many days', '7')
    .option('--budget <number>', 'ask about at most so many different files, those of the newest mail first', '1000')
    .option('--service <url>', 'ask this analysis service, with the key in AIRLOCK_API_KEY (default: the embedded one)')
    .option('--policy <file>', 'a policy file (default: the policy as shipped)')
    .option('--json', 'print one JSON line for each file that is worse, and one with the counts at the end')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing is worse, 1 something is, or the record of a mail is damaged; airlock recall lists the mail. 2 wrong usage.',
    )
    .action(async (options: RecheckOptions) => done(await recheckVerb(console, options)));
}

async function recallVerb(console: Console, options: RecallOptions): Promise<number> {
  const since = Date.now() - numberIn('--days', options.days, 3_650) * DAY_MS;
  if (options.stack !== undefined && options.new)
    throw new UsageError('--new notes what it has listed, and nothing is written to a deployment: leave one out.');
  const place = await openPlace(console, options);
  const { ctx } = place;
  let found = 0;
  try {
    const blocks = (await createBlockList(ctx).current()).map(({ block }) => block);
    const runs = await place.index();
    const range = { since, most: Number.POSITIVE_INFINITY };
    for await (const recalled of recalls(ctx, runs, withBlocks(DEFAULT_POLICY, blocks), range)) {
      const at = new TextEncoder().encode(new Date().toISOString());
      if (options.new && !(await ctx.blobs.put('work', keys.recalled(recalled.row.runId), at, { ifAbsent: true })))
        continue;
      found += 1;
      await print(console, options, recalled);
    }
  } finally {
    await place.close();
  }
  if (found === 0 && !options.json) await writeLine(console.stdout, 'No delivered mail is to be recalled.');
  return found === 0 ? EXIT.nothing : EXIT.found;
}

async function print(console: Console, { json }: RecallOptions, { row, exposures }: Recalled): Promise<void> {
  const { reference, runId, subject, from, to, bornAt } = row;
  if (json) return writeLine(console.stdout, safeJson({ reference, runId, subject, from, to, exposures }));
  const time = new Date(bornAt).toISOString().slice(0, 16).replace('T', ' ');
  await writeLine(
    console.stdout,
    `${reference}  ${time}Z  ${safeText(subject, 120) || '(no subject)'}; to ${safeText(to, 200)}`,
  );
  for (const exposure of exposures) await writeLine(console.stdout, `         ${lineOf(exposure)}`);
}

function lineOf({ cause, of, name, verdict, delivered, sha256 }: Exposure): string {
  if (cause === 'unreadable') return 'its record is damaged or gone, so nobody knows what it delivered';
  const what = of === 'sender' ? 'its sender' : safeText(name, 200);
  const is = cause === 'blocked' ? 'is blocked' : `is ${verdict} now`;
  const how = of !== 'file' ? '' : delivered === 'keep' ? '; delivered as it came' : '; delivered disarmed';
  return `${what} ${is}${how}${sha256 === null ? '' : `; ${sha256}`}`;
}

async function recheckVerb(console: Console, options: RecheckOptions): Promise<number> {
  const since = Date.now() - numberIn('--days', options.days, 3_650) * DAY_MS;
  const budget = numberIn('--budget', options.budget, 1_000_000);
  if (options.stack !== undefined) return recheckStack(console, options, options.stack, budget);
  checkFolder(options.out);
  const runs = await openOrExplain(options.out);
  const session = await openEngineSession(console, options, {
    ...{ out: options.out, signal: console.signal },
    onStage: () => {},
  });
  const counts = { same: 0, worse: 0, unanswered: 0, unreadable: 0 };
  try {
    const delivered = deliveredRuns(contextOf(options.out), runs, { since, most: Number.POSITIVE_INFINITY });
    const pause = (seconds: number) => setTimeout(seconds * 1000, undefined, { signal: console.signal });
    for await (const checked of session.recheck(delivered, budget, pause)) {
      counts[checked.outcome] += 1;
      if (checked.worse !== null) await printWorse(console, options, checked.worse, { runId: checked.runId });
    }
  } finally {
    await session.close();
    runs.close();
  }
  return printCounts(console, options, counts);
}

/** A deployment has its own engines or service, and its own policy. */
async function recheckStack(console: Console, options: RecheckOptions, stack: string, budget: number): Promise<number> {
  if (options.service !== undefined || options.policy !== undefined)
    throw new UsageError('--service and --policy are those of the deployment: leave them out with --stack.');
  const days = numberIn('--days', options.days, 3_650);
  const counts = { same: 0, worse: 0, unanswered: 0, unreadable: 0 };
  // The clients of AWS are loaded only where they are used.
  const { recheckRemotely } = await import('./recheck-remote.ts');
  for await (const round of recheckRemotely(console, stack, { days, budget })) {
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += round.counts[name];
    for (const worse of round.worse) await printWorse(console, options, worse, {});
  }
  return printCounts(console, options, counts);
}

async function printCounts(
  console: Console,
  options: RecheckOptions,
  counts: Readonly<Record<Rechecked['outcome'], number>>,
): Promise<number> {
  const { same, worse, unanswered, unreadable } = counts;
  const words = `${same + worse + unanswered} files asked about: ${same} as before, ${worse} worse, ${unanswered} without an answer`;
  await writeLine(console.stdout, options.json ? safeJson({ counts }) : words);
  if (unreadable > 0 && !options.json)
    await writeLine(
      console.stdout,
      `The records of ${unreadable} delivered mails are damaged or gone, so their files are not known. airlock recall lists these mails.`,
    );
  return worse === 0 && unreadable === 0 ? EXIT.nothing : EXIT.found;
}

async function printWorse(console: Console, { json }: RecallOptions, worse: Worse, where: object): Promise<void> {
  const why = worse.untrustedReasons.map((reason) => safeText(reason, 200)).join('; ');
  const line = `${worse.sha256} was ${worse.before} and is ${worse.after} now: ${why}`;
  await writeLine(console.stdout, json ? safeJson({ ...worse, ...where }) : line);
}

function numberIn(name: string, text: string, most: number): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most)
    throw new UsageError(`${name} takes a number from 1 to ${most}, not ${JSON.stringify(text)}.`);
  return number;
}
