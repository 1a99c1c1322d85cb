/** An ordinary attachment of each kind, in a mail of its own. */
import PostalMime from 'postal-mime';
import type { Airlock } from '../hostile/attack/airlock-run.ts';
import { MEDIA_ATTACHMENTS, RECORD_ATTACHMENTS } from './media-attachments.ts';
import { filePart, lines, mailOf, multipart, textPart } from './ordinary-mail.ts';
import { type Attachment, TEXT_ATTACHMENTS } from './text-attachments.ts';

export const ATTACHMENTS: readonly Attachment[] = [...TEXT_ATTACHMENTS, ...RECORD_ATTACHMENTS, ...MEDIA_ATTACHMENTS];

/** What arrived of an attachment. */
export interface Arrived {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Sends one attachment through the airlock. Null when no message or no file arrived. */
export async function arrivalOf(airlock: Airlock, [name, type, content]: Attachment): Promise<Arrived | null> {
  const head = { from: 'Ann <ann@sender.example>', subject: 'The file' };
  const parts = [textPart(lines('Hello Bob,', '', 'here is the file.', '', 'Ann')), filePart(name, type, content)];
  const { message } = await airlock.scan(mailOf(head, multipart('mixed', 'a1', parts)), 'attachment.eml');
  if (message === null) return null;
  const { attachments } = await PostalMime.parse(message, { attachmentEncoding: 'arraybuffer' });
  const [file] = attachments;
  if (file === undefined || file.filename === null) return null;
  return { name: file.filename, bytes: new Uint8Array(Buffer.from(file.content as ArrayBuffer)) };
}
