/** Runs that nobody sent, for an index of many. */
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import type { Fact, FactKind, IndexedRun } from '../../lib/pipeline/runs/run-row.ts';
import { referenceOf } from '../../lib/words/reference.ts';

/** When the first came in. Each next one came a second later. */
export const BORN = Date.UTC(2026, 0, 1);

export const fact = (kind: FactKind, value: string): Fact => ({ kind, value });

/** Every run has a file and a subject word of its own, and shares the rest. One in three is held, and one in 1,000 has a virus. */
export function madeUp(number: number): IndexedRun {
  const runId = sha256Hex(`run ${number}`).slice(0, 32);
  const state = number % 3 === 0 ? 'quarantined' : 'delivered';
  const reason = number % 1_000 === 0 ? 'malicious' : 'suspicious';
  const reasons = state === 'quarantined' ? [reason] : [];
  const facts: readonly (readonly [FactKind, string])[] = [
    ['reference', referenceOf(runId)],
    ['state', state],
    ...reasons.map((code): [FactKind, string] => ['reason', code]),
    ['sender', `user${number % 5_000}@sender.example`],
    ['recipient', `user${number % 700}@corp.example`],
    ['domain', 'corp.example'],
    ['word', 'invoice'],
    ['word', `w${number}`],
    ['address', `user${number % 5_000}@sender.example`],
    ['address', `user${number % 700}@corp.example`],
    ['message-id', `${number}@sender.example`],
    ['hash', sha256Hex(`file ${number}`)],
    ['host', `www${number % 2_000}.example`],
    ['url', sha256Hex(`link ${number % 20_000}`)],
  ];
  const texts = { from: 'a', to: 'b', subject: `Invoice ${number}`, messageId: '', reference: referenceOf(runId) };
  const times = { bornAt: BORN + number * 1_000, endedAt: BORN + number * 1_000 + 500 };
  const row = {
    runId,
    attempt: 1,
    state,
    reasons,
    ...texts,
    ...times,
    size: 9_000,
    parts: { keep: 1, disarm: 1, remove: 0 },
    holds: reasons.map((code) => ({ at: times.endedAt, reasons: [code] })),
  } as const;
  return { row, facts: facts.map(([kind, value]) => ({ kind, value })) };
}
