/**
 * Lambda entry point of `digest`. A queue calls it once a day, and again when one function could not send everything. Its role reads chains
 * and the index, signs links, and writes notes of what was sent. It sends by SES in the name of one address.
 */
import { digestRound, type Round, type RoundRequest } from '../lib/desk/recipients/digest-round.ts';
import type { Context } from '../lib/pipeline/context.ts';
import { createSesRelay } from '../lib/storage/ses-relay.ts';
import { fromQueue } from './shared/batches.ts';
import { digestRequestOf } from './shared/digest-request.ts';
import { goOn } from './shared/go-on.ts';
import { ledgerIn } from './shared/ledger-of.ts';
import { linksOf } from './shared/links.ts';
import { noPorts } from './shared/ports.ts';
import { readRuns } from './shared/read-runs.ts';
import { contextOf, logger, setting } from './shared/runtime.ts';

/** A function lives for a quarter of an hour. It reads the mail of the day before it sends. */
const WORK_MS = 8 * 60_000;

const context = contextOf(noPorts);
const relay = createSesRelay();

export const handler = fromQueue('digest', async (body, receipts) => {
  const ctx = await context();
  const request = digestRequestOf(body);
  // A repeated request may be about any part of the day. It is always done to its end.
  const isFirstTry = receipts === 1;
  const round = await roundOf(ctx, isFirstTry ? request : { ...request, after: null }, isFirstTry);
  const { day } = request;
  const { unreadable, next, ...counts } = round;
  logger.info('digests', { day, ...counts, unreadable: unreadable.length, isDone: next === null });
  const { later, refused, tooMany } = counts;
  const isBehind = later + refused + tooMany + unreadable.length > 0;
  // A repeated request was about the whole day, so it tried the failures of an earlier round again.
  const isIncomplete = isBehind || (isFirstTry && request.isIncomplete);
  if (next !== null) await goOn(setting('AIRLOCK_DIGEST_QUEUE'), { day, after: next, isIncomplete });
  else if (isIncomplete) throw new UnsentDigestsError(day, round);
});

async function roundOf(ctx: Context, request: RoundRequest, isFirstTry: boolean): Promise<Round> {
  const { blobs, policy, clock, log } = ctx;
  const until = isFirstTry ? clock.now() + WORK_MS : Number.POSITIVE_INFINITY;
  const sending = { blobs, relay, log, now: clock.now };
  return digestRound(
    {
      ...{ runs: readRuns(ctx), policy, sending, ledgerOf: ledgerIn(ctx), links: await linksOf(ctx) },
      origin: setting('AIRLOCK_RECIPIENTS_URL'),
      linkDays: Number(setting('AIRLOCK_LINK_DAYS')),
      now: clock.now(),
      isOver: () => clock.now() > until,
    },
    request,
  );
}

/** The queue sends the message again. After a few times it goes to the dead-letter queue. */
class UnsentDigestsError extends Error {
  override readonly name = 'UnsentDigestsError';

  constructor(day: string, { refused, later, tooMany, unreadable }: Round) {
    const unsent = `SES refuses ${refused}, ${later} wait, ${tooMany} are more than a day may have, and others may have failed before`;
    const untold = `${unreadable.length} held runs have no record that can be read: ${unreadable.slice(0, 10).join(', ')}`;
    super(`of the digests of ${day}, ${unsent}; ${untold}`);
  }
}
