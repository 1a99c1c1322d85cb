/** The next state of a message, by a judgement and by the answers of the next hop. Pure: the queue notes what these functions return. */
import { safeText } from '../pipeline/safe-text.ts';
import { isOver, waitMs } from './backoff.ts';
import type { Envelope } from './envelope.ts';
import type { Judgement } from './judge.ts';
import type { GatewayLimits } from './limits.ts';
import type { Sent } from './next-connection.ts';
import type { Progress } from './progress.ts';

const MAX_DETAIL = 300;
const time = (ms: number) => new Date(ms).toISOString();
const safe = (text: string) => safeText(text, MAX_DETAIL);

/** Returns the progress after a judgement. */
export function afterJudgement(
  limits: GatewayLimits,
  progress: Progress,
  judgement: Judgement,
  nowMs: number,
): Progress {
  const judged: Progress = { ...progress, judgements: progress.judgements + 1, nextAttemptAt: time(nowMs) };
  if (judgement.state === 'delivered') {
    const { runId, sha256, size } = judgement;
    return { ...judged, state: 'sending', runId, message: { sha256, size }, detail: '' };
  }
  const mayPass = judgement.state === 'unfinished' || judgement.isPassing;
  const detail = safe(judgement.state === 'unfinished' ? judgement.why : judgement.reasons.join(', '));
  if (mayPass && judged.judgements < limits.judgements)
    return { ...judged, state: 'judging', detail, nextAttemptAt: time(nowMs + waitMs(limits, judged.judgements)) };
  const runId = judgement.state === 'quarantined' ? judgement.runId : judged.runId;
  return { ...judged, state: 'held', runId, detail, isFault: mayPass, mustTell: true };
}

/**
 * Returns the progress of a message that has ended, with the end of its first message, or null when that was sent to everybody. Recipients
 * whom the first message did not reach get the whole one alone. So do recipients whom the next hop refused: it may have refused the pages,
 * and not the recipient.
 */
export function afterFirst(progress: Progress, first: Progress | null): Progress {
  if (progress.first === undefined) return progress;
  const got = progress.recipients.map((_, index) => {
    const end = first?.recipients[index] ?? null;
    return end === null || end.state === 'sent' || (end.state === 'waiting' && first?.mayHaveArrived === true);
  });
  return { ...progress, first: { ...progress.first, isOpen: false, got } };
}

/** Returns the progress of a held message that somebody released. */
export function afterRelease(
  progress: Progress,
  { runId, sha256, size }: Extract<Judgement, { state: 'delivered' }>,
  nowMs: number,
): Progress {
  return {
    ...progress,
    state: 'sending',
    runId,
    message: { sha256, size },
    isFault: false,
    mustTell: false,
    detail: '',
    nextAttemptAt: time(nowMs),
  };
}

/** Returns the progress when the clean message is missing, or differs from the noted one: the message is judged again. */
export function afterLoss(limits: GatewayLimits, progress: Progress, nowMs: number): Progress {
  const isLast = progress.judgements >= limits.judgements;
  return {
    ...progress,
    state: isLast ? 'held' : 'judging',
    message: null,
    isFault: isLast,
    mustTell: isLast,
    detail: 'the clean message is not what was judged',
    nextAttemptAt: time(nowMs),
  };
}

/**
 * Returns the progress after the next hop answered about the waiting recipients, in their order. An answer of 2xx is the end for a
 * recipient, and so is 5xx. With 4xx and without an answer, the recipient waits. After `giveUpSeconds` nobody waits any more.
 */
export function afterSending(
  limits: GatewayLimits,
  { receivedAt }: Pick<Envelope, 'receivedAt'>,
  progress: Progress,
  { replies, mayHaveArrived }: Sent,
  nowMs: number,
): Progress {
  const left = [...replies];
  const recipients = progress.recipients.map((recipient) => {
    if (recipient.state !== 'waiting') return recipient;
    const { code, text } = left.shift() ?? { code: null, text: 'no answer' };
    const reply = safe(code === null ? text : `${code} ${text}`);
    if (code !== null && code >= 200 && code < 300) return { state: 'sent' as const, reply };
    return { state: code !== null && code >= 500 ? ('refused' as const) : ('waiting' as const), reply };
  });
  const attempts = progress.attempts + 1;
  const waits = recipients.find(({ state }) => state === 'waiting');
  const next: Progress = { ...progress, recipients, attempts, mayHaveArrived, detail: waits?.reply ?? '' };
  if (waits === undefined) {
    const isSent = recipients.every(({ state }) => state === 'sent');
    const refused = recipients.find(({ state }) => state === 'refused');
    return isSent
      ? { ...next, state: 'done' }
      : { ...next, state: 'undelivered', mustTell: true, detail: refused?.reply ?? '' };
  }
  if (isOver(limits, receivedAt, nowMs)) return { ...next, state: 'undelivered', mustTell: true };
  return { ...next, nextAttemptAt: time(nowMs + waitMs(limits, attempts)) };
}

/** Returns the progress of a message that a person wants to be tried again at once, in any state. */
export function afterRetry(progress: Progress, nowMs: number): Progress {
  const again = { ...progress, nextAttemptAt: time(nowMs), isFault: false, mustTell: false, detail: '' };
  if (progress.state === 'held') return { ...again, state: 'judging', judgements: 0 };
  if (progress.state !== 'undelivered') return again;
  const recipients = progress.recipients.map((recipient) =>
    recipient.state === 'refused' ? { ...recipient, state: 'waiting' as const } : recipient,
  );
  return { ...again, state: 'sending', recipients };
}
