/**
 * Counts words, and tells how many of one text are in another, without keeping either. The hash of a word selects one of 65,536 buckets. It
 * takes linear time, and the same memory for a short text and for a sheet of a million cells.
 */

const BUCKETS = 0x10000;
const SEED = 17;

/** 1: a byte of a word. 2: starts a character that belongs to a word. 3: starts one that does not. 4: continues a character. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(byte));

/**
 * Returns the class of a byte. Latin letters with accents are written in many ways (entities, composed, one byte in old encodings). So they
 * separate words like spaces, in both texts alike. Letters of other scripts (from U+0400 on, without punctuation blocks) belong to words.
 */
function kindOf(byte: number): number {
  if (byte < 0x80) return /[0-9A-Za-z]/.test(String.fromCharCode(byte)) ? 1 : 0;
  if (byte < 0xc0) return 4;
  return byte < 0xd0 || byte === 0xe2 || byte === 0xef ? 3 : 2;
}

/** How often the words of each bucket occurred. */
export interface WordTally {
  readonly buckets: Int32Array;
  /** The bits of the hash of a word that select its bucket. */
  readonly mask: number;
  words: number;
}

/** Returns an empty tally. */
export function openTally(): WordTally {
  return { buckets: new Int32Array(BUCKETS), mask: BUCKETS - 1, words: 0 };
}

/** Returns a tally that only counts and does not distinguish words. It is quicker because it touches less memory. */
export function openCount(): WordTally {
  return { buckets: new Int32Array(1), mask: 0, words: 0 };
}

/** Adds the words of UTF-8 text between two offsets. */
export function tallyBytes(tally: WordTally, bytes: Uint8Array, from: number, to: number): void {
  endWord(tally, tallyPiece(tally, bytes, from, to, 0));
}

/**
 * Adds the words of a piece of a longer text. It takes the hash of a word that has not ended, and returns the next such hash, or 0 between
 * words.
 */
export function tallyPiece(tally: WordTally, bytes: Uint8Array, from: number, to: number, begun: number): number {
  const { buckets, mask } = tally;
  let hash = begun;
  let words = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    const kind = KINDS[byte] as number;
    if (kind === 1 || kind === 2 || (kind === 4 && hash !== 0)) hash = step(hash, byte);
    else if (hash !== 0) {
      buckets[hash & mask] = (buckets[hash & mask] as number) + 1;
      words++;
      hash = 0;
    }
  }
  tally.words += words;
  return hash;
}

/** Adds the word with this hash. Adds nothing for 0. */
export function endWord(tally: WordTally, hash: number): void {
  if (hash === 0) return;
  const { buckets, mask } = tally;
  buckets[hash & mask] = (buckets[hash & mask] as number) + 1;
  tally.words++;
}

/** In `IN_WORD`: as the byte before it. */
const AS_BEFORE = 2;
/** By byte: whether it is inside of a word. */
const IN_WORD = Uint8Array.from(KINDS, (kind) => (kind === 4 ? AS_BEFORE : kind === 1 || kind === 2 ? 1 : 0));
const LESS = 0x3c;
const AMPERSAND = 0x26;

/**
 * Adds the words of the text of markup from `from` up to the next `<`, and returns its offset. It is for tallies that only count, and reads
 * every byte once.
 */
export function countUpToMarkup(tally: WordTally, bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  let at = from;
  let words = 0;
  let before = 0;
  for (; at < length; at++) {
    const byte = bytes[at] as number;
    if (byte === LESS) break;
    if (byte === AMPERSAND) return countWithReferences(tally, bytes, from, at);
    const kind = IN_WORD[byte] as number;
    const now = kind === AS_BEFORE ? before : kind;
    if (now > before) words++;
    before = now;
  }
  tally.words += words;
  return at;
}

/** A character reference may be a letter of a word. */
function countWithReferences(tally: WordTally, bytes: Uint8Array, from: number, reference: number): number {
  let to = reference;
  while (to < bytes.length && bytes[to] !== LESS) to++;
  tallyMarkup(tally, bytes, from, to);
  return to;
}

/** Returns whether a tally only says how many words there are. */
export function isCount({ mask }: WordTally): boolean {
  return mask === 0;
}

/** Returns a hash that is never 0, which means "between words". */
function step(hash: number, byte: number): number {
  return Math.imul(hash === 0 ? SEED : hash, 0x01000193) ^ byte || SEED;
}

const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|\w{1,31});?/gi;

/** Adds the words of the text of markup between two offsets. Numeric references are read, and named ones separate words. */
export function tallyMarkup(tally: WordTally, bytes: Uint8Array, from: number, to: number): void {
  const { buckets, mask } = tally;
  let hash = 0;
  let wordFrom = from;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    const kind = KINDS[byte] as number;
    if (kind === 1 || kind === 2 || (kind === 4 && hash !== 0)) {
      if (hash === 0) wordFrom = at;
      hash = step(hash, byte);
    } else if (byte === 0x26) {
      // A character reference may be a letter of the word before it.
      const start = hash === 0 ? at : wordFrom;
      const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, to - start).toString('utf8');
      tallyText(tally, withoutEntities(text));
      return;
    } else if (hash !== 0) {
      buckets[hash & mask] = (buckets[hash & mask] as number) + 1;
      tally.words++;
      hash = 0;
    }
  }
  if (hash === 0) return;
  buckets[hash & mask] = (buckets[hash & mask] as number) + 1;
  tally.words++;
}

/** Returns text with numeric character references resolved, and a space for every other reference. */
export function withoutEntities(text: string): string {
  return text.replace(ENTITY, (_, decimal: string | undefined, hex: string | undefined) => {
    const code = Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
  });
}

/** Adds the words of a string. */
export function tallyText(tally: WordTally, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  tallyBytes(tally, bytes, 0, bytes.length);
}

/** Returns how many words of `before` are also in `after`, each as often as it occurs in both. */
export function keptWords(before: WordTally, after: WordTally): number {
  let lost = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const missing = (before.buckets[bucket] as number) - (after.buckets[bucket] as number);
    if (missing > 0) lost += missing;
  }
  return before.words - lost;
}
