/** The file information block of a Word 97 to 2003 document ([MS-DOC] 2.5): the places of all structures, and those that may stay. */
import { EngineError } from '../../engine.ts';

const MAGIC = 0xa5ec;
/** Older versions have another layout. */
const WORD_97 = 0x00c1;
const ENCRYPTED = 0x0100;
const OBFUSCATED = 0x8000;
const SECOND_TABLE = 0x0200;
/** The marks of templates and glossaries, which only add macros and text blocks. */
const TEMPLATE_FLAGS = 0x0003;
/** The first pair follows the base, 14 words and 22 double words. Words and double words have their count in front. */
const PAIRS_AT = 154;
const WORDS = 14;
const DOUBLE_WORDS = 22;
const WORD_97_PAIRS = 0x5d;

/** Numbers of the pairs (offset and length in the table stream) that this module handles one by one. */
export const PAIR = {
  styles: 1,
  sections: 6,
  characterRuns: 12,
  paragraphRuns: 13,
  properties: 31,
  associations: 32,
  pieces: 33,
  drawings: 50,
  lists: 73,
} as const;

/**
 * The other pairs with only text positions, formats, fonts, bookmarks, notes, dated comments, lists and revision marks. A pair that is not
 * listed (commands, macros, printers, mail merge, embedded fonts, controls, routing, history of saving …) does not reach the output.
 */
const PLAIN_PAIRS = [2, 3, 4, 5, 11, 15, 21, 22, 23, 36, 37, 40, 41, 42, 43, 46, 47, 51, 56, 58, 74, 75, 76, 91, 112];
/** The tables of fields, one per story. */
export const FIELD_PAIRS = {
  main: 16,
  header: 17,
  footnote: 18,
  comment: 19,
  endnote: 48,
  box: 57,
  headerBox: 59,
} as const;

export const KEPT_PAIRS: ReadonlySet<number> = new Set([
  ...PLAIN_PAIRS,
  ...Object.values(PAIR),
  ...Object.values(FIELD_PAIRS),
]);

const DROPPED_KINDS: Readonly<Record<number, string>> = {
  20: 'macro',
  24: 'custom user interface',
  26: 'macro',
  27: 'printer settings',
  28: 'printer settings',
  29: 'printer settings',
  35: 'file path',
  44: 'mail merge source',
  54: 'linked document',
  60: 'document variables',
  61: 'embedded font',
  70: 'routing slip',
  71: 'authors and file paths',
  72: 'file path',
  85: 'ActiveX control',
  97: 'mail envelope',
  126: 'mail merge source',
  127: 'mail merge source',
};

export interface Range {
  readonly from: number;
  readonly length: number;
}

export interface Fib {
  readonly bytes: Buffer;
  readonly tableKey: '0table' | '1table';
  readonly pairCount: number;
  /** Length of the whole block in bytes. */
  readonly length: number;
}

/** Reads the block. Throws EngineError `encrypted`, `unsupported` (Word 95 and before), `unreadable`. */
export function readFib(bytes: Buffer): Fib {
  if (bytes.length < PAIRS_AT + WORD_97_PAIRS * 8) throw new EngineError('unreadable', 'the document has no header');
  if (bytes.readUInt16LE(0) !== MAGIC || bytes.readUInt16LE(2) < WORD_97) {
    throw new EngineError(
      'unsupported',
      'documents of Word 95 and before cannot be disarmed: save it as a newer format',
    );
  }
  const flags = bytes.readUInt16LE(0x0a);
  if (flags & (ENCRYPTED | OBFUSCATED)) throw new EngineError('encrypted', 'the document needs a password');
  const pairCount = bytes.readUInt16LE(PAIRS_AT - 2);
  const end = PAIRS_AT + pairCount * 8;
  const isKnown = bytes.readUInt16LE(32) === WORDS && bytes.readUInt16LE(62) === DOUBLE_WORDS;
  if (!isKnown || pairCount < WORD_97_PAIRS || end + 2 > bytes.length) {
    throw new EngineError('unreadable', 'the header of the document is damaged');
  }
  const extra = bytes.readUInt16LE(end) * 2;
  const length = Math.min(bytes.length, end + 2 + extra);
  return { bytes, tableKey: flags & SECOND_TABLE ? '1table' : '0table', pairCount, length };
}

/**
 * Returns the range to which a pair points in the table stream; null when it is empty. Throws EngineError `unreadable` when it leads out of
 * the stream.
 */
export function pairAt(fib: Fib, index: number, table: Buffer): Range | null {
  if (index >= fib.pairCount) return null;
  const from = fib.bytes.readUInt32LE(PAIRS_AT + index * 8);
  const length = fib.bytes.readUInt32LE(PAIRS_AT + index * 8 + 4);
  if (length === 0) return null;
  if (from + length > table.length) throw new EngineError('unreadable', 'the header of the document leads nowhere');
  return { from, length };
}

/** Writes the length of a pair. A length of zero clears the offset, too. */
export function setPairLength(fib: Buffer, index: number, length: number): void {
  if (length === 0) fib.writeUInt32LE(0, PAIRS_AT + index * 8);
  fib.writeUInt32LE(length, PAIRS_AT + index * 8 + 4);
}

/**
 * Returns the number of characters of each story, in the order of the text, main text first ([MS-DOC] 2.5.4). Throws EngineError
 * `unreadable`.
 */
export function storyLengths(fib: Fib): number[] {
  return [0x4c, 0x50, 0x54, 0x58, 0x5c, 0x60, 0x64, 0x68].map((at) => {
    const length = fib.bytes.readInt32LE(at);
    if (length < 0) throw new EngineError('unreadable', 'the header of the document is damaged');
    return length;
  });
}

/** Returns a copy of the block with zeros for everything outside the list. `note` is called for each kind that was there. */
export function filterFib(fib: Fib, note: (kind: string) => void): Buffer {
  const out = Buffer.from(fib.bytes.subarray(0, fib.length));
  // The place of a glossary's own block. The numbers about passwords, saves and builds are also left out, because no reader needs them.
  out.writeUInt16LE(0, 8);
  out.writeUInt16LE(fib.bytes.readUInt16LE(0x0a) & ~TEMPLATE_FLAGS, 0x0a);
  out.fill(0, 14, 18);
  for (let index = 0; index < fib.pairCount; index++) {
    const at = PAIRS_AT + index * 8;
    if (KEPT_PAIRS.has(index)) continue;
    const kind = DROPPED_KINDS[index];
    if (kind !== undefined && out.readUInt32LE(at + 4) !== 0) note(kind);
    out.fill(0, at, at + 8);
  }
  return out;
}
