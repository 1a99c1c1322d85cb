/** The words of a message that follows an earlier one without its files. Pure. */
import type { SecondHeader } from '../../message/rebuilding/second-header.ts';
import { wordsIn } from '../../words/in-language.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Policy } from '../policy/policy.ts';
import { languageFor } from './recipient-texts.ts';

/** Two messages with one id count as one to many mailboxes, and the second would be lost. */
const OWN_DOMAIN = 'mail-airlock.invalid';
const MESSAGE_ID = /^<[!-;=?-~]{3,250}>$/;

/** The header of the whole message when a first one went out without its files; null when none did. */
export function secondHeaderFor(policy: Policy, ledger: Ledger): SecondHeader | null {
  const { runId, attempt, early } = ledger;
  if (early === undefined) return null;
  return {
    messageId: `<${runId}.${attempt.number}@${OWN_DOMAIN}>`,
    inReplyTo: firstMessageId(ledger),
    subject: wordsIn(languageFor(policy, ledger)).second.whole,
  };
}

/** The id of the message as its sender wrote it, which the first message keeps; null when it cannot stand in a header of ours. */
export function firstMessageId({ message }: Ledger): string | null {
  const id = message?.untrustedMessageId.trim() ?? '';
  return MESSAGE_ID.test(id) ? id : null;
}
