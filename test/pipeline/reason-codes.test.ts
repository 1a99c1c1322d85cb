/** What a reason code decides beside the sentence for people: each place where the code is asked, for every code. */
import { beforeAll, expect, test } from 'vitest';
import { withMetrics } from '../../lambdas/shared/embedded-metrics.ts';
import { redriveRequestOf } from '../../lambdas/shared/redrive-request.ts';
import { WARNING_CODES } from '../../lib/message/model.ts';
import { refusalOf } from '../../lib/pipeline/chain/release.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { REASON_CODES, type ReasonCode } from '../../lib/pipeline/reason-codes.ts';
import { RUN_ENDED } from '../../lib/pipeline/results/run-ended.ts';
import { sourceState } from '../../lib/pipeline/results/run-event.ts';
import { type LastAttempt, lastAttempt, obstacleTo } from '../../lib/pipeline/review/redrive.ts';
import { createRig, emailWith } from './rig.ts';

interface Decided {
  /** The state of the object that came in. */
  readonly state: 'failed' | 'quarantined';
  /** Whether the same mail may be delivered when it is tried again, without a person who forces it. */
  readonly passes: boolean;
  readonly rings: boolean;
  /** Whether a person may release what was rebuilt. */
  readonly canBeRebuilt: boolean;
}

const OF_THE_MAIL: Decided = { state: 'quarantined', passes: false, rings: false, canBeRebuilt: true };
const ONLY_AS_ORIGINAL: Decided = { ...OF_THE_MAIL, canBeRebuilt: false };
const FAULT: Decided = { state: 'failed', passes: true, rings: true, canBeRebuilt: true };
const WARNING_NAMES: readonly string[] = WARNING_CODES;

/** Every code but those of the reader has a row here. Whoever adds a code decides. */
const DECIDED: Readonly<Record<string, Decided>> = {
  run_failed: FAULT,
  timeout: FAULT,
  service_error: FAULT,
  not_asked: { ...FAULT, rings: false },
  ledger_lost: { ...FAULT, passes: false, rings: false },
  inconsistent: { ...FAULT, passes: false, rings: false, canBeRebuilt: false },
  blocked_link_in_header: ONLY_AS_ORIGINAL,
  encrypted_mail: ONLY_AS_ORIGINAL,
  nothing_left: ONLY_AS_ORIGINAL,
  release_refused: OF_THE_MAIL,
  blocked: OF_THE_MAIL,
  suspicious: OF_THE_MAIL,
  malicious: OF_THE_MAIL,
  unknown: OF_THE_MAIL,
  encrypted: OF_THE_MAIL,
  unsupported: OF_THE_MAIL,
  oversize: OF_THE_MAIL,
  unreadable: OF_THE_MAIL,
  unsafe_output: OF_THE_MAIL,
};

test('every reason code but the warnings has a row', () => {
  const own = REASON_CODES.filter((code) => !WARNING_NAMES.includes(code));
  expect(Object.keys(DECIDED).sort()).toEqual([...own].sort());
});

let held: LastAttempt & { readonly chain: NonNullable<LastAttempt['chain']> };
beforeAll(async () => {
  const rig = createRig({ script: { answer: () => ({ verdict: 'malicious' }) } });
  const { runId } = await rig.scan(emailWith({ files: [{ name: 'a.txt', bytes: 'x' }] }));
  const last = await lastAttempt(rig.ctx, runId);
  if (last.chain === null) throw new Error('the chain of the run is there');
  held = { ...last, chain: last.chain };
});

/** Nothing is malicious in it, and it is held for this alone. */
function heldFor(code: ReasonCode): Ledger {
  const { ledger } = held.chain;
  const artifacts = ledger.artifacts.map((artifact) => ({ ...artifact, verdict: 'benign' as const }));
  return { ...ledger, artifacts, warnings: [], reasons: [{ code, text: 'why' }] };
}

/** The line that CloudWatch counts. */
function counted(reason: string): object {
  const lines: object[] = [];
  const note = (_: string, line: object) => void lines.push(line);
  withMetrics({ info: note, warn: note }, 'airlock').info(RUN_ENDED, { state: 'quarantined', reason, seconds: 1 });
  return lines[0] ?? {};
}

function canBeAskedFor(reason: string): boolean {
  try {
    redriveRequestOf({ reason });
    return true;
  } catch {
    return false;
  }
}

test.each(REASON_CODES)('a message that is held for %s', (code) => {
  const ledger = heldFor(code);
  const policy = parsePolicy('{"release":{"malicious":"rebuilt"}}');
  const decided: Decided = {
    state: sourceState(ledger, 'quarantine') as Decided['state'],
    passes: obstacleTo({ ...held, chain: { ...held.chain, ledger } }, false) === null,
    rings: 'heldByFault' in counted(code),
    canBeRebuilt: refusalOf(policy, ledger, 'rebuilt') === null,
  };
  expect(decided).toEqual(DECIDED[code] ?? OF_THE_MAIL);
  expect(canBeAskedFor(code)).toBe(decided.passes);
});

test('one reason of the mail beside a fault is enough to say that the mail is held for itself', () => {
  const ledger = heldFor('timeout');
  const both: Ledger = { ...ledger, reasons: [...ledger.reasons, { code: 'malicious', text: 'why' }] };
  expect(sourceState(both, 'quarantine')).toBe('quarantined');
  expect(sourceState({ ...ledger, reasons: [] }, 'quarantine')).toBe('failed');
});
