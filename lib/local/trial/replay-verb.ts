/** `airlock replay`: the end of the mail of the last days, if it came in now. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { withBlocks } from '../../pipeline/review/block.ts';
import { createBlockList } from '../../pipeline/review/block-list.ts';
import { type Console, complain } from '../console.ts';
import { numberIn } from '../options/number.ts';
import { CDR_SERVICE_OPTION } from '../options/service.ts';
import { EXIT } from '../outcome.ts';
import { openSessionUnder, readPolicy } from '../session/engine-session.ts';
import { checkFolder, contextOf } from '../session/run-context.ts';
import { isIncomplete, openOrExplain } from '../session/run-index.ts';
import { replay } from './replay.ts';
import { printJson, printText } from './report.ts';

interface ReplayVerbOptions {
  readonly policy?: string;
  readonly days: string;
  readonly out: string;
  readonly examples: string;
  readonly service?: string;
  readonly cdrService?: string;
  readonly json?: boolean;
}

const DAY_MS = 86_400_000;

/** Adds the verb to the program. */
export function addReplay(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('replay')
    .description('analyse the mail of the last days again, and show which would end otherwise; nothing is changed')
    .option('--policy <file>', 'a policy file (default: the one as shipped)')
    .option('--days <number>', 'mail that came in within so many days', '7')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .option('--examples <number>', 'how many mails of each kind are listed', '5')
    .option('--service <url>', 'ask this analysis service, with the key in AIRLOCK_API_KEY (default: the engines here)')
    .option(...CDR_SERVICE_OPTION)
    .option('--json', 'print one JSON line for each mail that would end otherwise, and one with the counts at the end')
    .addHelpText(
      'after',
      `
Each original is analysed and rebuilt by the policy, the engines and the rules of today, in a folder for this time only, and the end is compared with how
the mail ended. Nothing is delivered, and the results of the past stay as they are. What people have blocked counts. To try a policy without
analysing anything again, which takes no time, use airlock policy try.

Exit codes: 0 it was compared, 2 wrong usage, 3 it was stopped or failed.

Examples:
  airlock replay --policy strict.json
  AIRLOCK_YARA_RULES=new-rules airlock replay --days 30 --json`,
    )
    .action(async (options: ReplayVerbOptions) => done(await replayVerb(console, options)));
}

async function replayVerb(console: Console, options: ReplayVerbOptions): Promise<number> {
  const days = numberIn('--days', options.days, 1, 3_650);
  const examples = numberIn('--examples', options.examples, 0, 1_000);
  checkFolder(options.out);
  const ctx = contextOf(options.out);
  const blocks = (await createBlockList(ctx).current()).map(({ block }) => block);
  const policy = withBlocks(await readPolicy(options.policy), blocks);
  if (isIncomplete(options.out))
    complain(console, `Some mail is missing from the index. Run: airlock index rebuild --out ${options.out}`);
  const runs = await openOrExplain(options.out);
  const { signal } = console;
  const folder = await mkdtemp(join(tmpdir(), 'airlock-replay-'));
  try {
    const session = await openSessionUnder(policy, console, options, { out: folder, signal, onStage: () => undefined });
    try {
      const range = { since: Date.now() - days * DAY_MS, most: Number.POSITIVE_INFINITY };
      const replayed = replay({ ctx, runs, folder, session, range, signal });
      const unreadable = 'the record or the original is damaged or gone, or the analysis failed';
      await (options.json
        ? printJson(console, replayed)
        : printText(console, replayed, { days, examples, unreadable }));
    } finally {
      await session.close();
    }
  } finally {
    runs.close();
    await rm(folder, { recursive: true, force: true });
  }
  if (!signal.aborted) return EXIT.delivered;
  complain(console, 'Stopped: the mail that was left is not in the counts.');
  return EXIT.failed;
}
