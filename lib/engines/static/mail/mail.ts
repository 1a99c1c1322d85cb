/** Messages as files: the parts and attachments of an email or a web archive are analysed in turn. */
import { extensionOf } from '../../../formats/detection/detect.ts';
import type { MimePart } from '../../mime/part.ts';
import { readMail } from '../../mime/read.ts';
import { isProgram, RUNS_AT_ONCE } from '../findings/executable-kind.ts';
import { finding } from '../findings/findings.ts';
import type { Piece, StaticModule } from '../findings/module.ts';

const MESSAGES = new Set(['message/rfc822', 'multipart/related']);
const MAX_PARTS = 100;
const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'text/plain': 'txt',
  'message/rfc822': 'eml',
};

/** A message is never benign. The pipeline judges its headers and parts, and this module does not. */
export const mailModule: StaticModule = {
  name: 'mail',
  accepts: (type) => MESSAGES.has(type),
  run: ({ bytes }) => {
    const pieces = piecesOf(readMail(bytes).body, []).slice(0, MAX_PARTS);
    const bad = pieces.find((piece) => RUNS_AT_ONCE.has(extensionOf(piece.untrustedName)) || isProgram(piece.bytes));
    return {
      findings: bad === undefined ? [] : [finding('mail-dangerous-attachment', bad.where)],
      views: [],
      pieces,
      understood: false,
    };
  },
};

function piecesOf(part: MimePart, path: readonly number[]): Piece[] {
  if (part.kind === 'group') return part.parts.flatMap((child, index) => piecesOf(child, [...path, index + 1]));
  if (part.kind === 'message') return piecesOf(part.message.body, [...path, 1]);
  const untrustedName = part.untrustedName ?? `part.${EXTENSIONS[part.untrustedType] ?? 'bin'}`;
  const where = `part ${path.length === 0 ? '1' : path.join('.')} ${untrustedName}`;
  return [{ where, bytes: part.bytes, kind: 'extracted_file', untrustedName, type: part.untrustedType, scope: 'file' }];
}
