/** The log lines and metrics of each step. */
import { safeText } from '../pipeline/safe-text.ts';
import type { Cut } from './client-disconnects.ts';
import { errorFields, type GatewayLog } from './log.ts';
import type { Metrics } from './metrics.ts';
import { isUnderWay, type Progress } from './progress.ts';
import type { Refusal } from './smtp-path.ts';
import type { Entry } from './spool-reading.ts';
import { withoutXforward } from './xforward-watch.ts';

export interface Reporting {
  accepted(entry: Entry): void;
  refused(reply: Refusal): void;
  /** Called when a client cut its connection in the middle of something. */
  cut(cut: Cut): void;
  /** Called when a server passes mail on without naming its client. */
  withoutXforward(address: string): void;
  /** Called with the answer about a message that a mail server offered by milter. */
  answered(kind: string): void;
  changed(entry: Entry, before: Progress): void;
  split(whole: Entry, shares: readonly Entry[]): void;
  first(whole: Entry, first: Entry): void;
  possibleDuplicate(entry: Entry): void;
  fault(error: unknown, id?: string): void;
}

const STATES = ['judging', 'sending', 'held', 'undelivered'] as const;

export function openReporting(log: GatewayLog, metrics: Metrics, now: () => number): Reporting {
  return {
    accepted({ envelope }) {
      metrics.count('accepted_total');
      metrics.count('accepted_bytes_total', envelope.message.size);
      log('info', 'accepted', {
        id: envelope.id,
        bytes: envelope.message.size,
        recipients: envelope.recipients.length,
        peer: envelope.peer.address,
        ...(envelope.certificate !== undefined && { certificate: envelope.certificate }),
        untrustedSender: safeText(envelope.sender, 320),
      });
    },
    refused({ code, status }) {
      metrics.count('refused_total', 1, status);
      log('info', 'refused', { code, status });
    },
    cut({ during, peer, bytes, code }) {
      metrics.count('cut_total', 1, during);
      log('info', 'cut', { during, peer, bytes, code });
    },
    withoutXforward(address) {
      log('warn', 'without_xforward', { peer: address, meaning: withoutXforward(address) });
    },
    answered(kind) {
      metrics.count('milter_answers_total', 1, kind);
      log('info', 'answered', { answer: kind });
    },
    changed({ envelope, progress }, before) {
      const isSame = before.state === progress.state;
      if (isSame && (before.mustTell || before.first?.isOpen !== progress.first?.isOpen)) return;
      if (progress.judgements > before.judgements) metrics.count('judged_total', 1, endOf(progress));
      if (progress.attempts > before.attempts)
        countAttempt(metrics, progress, before, now() - Date.parse(envelope.receivedAt));
      const { state, attempts, judgements, runId, detail } = progress;
      log(state === 'undelivered' || state === 'held' ? 'warn' : 'info', state, {
        ...{ id: envelope.id, runId, attempts, judgements },
        ...(detail === '' ? {} : { untrustedDetail: detail }),
      });
    },
    split({ envelope }, shares) {
      log('info', 'split', { id: envelope.id, into: shares.map((share) => share.envelope.id).join(' ') });
    },
    first({ envelope }, first) {
      metrics.count('first_messages_total');
      log('info', 'first', { id: envelope.id, first: first.envelope.id });
    },
    possibleDuplicate({ envelope }) {
      metrics.count('possible_duplicates_total');
      log('warn', 'possible_duplicate', { id: envelope.id });
    },
    fault(error, id) {
      metrics.count('faults_total');
      log('error', 'fault', { ...errorFields(error), ...(id === undefined ? {} : { id }) });
    },
  };
}

function endOf({ state }: Progress): string {
  if (state === 'sending') return 'delivered';
  return state === 'held' ? 'held' : 'again';
}

function countAttempt(metrics: Metrics, { state, recipients }: Progress, before: Progress, ageMs: number): void {
  for (const [index, recipient] of recipients.entries())
    if (recipient.state !== before.recipients[index]?.state) metrics.count('recipients_total', 1, recipient.state);
  if (state === 'sending') metrics.count('deferred_total');
  if (state !== 'done') return;
  metrics.count('sent_total');
  metrics.passed(ageMs / 1000);
}

/** Sets the gauges that follow from the content of the queue. */
export function measure(metrics: Metrics, entries: Iterable<Entry>, nowMs: number): void {
  const all = [...entries];
  for (const state of STATES)
    metrics.set('queue', all.filter(({ progress }) => progress.state === state).length, state);
  const open = all.filter(({ progress }) => isUnderWay(progress));
  const oldest = open.reduce((time, { envelope }) => Math.min(time, Date.parse(envelope.receivedAt)), nowMs);
  metrics.set('oldest_seconds', Math.round((nowMs - oldest) / 1000));
}
