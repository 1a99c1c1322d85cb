/**
 * Decides whether the text before the first part or after the last part of a multipart is delivered. DKIM signs it, so the usual note
 * ("This is a multi-part message in MIME format.") stays byte for byte. It is in no part, so nothing analysed it. It stays only if it
 * matches a closed grammar of plain words. No program makes a header, a boundary, a link or a file of such words.
 */
import type { ByteRange, MessagePart } from '../model.ts';
import { canHoldLinks } from '../urls/text-links.ts';

/**
 * The most bytes of one text that stays, with its blank lines. The attack is a file in small pieces, in the outside text of a thousand
 * multiparts.
 */
export const OUTSIDE_TEXT_BYTES = 1_000;

/**
 * Words as people write them: small letters, capitals or digits, so that the words of encoded data do not match. Dashes and apostrophes
 * stand alone inside a word, and a slash only in the names of two standards. A blank follows each full stop, so that no word is a host.
 * There is no colon, and no sign of an encoding or of a markup.
 */
const PIECE = '(?:[A-Z]?[a-z]{1,20}|[A-Z]{1,12}|[0-9]{1,5})';
const WORD = String.raw`(?:(?:S|PGP|OpenPGP)\/MIME|${PIECE}(?:['-]${PIECE}){0,3})`;
const MARKS = `["')]?[.,;!?]{0,3}["')]?`;
const OPENING = `["'(]?`;
const LINE = new RegExp(`^(?:> ?| {0,8})${OPENING}${WORD}${MARKS}(?: {1,3}${OPENING}${WORD}${MARKS})* {0,3}$`);
/** Lines at which mail folders and readers of old encodings begin something new. */
const STARTS_SOMETHING = /^[> ]*(?:from|begin|end|table)\b|binhex/i;

/** Returns true when these bytes of a multipart, outside of its parts, can be delivered as they are. */
export function isHarmlessOutside(email: Buffer, { start, end }: ByteRange, multipart: MessagePart): boolean {
  if (end - start > OUTSIDE_TEXT_BYTES || !isReadAsAscii(email, multipart) || !isBehindEmptyLine(email, multipart))
    return false;
  const text = email.toString('latin1', start, end);
  if (!/^[\r\n\x20-\x7e]*$/.test(text) || /\r(?!\n)/.test(text) || canHoldLinks(text)) return false;
  return text.split(/\r?\n/).every((line) => line === '' || (LINE.test(line) && !STARTS_SOMETHING.test(line)));
}

const IDENTITY: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary']);
const CHARSET = /charset/gi;
/** Charsets in which these bytes are these letters. Programs write them on multiparts. */
const ASCII_CHARSET = /\bcharset="?(?:us-ascii|utf-8|iso-8859-\d{1,2}|windows-125\d)(?=["; \t\r\n])/gi;

/** Returns whether the labels of the multipart keep the text plain. A program that shows a multipart as one text uses them. */
function isReadAsAscii(email: Buffer, { encoding, header }: MessagePart): boolean {
  const fields = email.toString('latin1', header.start, header.end);
  return IDENTITY.has(encoding) && fields.match(CHARSET)?.length === fields.match(ASCII_CHARSET)?.length;
}

/** Returns whether the header ends in an empty line, so that no program takes the text for more of it. */
function isBehindEmptyLine(email: Buffer, { header }: MessagePart): boolean {
  const ending = email.toString('latin1', Math.max(header.start, header.end - 4), header.end);
  return ending.endsWith('\r\n\r\n') || /[^\r]\n\n$/.test(ending);
}
