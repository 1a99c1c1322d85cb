/** `airlock recheck`: analyses delivered files again. */
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { DEFAULT_POLICY } from '../../pipeline/policy/policy.ts';
import { notifyAbout } from '../../pipeline/recall/notify.ts';
import { deliveredRuns } from '../../pipeline/recall/recall.ts';
import type { Rechecked } from '../../pipeline/recall/recheck.ts';
import type { Worse } from '../../pipeline/recall/worse.ts';
import { safeJson, safeText } from '../../pipeline/safe-text.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { eventFileOf } from '../input/event-file.ts';
import { numberIn } from '../options/number.ts';
import { POLICY_OPTION } from '../options/service.ts';
import { openEngineSession } from '../session/engine-session.ts';
import { checkFolder, contextOf } from '../session/run-context.ts';
import { openOrExplain } from '../session/run-index.ts';

interface RecheckOptions {
  readonly out: string;
  readonly stack?: string;
  readonly days: string;
  readonly budget: string;
  readonly service?: string;
  readonly policy?: string;
  readonly json?: boolean;
}

const DAY_MS = 86_400_000;
const EXIT = { nothing: 0, found: 1 } as const;

/** Adds the verb to the program. */
export function addRecheck(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('recheck')
    .description('ask again about files that were delivered, and note which are worse now')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--stack <name>', 'have a deployment ask about its own mail, by the name of its stack')
    .option('--days <number>', 'mail that came in within so many days', '7')
    .option('--budget <number>', 'ask about at most so many different files, those of the newest mail first', '1000')
    .option('--service <url>', 'ask this analysis service, with the key in AIRLOCK_API_KEY (default: the engines here)')
    .option(...POLICY_OPTION)
    .option('--json', 'print one JSON line for each file that is worse, and one with the counts at the end')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing is worse, 1 something is, or the record of a mail is damaged; airlock recall lists the mail. 2 wrong usage.',
    )
    .action(async (options: RecheckOptions) => done(await recheckVerb(console, options)));
}

async function recheckVerb(console: Console, options: RecheckOptions): Promise<number> {
  const since = Date.now() - numberIn('--days', options.days, 1, 3_650) * DAY_MS;
  const budget = numberIn('--budget', options.budget, 1, 1_000_000);
  if (options.stack !== undefined) return recheckStack(console, options, options.stack, budget);
  checkFolder(options.out);
  const emitRecalled = eventFileOf(console)?.emitRecalled ?? null;
  const runs = await openOrExplain(options.out);
  const session = await openEngineSession(console, options, {
    ...{ out: options.out, signal: console.signal },
    onStage: () => {},
  });
  const counts = { same: 0, worse: 0, unanswered: 0, unreadable: 0 };
  try {
    const ctx = contextOf(options.out);
    const notifying = { ...ctx, policy: DEFAULT_POLICY, runs, emitRecalled };
    const delivered = deliveredRuns(ctx, runs, { since, most: Number.POSITIVE_INFINITY });
    const pause = (seconds: number) => setTimeout(seconds * 1000, undefined, { signal: console.signal });
    for await (const checked of session.recheck(delivered, budget, pause)) {
      counts[checked.outcome] += 1;
      if (checked.worse === null) continue;
      await notifyAbout(notifying, { cause: 'worse', ...checked.worse }, { since: null, mails: null });
      await printWorse(console, options, checked.worse, { runId: checked.runId });
    }
  } finally {
    await session.close();
    runs.close();
  }
  return printCounts(console, options, counts);
}

/** Refuses options that do not fit. A deployment has its own engines or service, and its own policy. */
async function recheckStack(console: Console, options: RecheckOptions, stack: string, budget: number): Promise<number> {
  if (options.service !== undefined || options.policy !== undefined)
    throw new UsageError('--service and --policy are those of the deployment: leave them out with --stack.');
  const days = numberIn('--days', options.days, 1, 3_650);
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

async function printWorse(console: Console, { json }: RecheckOptions, worse: Worse, where: object): Promise<void> {
  const why = worse.untrustedReasons.map((reason) => safeText(reason, 200)).join('; ');
  const line = `${worse.sha256} was ${worse.before} and is ${worse.after} now: ${why}`;
  await writeLine(console.stdout, json ? safeJson({ ...worse, ...where }) : line);
}
