/** `airlock recall`: lists delivered mail with a file or link that is blocked or worse now. */
import type { Command } from 'commander';
import { keys } from '../../pipeline/keys.ts';
import { DEFAULT_POLICY } from '../../pipeline/policy/policy.ts';
import type { Notified } from '../../pipeline/recall/notify.ts';
import { type Exposure, type Recalled, recalls } from '../../pipeline/recall/recall.ts';
import { withBlocks } from '../../pipeline/review/block.ts';
import { createBlockList } from '../../pipeline/review/block-list.ts';
import { safeJson, safeText } from '../../pipeline/safe-text.ts';
import { minuteText } from '../../words/minute-text.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { addNextOptions } from '../gateway/next-options.ts';
import { numberIn } from '../options/number.ts';
import { openPlace } from '../places/open.ts';
import { checkNotifying, type NotifyOptions, notifyRecipients } from './recall-notify.ts';

interface ListOptions {
  readonly out: string;
  readonly stack?: string;
  readonly days: string;
  readonly json?: boolean;
}

interface RecallOptions extends ListOptions, NotifyOptions {
  readonly new?: boolean;
  readonly mails: string;
}

const DAY_MS = 86_400_000;
const RECALL_HELP = `
With --next, each recipient in a domain of notices.domains gets one mail about a message that holds a file which is malicious now or blocked, and
which was delivered as it came. Who has his mail gets no other one; who could not be told is told at the next time.

Exit codes: 0 there is none, 1 there is some, or a recipient could not be told, 2 wrong usage.`;
const EXIT = { nothing: 0, found: 1 } as const;

/** Adds the verb to the program. */
export function addRecall(program: Command, console: Console, done: (code: number) => void): void {
  const recall = program
    .command('recall')
    .description('list delivered mail with something that is blocked now, or that recheck found worse')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--stack <name>', 'the mail of a deployment instead, by the name of its stack')
    .option('--days <number>', 'mail that came in within so many days', '30')
    .option('--new', 'only mail that --new has not listed before')
    .option('--policy <file>', 'a policy file with notices.from and notices.domains, for --next')
    .option('--mails <number>', 'send at most so many mails to recipients', '200');
  addNextOptions(recall, 'tell recipients by this mail server')
    .option('--json', 'print one JSON line for each mail')
    .addHelpText('after', RECALL_HELP)
    .action(async (options: RecallOptions) => done(await recallVerb(console, options)));
}

async function recallVerb(console: Console, options: RecallOptions): Promise<number> {
  const since = Date.now() - numberIn('--days', options.days, 1, 3_650) * DAY_MS;
  const mails = numberIn('--mails', options.mails, 1, 100_000);
  checkNotifying(options);
  if (options.stack !== undefined && options.new)
    throw new UsageError('--new notes what it has listed, and nothing is written to a deployment: leave one out.');
  const place = await openPlace(console, options);
  const { ctx } = place;
  let [found, told]: [number, Notified | null] = [0, null];
  try {
    const blocks = await createBlockList(ctx).current();
    const runs = await place.index();
    told = await notifyRecipients(console, options, { ctx, runs, blocks, since, mails });
    const policy = withBlocks(
      DEFAULT_POLICY,
      blocks.map(({ block }) => block),
    );
    for await (const recalled of recalls(ctx, runs, policy, { since, most: Number.POSITIVE_INFINITY })) {
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
  if (told !== null) await printNotified(console, options, told);
  return found === 0 && (told?.unmailed ?? 0) === 0 ? EXIT.nothing : EXIT.found;
}

async function printNotified(console: Console, { json }: ListOptions, { mailed, unmailed }: Notified): Promise<void> {
  const rest = unmailed === 0 ? '' : ` ${unmailed} could not be sent, and are tried at the next time.`;
  await writeLine(
    console.stdout,
    json ? safeJson({ told: { mailed, unmailed } }) : `${mailed} mails to recipients were sent.${rest}`,
  );
}

async function print(console: Console, { json }: ListOptions, { row, exposures }: Recalled): Promise<void> {
  const { reference, runId, subject, from, to, bornAt } = row;
  if (json) return writeLine(console.stdout, safeJson({ reference, runId, subject, from, to, exposures }));
  const time = minuteText(bornAt);
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
