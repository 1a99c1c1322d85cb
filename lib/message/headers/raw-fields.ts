/** Reads the fields of a header as bytes, so that some can be kept and others left out. */
import { withoutLineBreak } from '../../formats/byte-scan.ts';
import { readHeaderBlock } from '../../formats/mail/header-block.ts';
import { trimBlanks } from '../../formats/mail/trim-blanks.ts';
import { remembered } from '../../formats/remembered.ts';
import type { ByteRange } from '../model.ts';

/** One field. Its strings have one character per byte (latin1). */
export interface RawField extends ByteRange {
  /** The name as lenient programs read it: in lower case, without comments, blanks and controls. */
  readonly name: string;
  /**
   * True when the name has only letters, digits, dots and dashes, and the colon follows it directly. RFC 5322 §3.6.8 allows brackets and
   * quotes, which some programs skip.
   */
  readonly isNameStrict: boolean;
  /** Everything after the colon, with folds and line break. */
  readonly text: string;
  /** The same text unfolded and trimmed. */
  readonly value: string;
}

export interface RawHeader {
  readonly fields: readonly RawField[];
  /** Lines that belong to no field. */
  readonly stray: readonly ByteRange[];
}

/** Controls other than tab and line breaks. Those of the upper half are left out, because they are bytes of UTF-8 letters here. */
export const CONTROLS = /[^\P{Cc}\t\r\n\x80-\x9f]/gu;
const STRICT_NAME = /^[\w.-]+$/;
const NO_STOP = {
  isDelimiter: () => false,
  maxBytes: Number.POSITIVE_INFINITY,
  maxLines: Number.POSITIVE_INFINITY,
} as const;

/** Reads the header of a part. Linear. Never throws. */
export function rawHeader(email: Buffer, { start, end }: ByteRange): RawHeader {
  const { fields, stray } = readOnce(email.subarray(start, end));
  if (start === 0) return { fields, stray };
  return { fields: fields.map((field) => moved(field, start)), stray: stray.map((range) => moved(range, start)) };
}

const moved = <Range extends ByteRange>(range: Range, by: number): Range => ({
  ...range,
  start: range.start + by,
  end: range.end + by,
});

/** Every stage reads the headers of a mail, and many mails have parts with the same header. */
const REMEMBERED = 200;
/** Longer headers are read each time, because an attacker may make megabytes of them. */
const REMEMBERED_BYTES = 512;

const readOnce = remembered<Buffer, RawHeader>(
  {
    most: REMEMBERED,
    keyOf: (header) => (header.length > REMEMBERED_BYTES ? null : header.toString('latin1')),
  },
  readRawHeader,
);

function readRawHeader(header: Buffer): RawHeader {
  const block = readHeaderBlock(header, 0, NO_STOP);
  const fields = block.fields.map((field): RawField => {
    const label = header.toString('latin1', field.start, field.valueStart - 1);
    const text = header.toString('latin1', field.valueStart, field.end);
    return {
      start: field.start,
      end: field.end,
      text,
      // Only `readHeaderBlock` reads the names that decide the structure.
      name: /^(?:content-[a-z-]+|mime-version)$/.test(field.name) ? field.name : readLeniently(label),
      isNameStrict: STRICT_NAME.test(label),
      value: unfolded(text),
    };
  });
  const end = block.endedBy === 'blank' ? withoutLineBreak(header, 0, block.end) : block.end;
  return { fields, stray: gapsBetween(fields, { start: 0, end }) };
}

function readLeniently(label: string): string {
  return label
    .replace(/\([^()]*\)/g, '')
    .replace(/[^!-'*-9;-~]/g, '')
    .toLowerCase();
}

/** Returns the text on one line. Characters at which some program ends a line or a value become blanks. */
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
