/** `airlock quarantine release|delete|rescan`: the decisions of a person about held mail. */

import type { Command } from 'commander';
import { RELEASE_FORMS } from '../../pipeline/model.ts';
import { problemOf, type Who } from '../../pipeline/review/review.ts';
import { inertText, safeJson, safeText } from '../../pipeline/safe-text.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { CDR_SERVICE_OPTION, POLICY_OPTION, SEAL_KEY_OPTION, SERVICE_OPTION } from '../options/service.ts';
import { EXIT, exitCodeOf } from '../outcome.ts';
import { painterFor } from '../paint.ts';
import { openPlace } from '../places/open.ts';
import { reportLines } from '../report/report.ts';
import { runNamed } from '../report/run-show.ts';
import { openReviewSession, readPolicy } from '../session/engine-session.ts';
import type { Action, Reviewed } from '../session/review.ts';
import { checkFolder } from '../session/run-context.ts';

interface ReviewOptions {
  readonly out: string;
  readonly reason: string;
  readonly as?: string;
  readonly stack?: string;
  readonly original?: boolean;
  readonly service?: string;
  readonly cdrService?: string;
  readonly policy?: string;
  readonly sealKey?: string;
  readonly json?: boolean;
}

const [REBUILT, ORIGINAL] = RELEASE_FORMS;

/** Adds the verbs to the command. */
export function addReview(parent: Command, console: Console, done: (code: number) => void): void {
  const add = (action: Action, description: string) =>
    withWho(
      parent
        .command(action)
        .description(description)
        .argument('<run>', 'the id of a run, or its reference like A7-4KQ9'),
      'the ledger',
    )
      .option('--stack <name>', 'a mail of a deployment, in the name of the sign-in in AIRLOCK_DESK_TOKEN')
      .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
      .option(...POLICY_OPTION)
      .option('--json', 'print one JSON line on stdout, and nothing else there')
      .action(async (run: string, options: ReviewOptions) => done(await review(console, action, run, options)));
  withEngines(add('release', 'deliver a held mail: rebuilt, without what it was held for'))
    .option('--original', 'deliver it as it came, byte for byte; policy asks for two people')
    .addHelpText('after', HELP);
  withEngines(add('rescan', 'read a held mail again with the engines and the policy of now'));
  add('delete', 'remove the original of a held mail for good; the record of what was found stays');
}

const HELP = `
A release is a new attempt of the run. The mail is analysed again, and it stays held when something is found that was not known before, or
when policy does not allow the release. Asked by the second person, the same command with --original releases what the first one asked for.

Exit codes: 0 delivered, 1 still held, 2 wrong usage or refused, 3 the run failed. With --stack: 0 begun, 1 a second person is asked for.

Examples:
  airlock quarantine release A7-4KQ9 --as pat --reason "the sender called"
  airlock quarantine release A7-4KQ9 --as kim --reason "checked with pat" --original
  AIRLOCK_DESK_TOKEN=… airlock quarantine release A7-4KQ9 --stack MailAirlock --reason "the sender called"`;

function withEngines(command: Command): Command {
  return command
    .option(...SERVICE_OPTION)
    .option(...CDR_SERVICE_OPTION)
    .option(...SEAL_KEY_OPTION);
}

async function review(console: Console, action: Action, name: string, options: ReviewOptions): Promise<number> {
  const { stack } = options;
  const who = whoIn(options);
  if (stack !== undefined) {
    // The clients of AWS are loaded only where they are used.
    const { decideRemotely } = await import('./review-remote.ts');
    const what = action === 'release' && options.original ? 'original' : action;
    return decideRemotely(console, name, { action: what, why: who.why }, { ...options, stack });
  }
  checkFolder(options.out);
  const runId = await idOf(console, options.out, name);
  const policy = await readPolicy(options.policy);
  const session = await openReviewSession(policy, console, options);
  try {
    const outcome = await session.review(runId, { action, form: options.original ? ORIGINAL : REBUILT, who });
    await print(console, action, outcome, options);
    if (outcome.state === 'deleted') return EXIT.delivered;
    return outcome.state === 'asked' ? EXIT.quarantined : exitCodeOf([outcome]);
  } finally {
    await session.close();
  }
}

/** Adds the options that `whoIn` reads. */
export const withWho = (command: Command, signedInto: string): Command =>
  command
    .requiredOption('--reason <text>', `why, in one line; it is signed into ${signedInto}`)
    .option('--as <person>', 'who decides; nothing here checks it');

/** Returns the person who decides, and the reason. On a deployment the token names the person. Throws UsageError. */
export function whoIn({ as, reason, stack }: Pick<ReviewOptions, 'as' | 'reason' | 'stack'>): Who {
  if (stack !== undefined && as !== undefined)
    throw new UsageError('--as is not for --stack: there, the token of the sign-in says who decides.');
  if (stack === undefined && as === undefined) throw new UsageError('--as: name the person who decides.');
  const who = { name: as ?? 'somebody', why: reason };
  const problem = problemOf(who);
  if (problem !== null) throw new UsageError(`--as and --reason: ${problem}.`);
  return who;
}

async function idOf(console: Console, out: string, name: string): Promise<string> {
  const place = await openPlace(console, { out });
  try {
    return await runNamed(place, name);
  } finally {
    await place.close();
  }
}

async function print(console: Console, action: Action, outcome: Reviewed, { json }: ReviewOptions): Promise<void> {
  if (json) return writeLine(console.stdout, safeJson({ action, ...outcome }));
  const paint = painterFor(console);
  await writeLine(console.stdout, sentence(action, outcome));
  if (outcome.state === 'delivered' || outcome.state === 'quarantined')
    for (const line of ['', ...reportLines(outcome, paint)]) await writeLine(console.stdout, line);
}

/** Returns the result in one sentence. */
function sentence(action: Action, outcome: Reviewed): string {
  switch (outcome.state) {
    case 'asked':
    case 'deleted':
      return safeText(outcome.message, 400);
    case 'rejected':
      return `Nothing was changed: ${safeText(outcome.message, 400)}.`;
    case 'quarantined': {
      const why = outcome.ledger.reasons[0];
      return `Still held: ${why === undefined ? 'no reason was written' : inertText(why.text, 400)}.`;
    }
    case 'delivered':
      return outcome.ledger.attempt.release?.form === ORIGINAL
        ? 'Released: the original is delivered as it came, byte for byte. Nothing in it was disarmed.'
        : `${action === 'release' ? 'Released' : 'Scanned again'}: the rebuilt mail is delivered.`;
    default:
      return safeText(outcome.message, 400);
  }
}
