/** Tells the recipients of a delivered message, by mail and once each, that it holds a harmful file. */
import { minuteText } from '../../words/minute-text.ts';
import { recallEmail } from '../../words/recall.ts';
import type { DecideContext } from '../context.ts';
import { keys, sha256Hex } from '../keys.ts';
import type { TellableLedger } from '../ledger/dropped.ts';
import type { Policy } from '../policy/policy.ts';
import { ownRecipients } from '../rebuilding/notice.ts';
import { helpOf, languageOfAddress } from '../rebuilding/recipient-texts.ts';
import { inertText } from '../safe-text.ts';
import type { BadFile, RecallEvent } from './event.ts';
import { type OneMail, type SendingParts, sendOnce, wasSent } from './send-once.ts';

/** The way to recipients, and the number of mails that may still be sent. */
export interface RecallMails {
  readonly sending: SendingParts;
  /** Counts down. */
  left: number;
  /** Runs that this round has met. Two bad files of one message cause one mail to each recipient. */
  readonly met: Set<string>;
}

export interface Mailed {
  readonly sent: number;
  /** Recipients who are still to be told. */
  readonly unsent: number;
}

/** The most recipients of one message who are told: as many as its envelope may name. */
const MAX_RECIPIENTS = 1_000;
const SHOWN_LENGTH = 80;

/**
 * Returns true when recipients must be told: they got the file unchanged, and it is malicious or blocked by people. A disarmed file has
 * nothing that could act. An analyst decides whether a suspicious file is harmful.
 */
export const isForRecipients = ({
  cause,
  delivered,
  after,
}: Pick<BadFile, 'cause' | 'after'> & Pick<RecallEvent, 'delivered'>): boolean =>
  delivered === 'keep' && (cause === 'blocked' || after === 'malicious');

/**
 * Sends each recipient of ours one mail about this run, for any number of worse files. Nobody else gets mail, because the sender of a
 * message chooses the named people. A recipient who is not told yet is told when the run is met again. Throws TransientError when a store
 * does not answer.
 */
export async function mailRecipients(
  { blobs, clock, policy }: Pick<DecideContext, 'blobs' | 'clock' | 'policy'>,
  mails: RecallMails,
  ledger: TellableLedger,
): Promise<Mailed> {
  const { runId } = ledger;
  const counts = { sent: 0, unsent: 0 };
  if (mails.met.has(runId)) return counts;
  mails.met.add(runId);
  if (await blobs.has('work', keys.recallMailed(runId))) return counts;
  for (const recipient of ownRecipients(policy, ledger, MAX_RECIPIENTS)) {
    const outcome = await mailOne(mails, policy, { ledger, recipient, at: new Date(clock.now()) });
    if (outcome === 'sent') counts.sent += 1;
    else if (outcome !== 'sent before') counts.unsent += 1;
  }
  if (counts.unsent === 0) await blobs.put('work', keys.recallMailed(runId), new Uint8Array());
  return counts;
}

interface One {
  readonly ledger: TellableLedger;
  readonly recipient: string;
  readonly at: Date;
}

async function mailOne(mails: RecallMails, policy: Policy, one: One) {
  const { ledger, recipient } = one;
  const recipientHash = sha256Hex(recipient);
  const mail: OneMail = {
    recipient,
    noteOf: (time) => keys.recallMail(ledger.runId, recipientHash, time),
    get email() {
      return emailFor(policy, one);
    },
  };
  if (mails.left <= 0) return (await wasSent(mails.sending, mail)) ? 'sent before' : 'later';
  // Several runs are handled at once, so a place is taken before the mail is sent.
  mails.left -= 1;
  const { outcome } = await sendOnce(mails.sending, mail);
  if (outcome === 'sent before') mails.left += 1;
  return outcome;
}

function emailFor(policy: Policy, { ledger, recipient, at }: One): string {
  const { message, runId, bornAt } = ledger;
  return recallEmail({
    language: languageOfAddress(policy, recipient),
    from: policy.notices.from,
    to: recipient,
    subject: inertText(message?.untrustedSubject ?? '', SHOWN_LENGTH),
    date: `${minuteText(bornAt)} UTC`,
    help: helpOf(policy),
    runId,
    id: sha256Hex(`${runId} ${recipient}`).slice(0, 32),
    at,
  });
}
