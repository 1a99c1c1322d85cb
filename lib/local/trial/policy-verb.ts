/** `airlock policy try FILE`: the results of another policy for the mail of the last days, without a new analysis. */
import type { Command } from 'commander';
import { withBlocks } from '../../pipeline/review/block.ts';
import { createBlockList } from '../../pipeline/review/block-list.ts';
import { runsSince, tryPolicy } from '../../pipeline/trial/policy-trial.ts';
import type { Console } from '../console.ts';
import { numberIn } from '../options/number.ts';
import { openPlace } from '../places/open.ts';
import { readPolicy } from '../session/engine-session.ts';
import { checkFolder } from '../session/run-context.ts';
import { withProgress } from './progress.ts';
import { printJson, printText } from './report.ts';

interface TryOptions {
  readonly days: string;
  readonly out: string;
  readonly stack?: string;
  readonly examples: string;
  readonly json?: boolean;
}

const DAY_MS = 86_400_000;
/** The most runs of each state that are counted. A bar needs no more. */
const MAX_COUNTED = 1_000_000;

/** Adds the verb to the program. */
export function addPolicy(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('policy')
    .description('try another policy on the mail of the last days')
    .command('try')
    .description(
      'show which mail of the last days would end otherwise under this policy; nothing is changed or analysed again',
    )
    .argument('<file>', 'a policy file')
    .option('--days <number>', 'mail that came in within so many days', '30')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--stack <name>', 'the mail of a deployment instead, by the name of its stack')
    .option('--examples <number>', 'how many mails of each kind are listed', '5')
    .option('--json', 'print one JSON line for each mail that would end otherwise, and one with the counts at the end')
    .addHelpText('after', HELP)
    .action(async (file: string, options: TryOptions) => done(await tryVerb(console, file, options)));
}

const HELP = `
What was found in each mail is judged by the policy of the file, and compared with how the mail ended. Releases and deletes by people do not
count. A mail that would be delivered is still read again before it is: what that finds can hold it. Fields that change words or seals
(told, notices, authentication, release), and trusted keys (signed.authorities, signed.keys), show nothing here.

Examples:
  airlock policy try strict.json
  airlock policy try strict.json --stack MailAirlock
  airlock policy try strict.json --days 7 --json | jq -r 'select(.turn == "held") | .reference'`;

async function tryVerb(console: Console, file: string, options: TryOptions): Promise<number> {
  const days = numberIn('--days', options.days, 1, 3_650);
  const examples = numberIn('--examples', options.examples, 0, 1_000);
  if (options.stack === undefined) checkFolder(options.out);
  const policy = await readPolicy(file);
  const place = await openPlace(console, options);
  try {
    const { ctx } = place;
    const runs = await place.index();
    const since = Date.now() - days * DAY_MS;
    const blocks = (await createBlockList(ctx).current()).map(({ block }) => block);
    const total = await runsSince(runs, since, MAX_COUNTED);
    const all = tryPolicy(ctx, runs, withBlocks(policy, blocks), { since, most: Number.POSITIVE_INFINITY });
    const tried = options.json ? all : withProgress(console, all, total);
    await (options.json
      ? printJson(console, tried)
      : printText(console, tried, { days, examples, unreadable: 'their chains are damaged' }));
    return 0;
  } finally {
    await place.close();
  }
}
