/** Judges the messages of a gateway with the flow of this machine. */
import { mkdirSync, watch } from 'node:fs';
import { join } from 'node:path';

import type { Judge, Judgement } from '../../gateway/judge.ts';
import { intakeKey } from '../../gateway/spool-reading.ts';
import { LimitExceededError, NotFoundError } from '../../pipeline/errors.ts';
import { keys, runIdOf, sha256Hex } from '../../pipeline/keys.ts';
import { FIRST_ATTEMPT } from '../../pipeline/ledger/attempt.ts';
import { tellable } from '../../pipeline/ledger/dropped.ts';
import type { Early } from '../../pipeline/ledger/early-record.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { RUN_ID } from '../../pipeline/ledger/run-id.ts';
import type { Policy } from '../../pipeline/policy/policy.ts';
import { recipientRule } from '../../pipeline/policy/recipients.ts';
import { withheldNote } from '../../pipeline/rebuilding/notice.ts';
import { directoryBlobs } from '../../storage/directory/directory.ts';
import type { Session } from '../session/session.ts';
import type { JudgedOutcome } from './judge-messages.ts';
import type { JudgePool } from './judge-pool.ts';

/** Far more than a notice needs, in bytes. */
const MAX_NOTICE_BYTES = 1024 * 1024;
/** Disarmed files in base64 may make a message larger than the original. */
const MAX_CLEAN_BYTES = 256 * 1024 * 1024;

/** Makes the judge over a session whose `out` is the root of the spool. */
export function createGatewayJudge(
  root: string,
  policy: Policy,
  session: Pick<JudgePool, 'scanStored'> & Pick<Session, 'ledgerOf' | 'forget'>,
): Judge {
  const blobs = directoryBlobs(root);
  const bytesOf = async (key: string, sha256: string) => {
    const bytes = await orNull(blobs.get('clean', key, { maxBytes: MAX_CLEAN_BYTES }));
    return bytes !== null && sha256Hex(bytes) === sha256 ? bytes : null;
  };
  return {
    ruleOf: (recipient) => recipientRule(policy.recipients, recipient),
    async judge({ id, sha256, size, isAgain, envelope: { sender, recipients } }, onFirst) {
      const envelope = { sender, recipients: [...recipients] };
      const intake = { bucket: 'intake', untrustedKey: intakeKey(id), versionId: sha256, size, envelope };
      const runId = runIdOf(intake);
      const send = async ({ rebuilt, sealed }: Early) => {
        // A first message that cannot be read is not sent: the message then waits until all of it is judged.
        const bytes = await bytesOf(keys.cleanEarly(runId), (sealed ?? rebuilt).sha256).catch(() => null);
        if (bytes !== null) await onFirst({ runId, bytes });
      };
      return judgementOf(await session.scanStored(id, intake, { isOnce: !isAgain, onFirst: send }));
    },
    async released(runId) {
      if (!(await blobs.has('clean', keys.cleanMessage(runId)))) return null;
      const ledger = await session.ledgerOf(runId);
      const judgement = ledger === null ? null : deliveredAs(ledger);
      return judgement?.state === 'delivered' ? judgement : null;
    },
    onReleased: (told) => watchedRuns(join(root, 'quarantine'), told),
    async noticeOf(runId) {
      const { number } = (await session.ledgerOf(runId))?.attempt ?? { number: FIRST_ATTEMPT };
      return orNull(blobs.get('quarantine', keys.quarantineNotice(runId, number), { maxBytes: MAX_NOTICE_BYTES }));
    },
    forget: session.forget,
    async withheldNote(runId, from) {
      const ledger = await session.ledgerOf(runId);
      const told = ledger && tellable(ledger);
      return told && withheldNote({ policy, clock: { now: Date.now } }, told, from);
    },
    cleanMessage: (runId, sha256) => bytesOf(keys.cleanMessage(runId), sha256),
  };
}

/** Waits for changes of the quarantine folder. A held run that is finally delivered leaves that folder last. */
function watchedRuns(folder: string, told: (runId: string) => void): () => void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name !== null && RUN_ID.test(name)) told(name);
    });
    watcher.on('error', () => undefined);
    return () => watcher.close();
  } catch {
    // The system has no more watches to give. Held messages are then checked once a minute.
    return () => undefined;
  }
}

async function orNull(reading: Promise<Uint8Array>): Promise<Uint8Array | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof LimitExceededError) return null;
    throw error;
  }
}

function judgementOf(outcome: JudgedOutcome): Judgement {
  if ('message' in outcome) return { state: 'unfinished', why: outcome.message };
  if (outcome.state === 'delivered') return deliveredAs(outcome.ledger);
  const { ledger, runId } = outcome;
  const reasons = ledger.reasons.map(({ code }) => code);
  return {
    state: 'quarantined',
    runId,
    reasons,
    isPassing: reasons.length > 0 && reasons.every((code) => code === 'run_failed'),
  };
}

/** Checks the result. An object that came in as a message must be sent on as one. A mere file that came by a mail server is held. */
function deliveredAs({
  kind,
  runId,
  rebuilt,
  terminal,
}: Pick<Ledger, 'kind' | 'runId' | 'rebuilt' | 'terminal'>): Judgement {
  const bytes = terminal?.sealed ?? rebuilt;
  if (kind !== 'email' || bytes === null || terminal?.state !== 'delivered')
    return { state: 'quarantined', runId, reasons: ['not_a_message'], isPassing: false };
  return { state: 'delivered', runId, sha256: bytes.sha256, size: bytes.size };
}
