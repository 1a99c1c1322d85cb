/** The emails that are read by the bench for reading. */
import { sequence } from './mails.ts';

export const MB = 1024 * 1024;

const HEAD =
  'From: a@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="bb"\r\n\r\n--bb\r\nContent-Type: text/plain\r\n\r\nHello\r\n--bb\r\nContent-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n';

/** Lines of base64, a block of them as often as it fits: making the mail must not cost more memory than reading it. */
export function emailWithAttachment(bytes: number): Buffer {
  const next = sequence(bytes);
  const block = Buffer.from(Array.from({ length: Math.min(bytes, 57 * 16_000) }, () => next() * 256));
  const lines = Buffer.from(block.toString('base64').replace(/.{76}/g, '$&\r\n'));
  const blocks = Array.from({ length: Math.ceil(bytes / block.length) }, () => lines);
  return Buffer.concat([Buffer.from(HEAD), ...blocks, Buffer.from('\r\n--bb--\r\n')]);
}
