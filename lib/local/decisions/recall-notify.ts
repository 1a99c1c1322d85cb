/** `airlock recall --next`: tells recipients by mail that a delivered message has a harmful file. */

import type { StoreContext } from '../../pipeline/context.ts';
import { DEFAULT_POLICY } from '../../pipeline/policy/policy.ts';
import type { Runs } from '../../pipeline/ports.ts';
import { type Notified, notifyAboutAll } from '../../pipeline/recall/notify.ts';
import type { Blocking } from '../../pipeline/review/block-list.ts';
import { directoryWorseFiles } from '../../storage/directory/worse-files.ts';
import { type Console, UsageError } from '../console.ts';
import { type NextOptions, sendingTo, writingPolicy } from '../gateway/next-options.ts';
import { eventFileOf } from '../input/event-file.ts';

export interface NotifyOptions extends NextOptions {
  readonly out: string;
  readonly stack?: string;
  readonly policy?: string;
}

export interface Delivered {
  readonly ctx: StoreContext;
  readonly runs: Pick<Runs, 'list'>;
  readonly blocks: readonly Blocking[];
  /** Mail that came in at this time or later, milliseconds since the epoch. */
  readonly since: number;
  /** The most mails that are sent. */
  readonly mails: number;
}

/** Checks the options before anything is searched. Throws UsageError. */
export function checkNotifying({ next, policy, stack }: NotifyOptions): void {
  if (next === undefined) return;
  if (stack !== undefined)
    throw new UsageError('A deployment tells recipients itself (recallMails): leave --next out with --stack.');
  if (policy === undefined)
    throw new UsageError('--next writes to recipients: name a policy file with notices.from and notices.domains.');
}

/**
 * Writes an event for each message with a blocked file, and sends each recipient of ours one mail about it. Returns null when no mail was
 * requested. Throws UsageError.
 */
export async function notifyRecipients(
  console: Console,
  options: NotifyOptions,
  { ctx, runs, blocks, since, mails }: Delivered,
): Promise<Notified | null> {
  const { next, policy: path, out, stack } = options;
  // A deployment emits its own events.
  const emitRecalled = stack === undefined ? (eventFileOf(console)?.emitRecalled ?? null) : null;
  const isMailed = next !== undefined && path !== undefined;
  if (!isMailed && emitRecalled === null) return null;
  const policy = isMailed ? await writingPolicy(path, 'such mails') : DEFAULT_POLICY;
  const sending = isMailed ? await sendingTo(console, options, ctx.blobs) : null;
  const told = await notifyAboutAll(
    { ...ctx, policy, runs, emitRecalled },
    { blocks: async () => blocks, worseFiles: () => directoryWorseFiles(out) },
    { since, mails: sending && { sending, left: mails, met: new Set() } },
    { seed: new Date().toISOString(), isOver: () => console.signal.aborted },
  );
  return isMailed ? told : null;
}
