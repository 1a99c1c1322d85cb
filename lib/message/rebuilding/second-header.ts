/** The header of a message that replaces an earlier one. Other programs must see two messages of one conversation. */
import { textField } from '../headers/text.ts';
import type { HeaderPiece } from './clean-header.ts';

export interface SecondHeader {
  /** The new id, with its angle brackets, like the next one. */
  readonly messageId: string;
  /** The id of the earlier message; null when it has none. */
  readonly inReplyTo: string | null;
  /** The words before the subject. */
  readonly subject: string;
}

const REPLACED = new Set(['message-id', 'in-reply-to', 'references', 'subject']);

/** Returns the pieces of a header without the fields that are new in the second message. */
export function withoutFirst(pieces: readonly HeaderPiece[]): HeaderPiece[] {
  return pieces.map((piece) => (REPLACED.has(piece.name) ? { ...piece, text: '' } : piece));
}

/** Returns the fields of the second message. The original subject stays byte for byte, behind our words. */
export function secondFields(email: Buffer, pieces: readonly HeaderPiece[], second: SecondHeader, eol: string): string {
  const { messageId, inReplyTo } = second;
  const answers = inReplyTo === null ? '' : `In-Reply-To: ${inReplyTo}${eol}References: ${inReplyTo}${eol}`;
  const ours = textField('Subject', second.subject, eol);
  const theirs = subjectOf(email, pieces);
  // Blanks between two encoded words are not shown.
  const isJoined = ours.includes('=?') && theirs.startsWith('=?');
  const start = isJoined ? textField('Subject', `${second.subject}\u00a0`, eol) : ours;
  return `Message-ID: ${messageId}${eol}${answers}${start}${theirs === '' ? '' : ` ${theirs}${eol}`}`;
}

/** Returns the first subject that stays, as the message has it (latin1), without its name and the blanks around it. */
function subjectOf(email: Buffer, pieces: readonly HeaderPiece[]): string {
  const piece = pieces.find(({ name, text }) => name === 'subject' && text !== '');
  if (piece === undefined) return '';
  const field = piece.text ?? email.toString('latin1', piece.start, piece.end);
  return field.slice(field.indexOf(':') + 1).trim();
}
