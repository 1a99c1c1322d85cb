/**
 * Writes a YARA rule for one sample, with strings that are in it and in hardly any other file. A model of ordinary text estimates how
 * ordinary a string is. It uses pairs of letters in the languages and formats of mail, and words that every file of a format has.
 */
import type { Level } from '../../engine.ts';
import { ORDINARY_WORDS } from './ordinary-words.ts';

const MIN_LENGTH = 10;
/** The most strings in the rule, and how many of them must be found. */
const MAX_STRINGS = 12;
const MIN_STRINGS = 2;
/** The fewest letters of the strings together. Two short strings can occur together in another file by chance. */
const MIN_TOTAL = 60;
/** The most bytes of the sample that are read, and the most strings that are compared. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_CANDIDATES = 4_000;
/** Below it, a string is ordinary text. */
const MIN_RARITY = 1.5;

interface Candidate {
  readonly text: string;
  readonly isWide: boolean;
  readonly rarity: number;
}

/**
 * Returns the text of the rule, or null when the sample has too few distinctive strings, as packed files do. The rule holds nothing of the
 * sample but these strings, escaped.
 */
export function generateRule(bytes: Uint8Array, sha256: string, level: Level): string | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MAX_BYTES)).toString('latin1');
  const chosen = choose([
    ...candidates(text, /[\x20-\x7e]{10,400}/g, false),
    ...candidates(text, /(?:[\x20-\x7e]\0){10,400}/g, true),
  ]);
  if (chosen.length < MIN_STRINGS || chosen.map((one) => one.text).join('').length < MIN_TOTAL) return null;
  const strings = chosen.map(
    ({ text: value, isWide }, index) => `        $s${index + 1} = "${escaped(value)}" ${isWide ? 'wide' : 'ascii'}`,
  );
  const needed = Math.max(MIN_STRINGS, Math.ceil(chosen.length * 0.75));
  return [
    `rule mail_airlock_strings_${sha256.slice(0, 16)}`,
    '{',
    '    meta:',
    `        description = "Distinctive strings of the file with the SHA-256 ${sha256}"`,
    `        level = "${level}"`,
    '    strings:',
    ...strings,
    '    condition:',
    `        filesize < ${sizeBound(bytes.byteLength)} and ${needed} of them`,
    '}',
    '',
  ].join('\n');
}

/** Returns the condition on the size. Variants of a sample have about the same size. */
function sizeBound(size: number): string {
  return `${Math.max(64, Math.ceil((size * 4) / 1024))}KB`;
}

function candidates(text: string, runs: RegExp, isWide: boolean): Candidate[] {
  const found: Candidate[] = [];
  for (const [run] of text.matchAll(runs)) {
    if (found.length >= MAX_CANDIDATES) break;
    const plain = isWide ? run.replaceAll('\0', '') : run;
    for (const value of segmentsOf(plain)) found.push({ text: value, isWide, rarity: rarityOf(value) });
  }
  return found;
}

/** Returns the statements and arguments of a line. A variant changes some of them, and the whole line would then not match. */
function segmentsOf(run: string): string[] {
  return (run.match(/[^;,|]{1,80}/g) ?? []).map((part) => part.trim()).filter((part) => part.length >= MIN_LENGTH);
}

/** Returns the rarest strings. None of them holds another one. */
function choose(all: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = [];
  for (const one of all.toSorted((a, b) => b.rarity - a.rarity)) {
    if (one.rarity < MIN_RARITY || chosen.length >= MAX_STRINGS) break;
    if (!chosen.some(({ text }) => text.includes(one.text) || one.text.includes(text))) chosen.push(one);
  }
  return chosen;
}

/** Strings of ordinary files: runs of one character, tables of letters, numbers. */
const BORING = /(.)\1{5}|0123456789|abcdefgh|ABCDEFGH|^[\d\s.,:;()[\]{}<>=/+-]+$/;

/** Returns how rare a string is. Length and unusual pairs of letters make it rarer, and every ordinary word makes it less rare. */
function rarityOf(value: string): number {
  if (BORING.test(value)) return 0;
  const words = value.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  const ordinary = words.filter((word) => ORDINARY_WORDS.has(word)).join('').length;
  const letters = words.join('').length;
  const share = letters === 0 ? 0.5 : ordinary / letters;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w\s]/].filter((kind) => kind.test(value)).length;
  const pairs = new Set(Array.from({ length: value.length - 1 }, (_, at) => value.slice(at, at + 2))).size;
  return (1 - share) * (pairs / 10) * (kinds / 2);
}

function escaped(value: string): string {
  return value
    .replace(/[\\"]/g, '\\$&')
    .replace(/[^\x20-\x7e]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
