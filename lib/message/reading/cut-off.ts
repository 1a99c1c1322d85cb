/**
 * Messages that end too early. Servers return the first bytes of a message that could not be delivered, and some programs forget the last
 * boundary. The existing parts are read, and the missing boundaries are added to the delivered message.
 */
import { CR, nonBlankRange } from '../../formats/byte-scan.ts';
import type { Repair } from '../model.ts';
import type { PartDraft } from './part-draft.ts';

/**
 * Returns true when the text between the end and a multipart, or between a part and the multipart, was cut off at the end of the email or
 * of a message in it. `open` are the nodes around it, `owner` the multipart that continues; null at the end of the email.
 */
export function isCutOff(open: readonly PartDraft[], owner: PartDraft | null): boolean {
  const inside = owner === null ? open : open.slice(open.indexOf(owner) + 1);
  return owner === null || inside.some(({ role }) => role === 'message');
}

/** Gmail writes this in the place of the body of a message that it returns. */
const TRUNCATED = /^-{3,10} Message truncated -{3,10}$/;
const MAX_NOTE_LENGTH = 40;

/**
 * Returns true for a multipart of which only the header is there. Servers return such messages when they could not deliver them. No program
 * finds a part in it, so it is complete as it stands.
 */
export function isHeaderAlone(email: Buffer, { children, isClosed, bodyStart, bodyEnd }: PartDraft): boolean {
  const { start, end } = nonBlankRange(email, bodyStart, bodyEnd);
  if (children > 0 || isClosed || end - start > MAX_NOTE_LENGTH) return false;
  return start === end || TRUNCATED.test(email.toString('latin1', start, end));
}

/** Returns the closing boundary of a multipart that has none. */
export function closingOf(email: Buffer, { boundary, bodyEnd, header, parent }: PartDraft): Repair {
  const eol = email[header.end - 2] === CR ? '\r\n' : '\n';
  const end = parent === null ? eol : '';
  return { start: bodyEnd, end: bodyEnd, text: `${eol}--${boundary?.toString('latin1') ?? ''}--${end}` };
}

const ALPHABET = /^[A-Za-z0-9+/\s]*$/;
const LAST_ESCAPE = /=[0-9a-f]?$/i;
/** The digits of base64 that make whole bytes. */
const QUANTUM = 4;

/** Returns the end of the last whole byte of a body that was cut in its encoding. Up to three digits behind it have no meaning. Linear. */
export function wholeEnd(email: Buffer, { bodyStart, bodyEnd, facts }: PartDraft): number {
  if (facts.encoding === 'quoted-printable')
    return (
      bodyEnd - (LAST_ESCAPE.exec(email.toString('latin1', Math.max(bodyStart, bodyEnd - 2), bodyEnd))?.[0].length ?? 0)
    );
  if (facts.encoding !== 'base64') return bodyEnd;
  const body = email.toString('latin1', bodyStart, bodyEnd);
  if (!ALPHABET.test(body)) return bodyEnd;
  let left = body.replace(/\s+/g, '').length % QUANTUM;
  let end = bodyEnd;
  for (; left > 0; end--) if (!/\s/.test(String.fromCharCode(email[end - 1] ?? 0))) left--;
  return end;
}
