/** The fields of a header as bytes, for whoever keeps some of them and leaves others out. */
import { withoutLineBreak } from '../../formats/byte-scan.ts';
import { readHeaderBlock } from '../../formats/mail/header-block.ts';
import { trimBlanks } from '../../formats/mail/trim-blanks.ts';
import type { ByteRange } from '../model.ts';

/** One field, one character per byte (latin1). */
export interface RawField extends ByteRange {
  /** As lenient programs read it: lower case, without comments, blanks, controls. */
  readonly name: string;
  /** Letters, digits, dashes, with nothing between name and colon: RFC 5322 §3.6.8 allows brackets and quotes, which somebody skips. */
  readonly isNameStrict: boolean;
  /** Everything behind the colon, folds and line break included. */
  readonly text: string;
  /** The same unfolded and trimmed. */
  readonly value: string;
}

export interface RawHeader {
  readonly fields: readonly RawField[];
  /** Lines that belong to no field. */
  readonly stray: readonly ByteRange[];
}

/** Controls but for tab and line breaks. In a string of bytes those of the upper half are parts of UTF-8 letters. */
export const CONTROLS = /[^\P{Cc}\t\r\n\x80-\x9f]/gu;
const STRICT_NAME = /^[\w.-]+$/;
const NO_STOP = {
  isDelimiter: () => false,
  maxBytes: Number.POSITIVE_INFINITY,
  maxLines: Number.POSITIVE_INFINITY,
} as const;

/** Reads the header of a part. Linear; never throws. */
export function rawHeader(email: Buffer, header: ByteRange): RawHeader {
  const block = readHeaderBlock(email.subarray(0, header.end), header.start, NO_STOP);
  const fields = block.fields.map((field): RawField => {
    const label = email.toString('latin1', field.start, field.valueStart - 1);
    const text = email.toString('latin1', field.valueStart, field.end);
    return {
      start: field.start,
      end: field.end,
      text,
      // The names that structure is read from are read in one place.
      name: /^(?:content-[a-z-]+|mime-version)$/.test(field.name) ? field.name : readLeniently(label),
      isNameStrict: STRICT_NAME.test(label),
      value: unfolded(text),
    };
  });
  const end = block.endedBy === 'blank' ? withoutLineBreak(email, header.start, block.end) : block.end;
  return { fields, stray: gapsBetween(fields, { start: header.start, end }) };
}

function readLeniently(label: string): string {
  return label
    .replace(/\([^()]*\)/g, '')
    .replace(/[^!-'*-9;-~]/g, '')
    .toLowerCase();
}

/** On one line. What would end a line or a value somewhere becomes a blank. */
export function unfolded(text: string): string {
  const line = text.replace(/\r?\n(?=[ \t])/g, '').replace(/[\r\n]/g, ' ');
  return trimBlanks(line.replace(CONTROLS, ' '));
}

function gapsBetween(fields: readonly ByteRange[], { start, end }: ByteRange): ByteRange[] {
  const gaps: ByteRange[] = [];
  let at = start;
  for (const field of fields) {
    if (field.start > at) gaps.push({ start: at, end: field.start });
    at = Math.max(at, field.end);
  }
  if (end > at) gaps.push({ start: at, end });
  return gaps;
}
