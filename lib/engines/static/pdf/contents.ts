/** The pieces of a PDF that are analysed in turn: its scripts and attached files. */
import type { Piece } from '../findings/module.ts';
import { type Attached, isAttached } from './attachments.ts';
import { decodeText } from './scripts.ts';
import type { PdfStream } from './streams.ts';

const MAX_PIECES = 60;

/** Returns streams that look like scripts, strings in the place of scripts, and embedded files. */
export function pdfPieces(streams: readonly PdfStream[], scripts: readonly string[], attached: Attached): Piece[] {
  const strings = scripts.map((text, index) => script(`script ${index + 1}`, Buffer.from(decodeText(text))));
  return [...strings, ...streams.flatMap((stream) => pieceOf(stream, attached))].slice(0, MAX_PIECES);
}

function script(where: string, bytes: Uint8Array): Piece {
  return {
    where,
    bytes,
    kind: 'deobfuscated_code',
    untrustedName: 'script.js',
    type: 'text/javascript',
    scope: 'code',
  };
}

function pieceOf(stream: PdfStream, attached: Attached): Piece[] {
  const { dictionary, content, offset } = stream;
  if (content === null || content.length < 4) return [];
  const names = dictionary.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const where = `stream at ${offset}`;
  if (isAttached(stream, attached))
    return [{ where, bytes: content, kind: 'extracted_file', untrustedName: 'attachment', scope: 'file' }];
  // The dictionary of a script says nothing special. A script is any text in a stream that draws nothing.
  const isTyped = /\/(?:Type|Subtype|Length[123]|FunctionType|N)\b/.test(names);
  return !isTyped && looksLikeScript(content) ? [script(where, content)] : [];
}

function looksLikeScript(content: Uint8Array): boolean {
  const head = Buffer.from(content.subarray(0, 4_096)).toString('latin1');
  if (/[^\t\r\n\x20-\x7e\xa0-\xff]/.test(head)) return false;
  if (/\bBT\b|\bT[jJ]\b|\bre\s+[fWS]\b/.test(head)) return false;
  return /\bfunction\s{0,9}[\w$]{0,60}\s{0,9}\(|\bvar\s{1,9}[\w$]{1,60}\s{0,9}[=;]|\b(?:eval|unescape)\s{0,9}\(|\b(?:app|this|util|event)\.\w{2,40}/.test(
    head,
  );
}
