/** Reads the few headers of a message that people see. */
import { decodeHeaderText } from '../../formats/mail/encoded-words.ts';
import { fieldsNamed, type HeaderBlock, rawValue } from '../../formats/mail/header-block.ts';
import { boundText } from '../../formats/names/bounded-name.ts';
import type { WarningList } from '../headers/warnings.ts';
import type { MessageFacts } from '../model.ts';

/** Bytes that are read for each character kept, because encoded words make a header longer than its text. */
const BYTES_PER_CHARACTER = 16;

/** Returns the subject, sender, recipient, date and id, decoded and bounded. They are empty if a header is missing. */
export function readMessageFacts(
  email: Buffer,
  block: HeaderBlock,
  maxLength: number,
  warnings: WarningList,
): MessageFacts {
  const text = (name: string) => {
    const field = fieldsNamed(block, name)[0];
    return field === undefined
      ? ''
      : boundText(decodeHeaderText(rawValue(email, field, maxLength * BYTES_PER_CHARACTER)), maxLength);
  };
  // With two senders, a program may show another one than a gateway checked.
  if (fieldsNamed(block, 'from').length > 1) warnings.add('odd_header', '1', 'a repeated From header');
  return {
    untrustedSubject: text('subject'),
    untrustedFrom: text('from'),
    untrustedTo: text('to'),
    untrustedDate: text('date'),
    untrustedMessageId: text('message-id'),
  };
}
