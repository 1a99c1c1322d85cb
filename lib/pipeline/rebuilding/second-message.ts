/** The words of a message that follows an earlier one without its files. Pure. */
import type { SecondHeader } from '../../message/rebuilding/second-header.ts';
import { wordsIn } from '../../words/in-language.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Policy } from '../policy/policy.ts';
import { languageFor } from './recipient-texts.ts';

/** Many mailboxes treat two messages with one id as one, and would lose the second. */
const OWN_DOMAIN = 'mail-airlock.invalid';
const MESSAGE_ID = /^<[!-;=?-~]{3,250}>$/;

/** Returns the header of the whole message when a first one went out without its files; null when none did. */
export function secondHeaderFor(policy: Policy, ledger: Ledger): SecondHeader | null {
  const { runId, attempt, early } = ledger;
  if (early === undefined) return null;
  return {
    messageId: `<${runId}.${attempt.number}@${OWN_DOMAIN}>`,
    inReplyTo: firstMessageId(ledger),
    subject: wordsIn(languageFor(policy, ledger)).second.whole,
  };
}

/** Returns the original id of the message, which the first message keeps; null when our header cannot contain it. */
export function firstMessageId({ message }: Ledger): string | null {
  const id = message?.untrustedMessageId.trim() ?? '';
  return MESSAGE_ID.test(id) ? id : null;
}
