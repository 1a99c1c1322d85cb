/** `airlock gateway status`, `retry`, `drop` and `password`. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { nodeFiles } from '../../gateway/files.ts';
import { passwordLine } from '../../gateway/passwords.ts';
import { isMessageId, makeRequest, type RequestKind } from '../../gateway/requests.ts';
import { readStatus, type Status, type StatusLine } from '../../gateway/status.ts';
import { withoutXforward } from '../../gateway/xforward-watch.ts';
import { safeJson, safeText } from '../../pipeline/safe-text.ts';
import { holdLock } from '../../storage/sqlite/lock.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { EXIT } from '../outcome.ts';

interface StatusOptions {
  readonly spool?: string;
  readonly json?: boolean;
}

/** Prints the content of the spool. The exit code is 1 when a person must act, but not for mail that policy holds. */
export async function statusVerb(console: Console, { spool, json }: StatusOptions): Promise<number> {
  const root = checkedSpool(spool);
  const status = await readStatus(nodeFiles(root), Date.now);
  const isRunning = await hasGateway(root);
  if (json) await writeLine(console.stdout, safeJson({ isRunning, ...status }));
  else for (const line of linesOf(status, isRunning)) await writeLine(console.stdout, line);
  const hasTrouble = status.counts.damaged > 0 || status.messages.some(({ isTrouble }) => isTrouble);
  return hasTrouble ? EXIT.quarantined : EXIT.delivered;
}

/** Asks the gateway to try a message again, or to forget it. */
export async function requestVerb(
  console: Console,
  kind: RequestKind,
  ids: readonly string[],
  { spool }: StatusOptions,
): Promise<number> {
  const root = checkedSpool(spool);
  const odd = ids.find((id) => !isMessageId(id));
  if (odd !== undefined) throw new UsageError(`${odd} is no id of a message. "airlock gateway status" lists them.`);
  for (const id of ids) await makeRequest(nodeFiles(root), { id, kind });
  const when = (await hasGateway(root)) ? 'within seconds' : 'when it is started';
  await writeLine(console.stdout, `Noted: the gateway will ${kind} ${ids.length} ${when}.`);
  return EXIT.delivered;
}

/** Reads a password from stdin and prints its line for `--auth-file`. */
export async function passwordVerb(console: Console, name: string): Promise<number> {
  if (!/^[^\s:]{1,100}$/.test(name))
    throw new UsageError('A name has no space and no colon, and at most 100 characters.');
  for await (const password of createInterface({ input: console.stdin })) {
    if (password.length < 12) throw new UsageError('The password on stdin has fewer than 12 characters.');
    await writeLine(console.stdout, await passwordLine(name, password));
    return EXIT.delivered;
  }
  throw new UsageError('There is no password on stdin.');
}

function checkedSpool(spool: string | undefined): string {
  if (spool === undefined) throw new UsageError('--spool names the folder of the gateway.');
  if (existsSync(join(spool, 'queue'))) return spool;
  throw new UsageError(`${spool} is no spool of a gateway: it has no folder "queue".`);
}

async function hasGateway(root: string): Promise<boolean> {
  const lock = holdLock(join(root, 'gateway.lock'));
  await lock?.close();
  return lock === null;
}

function linesOf({ counts, oldestReceivedAt, freeBytes, messages, ...rest }: Status, isRunning: boolean): string[] {
  const rows = messages.flatMap(rowsOf);
  return [
    isRunning ? 'The gateway is running.' : 'The gateway is NOT running.',
    Object.entries(counts)
      .map(([state, count]) => `${state} ${count}`)
      .join(', '),
    ...(oldestReceivedAt === null ? [] : [`The oldest message that is not sent yet came at ${oldestReceivedAt}.`]),
    `${Math.round(freeBytes / 1024 / 1024)} MiB are free.`,
    ...rest.withoutXforward.map(withoutXforward),
    ...rows,
  ];
}

function rowsOf(message: StatusLine): string[] {
  const { id, state, receivedAt, firstOf, recipients, waiting, attempts, nextAttemptAt, runId } = message;
  const who = waiting === recipients ? `${recipients}` : `${waiting} of ${recipients}`;
  const facts = [
    ...(firstOf === null ? [] : [`the text of ${firstOf}`]),
    `from <${safeText(message.untrustedSender, 60)}>`,
    `${who} ${recipients === 1 ? 'recipient' : 'recipients'} left`,
    ...(attempts > 0 ? [`${attempts} ${attempts === 1 ? 'try' : 'tries'}`] : []),
    ...(nextAttemptAt !== null && attempts > 0 ? [`the next at ${nextAttemptAt}`] : []),
    ...(runId === null ? [] : [`run ${runId}`]),
  ];
  const why = safeText(message.untrustedDetail, 200);
  return [
    `  ${id}  ${state.padEnd(11)}  ${receivedAt}`,
    `      ${facts.join(', ')}`,
    ...(why === '' ? [] : [`      ${why}`]),
  ];
}
