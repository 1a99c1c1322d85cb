/** Recognises the kind of a Matroska file (RFC 8794, 11.2.4). */
import { asBuffer } from '../byte-scan.ts';

/** The head of a file has some forty bytes. */
const HEAD_BYTES = 128;
/** The element with the name of the kind. Its size has one byte, and is the length of the name. */
const KIND = /B\x82[\x84\x88](webm|matroska)/;

/** Returns the kind in the head of the file; null when it names none, or another. */
export function matroskaKind(untrusted: Uint8Array): 'webm' | 'matroska' | null {
  const head = asBuffer(untrusted).toString('latin1', 0, HEAD_BYTES);
  const [, kind] = head.startsWith('\x1aEß£') ? (KIND.exec(head) ?? []) : [];
  return kind === 'webm' || kind === 'matroska' ? kind : null;
}
