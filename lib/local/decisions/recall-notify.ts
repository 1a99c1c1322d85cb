/** `airlock recall --next`: tells recipients by mail that a delivered message has a harmful file. */

import type { StoreContext } from '../../pipeline/context.ts';
import { DEFAULT_POLICY } from '../../pipeline/policy/policy.ts';
import type { Runs } from '../../pipeline/ports.ts';
import { type Told, tellOfAll } from '../../pipeline/recall/tell.ts';
import type { Blocking } from '../../pipeline/review/block-list.ts';
import { directoryWorseFiles } from '../../storage/directory/worse-files.ts';
import { type Console, UsageError } from '../console.ts';
import { type NextOptions, sendingTo, writingPolicy } from '../gateway/next-options.ts';
import { eventFileOf } from '../input/event-file.ts';

export interface TellOptions extends NextOptions {
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
export function checkTelling({ next, policy, stack }: TellOptions): void {
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
export async function tellRecipients(
  console: Console,
  options: TellOptions,
  { ctx, runs, blocks, since, mails }: Delivered,
): Promise<Told | null> {
  const { next, policy: path, out, stack } = options;
  // A deployment emits its own events.
  const tellRecalled = stack === undefined ? (eventFileOf(console)?.tellRecalled ?? null) : null;
  const isMailed = next !== undefined && path !== undefined;
  if (!isMailed && tellRecalled === null) return null;
  const policy = isMailed ? await writingPolicy(path, 'such mails') : DEFAULT_POLICY;
  const sending = isMailed ? await sendingTo(console, options, ctx.blobs) : null;
  const told = await tellOfAll(
    { ...ctx, policy, runs, tellRecalled },
    { blocks: async () => blocks, worseFiles: () => directoryWorseFiles(out) },
    { since, mails: sending && { sending, left: mails, met: new Set() } },
    { seed: new Date().toISOString(), isOver: () => console.signal.aborted },
  );
  return isMailed ? told : null;
}
