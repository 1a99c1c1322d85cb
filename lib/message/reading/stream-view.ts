/**
 * Prepares the email for mailparser. Two things are left out: the padding behind delimiters, which the RFC allows and mailparser does
 * not know, and the middle of long base64 bodies. The lines of that middle are whole, of one length and of base64 digits only. No
 * parser can find a header, a boundary or a blank line in them, so the rest has the same structure and is read in a tenth of the time.
 */
import { createHash } from 'node:crypto';
import { decodePart } from '../encodings/decode-part.ts';
import { decodeBody } from '../encodings/transfer-encodings.ts';
import type { ByteRange, MessagePart } from '../model.ts';

/** A leaf in the form that the stream reading must see. */
export interface ExpectedLeaf {
  readonly part: MessagePart;
  readonly sha256: string;
  readonly size: number;
  /** Returns the decoded bytes that mailparser got. */
  bytes(): Uint8Array;
}

/** Returns the leaf without the `middle` of its body. */
export function expectedLeaf(email: Buffer, part: MessagePart, middle: ByteRange | null): ExpectedLeaf {
  if (middle === null)
    return { part, sha256: part.sha256 as string, size: part.size, bytes: () => decodePart(email, part) };
  const body = withoutRanges(email.subarray(part.body.start, part.body.end), [
    { start: middle.start - part.body.start, end: middle.end - part.body.start },
  ]);
  const { bytes } = decodeBody(body, part.encoding);
  return { part, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, bytes: () => bytes };
}

/** Returns the bytes without these ranges. The ranges are in order and do not overlap. */
export function withoutRanges(bytes: Buffer, ranges: readonly ByteRange[]): Buffer {
  if (ranges.length === 0) return bytes;
  const starts = [0, ...ranges.map((range) => range.end)];
  const ends = [...ranges.map((range) => range.start), bytes.length];
  return Buffer.concat(starts.map((start, at) => bytes.subarray(start, ends[at])));
}
