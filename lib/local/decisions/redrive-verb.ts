/** `airlock redrive`: begins runs again that were held for a temporary fault. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { RUN_ID } from '../../pipeline/ledger/run-id.ts';
import { DEFAULT_LIMITS } from '../../pipeline/limits.ts';
import { PASSING_REASONS } from '../../pipeline/reason-codes.ts';
import { lastAttempt, obstacleTo } from '../../pipeline/review/redrive.ts';
import { inertText, safeJson } from '../../pipeline/safe-text.ts';
import { directoryBlobs } from '../../storage/directory/directory.ts';
import { createSigner } from '../../storage/signer.ts';
import { fileSecrets } from '../../storage/stage-secrets.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { CDR_SERVICE_OPTION, POLICY_OPTION, SEAL_KEY_OPTION, SERVICE_OPTION } from '../options/service.ts';
import { timeOption } from '../options/time.ts';
import { exitCodeOf, type Outcome } from '../outcome.ts';
import { painterFor } from '../paint.ts';
import { reportLines } from '../report/report.ts';
import { openReviewSession, readPolicy } from '../session/engine-session.ts';
import type { RemoteOptions } from './redrive-remote.ts';

interface RedriveOptions extends RemoteOptions {
  readonly out: string;
  readonly service?: string;
  readonly cdrService?: string;
  readonly policy?: string;
  readonly sealKey?: string;
}

/** Adds the verb to the program. */
export function addRedrive(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('redrive')
    .description('try held mail again when a passing fault held it; its history is kept')
    .argument('[run...]', 'ids of runs, which are begun again whatever they were held for (default: all that fit)')
    .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
    .addOption(new Option('--reason <code>', 'only runs with this reason').choices([...PASSING_REASONS]))
    .option('--since <time>', 'only runs that ended at this time or later, for example 2026-11-23T08:00Z')
    .option('--dry-run', 'only list the runs')
    .option('--function <name>', 'begin the runs of a deployment: its output RedriveFunction')
    .option('--stack <name>', 'the same, by the name of the stack')
    .option(...SERVICE_OPTION)
    .option(...CDR_SERVICE_OPTION)
    .option(...POLICY_OPTION)
    .option(...SEAL_KEY_OPTION)
    .option('--json', 'print one JSON line per run on stdout, and nothing else there')
    .addHelpText(
      'after',
      `
Faults that pass are ${PASSING_REASONS.join(', ')}. A run that was delivered is never begun again.

With --function or --stack, the stack on AWS begins its own runs, and this program does not wait for their ends. It needs the permission
to invoke that function, and nothing else; --stack also lambda:ListFunctions and lambda:ListTags.

Exit codes: 0 everything was delivered (or begun, on AWS), 1 something was quarantined, 2 wrong usage, 3 a run failed.

Examples:
  airlock redrive --dry-run
  airlock redrive --reason timeout --since 2026-11-23T08:00Z
  airlock redrive cd9139e3824286bff469617379de7950
  airlock redrive --stack MailAirlock --reason service_error --dry-run`,
    )
    .action(async (runs: string[], options: RedriveOptions) => done(await redriveVerb(console, runs, options)));
}

async function redriveVerb(console: Console, runs: readonly string[], options: RedriveOptions): Promise<number> {
  const odd = runs.find((run) => !RUN_ID.test(run));
  if (odd !== undefined) throw new UsageError(`${odd} is no id of a run: 32 digits from 0 to 9 and a to f.`);
  if (options.function !== undefined || options.stack !== undefined) {
    // The client of Lambda is loaded only where it is used.
    const { redriveRemotely } = await import('./redrive-remote.ts');
    return redriveRemotely(console, runs, options);
  }
  const chosen = runs.length > 0 ? runs : await fitting(options);
  if (options.dryRun) return list(console, chosen, options);
  const policy = await readPolicy(options.policy);
  const session = await openReviewSession(policy, console, options);
  const outcomes: Outcome[] = [];
  try {
    for (const runId of chosen) {
      const outcome = await session.redrive(runId, runs.length > 0);
      await print(console, outcome, options);
      outcomes.push(outcome);
    }
  } finally {
    await session.close();
  }
  const began = outcomes.filter(({ state }) => state !== 'rejected').length;
  const text = began < outcomes.length ? `, ${begun(outcomes.length - began, 'not begun again')}` : '';
  if (!options.json) await writeLine(console.stdout, begun(began, 'begun again') + text);
  return exitCodeOf(outcomes);
}

/** Returns the runs below the folder that ended for a temporary reason, the earliest end first. */
async function fitting({ out, reason, since }: RedriveOptions): Promise<string[]> {
  const from = timeOption('--since', since) ?? 0;
  const blobs = directoryBlobs(out);
  const clock = { now: () => Date.now() };
  const log = { info: () => {}, warn: () => {} };
  const signer = createSigner({ blobs, secretOf: fileSecrets(out) });
  const found: { readonly runId: string; readonly at: number }[] = [];
  for (const runId of await runsBelow(out)) {
    const last = await lastAttempt({ blobs, signer, limits: DEFAULT_LIMITS, clock, log }, runId);
    const ledger = last.chain?.ledger;
    if (ledger === undefined || obstacleTo(last, false) !== null) continue;
    const at = Date.parse(ledger.terminal?.at ?? '');
    if (at >= from && (reason === undefined || ledger.reasons.some(({ code }) => code === reason)))
      found.push({ runId, at });
  }
  return found.sort((one, other) => one.at - other.at).map(({ runId }) => runId);
}

async function runsBelow(out: string): Promise<string[]> {
  const names = await readdir(join(out, 'work', 'runs')).catch(() => {
    throw new UsageError(`${out} has no runs. Name the folder of airlock scan with --out.`);
  });
  return names.filter((name) => RUN_ID.test(name));
}

async function list(console: Console, chosen: readonly string[], { json }: RedriveOptions): Promise<number> {
  for (const runId of chosen) await writeLine(console.stdout, json ? safeJson({ runId }) : runId);
  if (!json) await writeLine(console.stdout, begun(chosen.length, 'to be begun again'));
  return 0;
}

const begun = (count: number, what: string) => `${count} ${count === 1 ? 'run' : 'runs'} ${what}`;

async function print(console: Console, outcome: Outcome, { json }: RedriveOptions): Promise<void> {
  if (json) return writeLine(console.stdout, safeJson(outcome));
  const text = outcome.state === 'rejected' ? [`${outcome.input}: ${inertText(outcome.message, 400)}`] : null;
  for (const line of text ?? reportLines(outcome, painterFor(console))) await writeLine(console.stdout, line);
}
