/**
 * Finds the types of values that bytes may hold, in one pass over them. Most files have no value of a type, and a pattern over a whole text
 * costs many times as much.
 */
import { asBuffer } from '../../../formats/byte-scan.ts';
import type { FoundValue } from '../../found-value.ts';

/** The types that are searched by a pattern. Domains come from URLs. */
export type SoughtType = Exclude<FoundValue['type'], 'domain'>;

/** The kinds of a byte in a value. */
const DIGIT = 1;
const LETTER = 2;
const HYPHEN = 4;
const UNDERSCORE = 8;
const DOT = 16;
const HEX = 32;
/** Other characters of mailboxes, and of paths. */
const MAILBOX = 64;
const PATH = 128;

const KINDS: readonly (readonly [number, RegExp])[] = [
  [DIGIT, /\d/],
  [LETTER, /[a-z]/i],
  [HYPHEN, /-/],
  [UNDERSCORE, /_/],
  [DOT, /\./],
  [HEX, /[0-9a-f]/i],
  [MAILBOX, /[%+]/],
  [PATH, /[ \\()~$%]/],
];

const KIND = Uint8Array.from({ length: 256 }, (_, code) =>
  KINDS.reduce((sum, [kind, pattern]) => (pattern.test(String.fromCharCode(code)) ? sum | kind : sum), 0),
);

const LABEL = DIGIT | LETTER | HYPHEN;
const NAME = LABEL | UNDERSCORE | DOT;
const [K, SLASH, BACKSLASH, COLON, AND, HASH, PERCENT, THREE] = Buffer.from('K/\\:&#%3');
const MAX_LABEL = 63;
const HASH_DIGITS = 64;

/** Returns true when a byte at `at` is one of these kinds; false behind the end. */
const isOf = (bytes: Uint8Array, at: number, kinds: number) => ((KIND[bytes[at] ?? 0] ?? 0) & kinds) !== 0;

function areOf(bytes: Uint8Array, from: number, count: number, kinds: number): boolean {
  for (let at = from; at < from + count; at++) if (!isOf(bytes, at, kinds)) return false;
  return true;
}

const IS_SIGN = Uint8Array.from({ length: 256 }, (_, code) => ('@.\\:&H'.includes(String.fromCharCode(code)) ? 1 : 0));

/** Returns the types of values that may be in the bytes. No type that occurs is omitted. */
export function typesIn(bytes: Uint8Array): ReadonlySet<SoughtType> {
  const types = new Set<SoughtType>();
  for (let at = 0; at < bytes.length; at++) if (IS_SIGN[bytes[at] ?? 0] === 1) lookAround(bytes, at, types);
  if (hasHash(bytes)) types.add('sha256');
  return types;
}

function lookAround(bytes: Uint8Array, at: number, types: Set<SoughtType>): void {
  switch (String.fromCharCode(bytes[at] ?? 0)) {
    case '@':
      if (isAddress(bytes, at)) types.add('email');
      break;
    case '.':
      if (isNumbers(bytes, at)) types.add('ip');
      break;
    case 'H':
      if (isRegistry(bytes, at)) types.add('registry');
      break;
    case '\\':
      if (isPath(bytes, at)) types.add('path');
      if (!types.has('url') && isUrl(bytes, at)) types.add('url');
      break;
    default:
      if (!types.has('url') && isUrl(bytes, at)) types.add('url');
  }
}

/** Returns whether there is a sign with the end of a mailbox before it, and a label, a dot and the start of another label behind it. */
function isAddress(bytes: Uint8Array, at: number): boolean {
  if (!isOf(bytes, at - 1, NAME | MAILBOX)) return false;
  let end = at + 1;
  while (end - at <= MAX_LABEL && isOf(bytes, end, LABEL)) end++;
  return end > at + 1 && isOf(bytes, end, DOT) && isOf(bytes, end + 1, LABEL);
}

/** Returns whether there is a dot between digits, and another one with a digit behind it. */
function isNumbers(bytes: Uint8Array, at: number): boolean {
  if (!isOf(bytes, at - 1, DIGIT) || !isOf(bytes, at + 1, DIGIT)) return false;
  let next = at + 2;
  while (next <= at + 3 && isOf(bytes, next, DIGIT)) next++;
  return isOf(bytes, next, DOT) && isOf(bytes, next + 1, DIGIT);
}

/** The first letters of a root of the registry, long or short. */
const ROOT = /^HK(?:EY_|LM|CU|CR)/;
const MAX_ROOT = 5;

function isRegistry(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 1] === K && ROOT.test(latin1(bytes.subarray(at, at + MAX_ROOT)));
}

/** The letters of the shortest variable that counts: `%temp%`. */
const LEAST_VARIABLE = 4;

/**
 * Returns whether there is a backslash behind a drive with a name behind it, behind a variable, or behind another one, in front of a host.
 */
function isPath(bytes: Uint8Array, at: number): boolean {
  const before = bytes[at - 1];
  return (
    (before === PERCENT && areOf(bytes, at - 1 - LEAST_VARIABLE, LEAST_VARIABLE, LETTER)) ||
    (before === COLON && isOf(bytes, at - 2, LETTER) && areOf(bytes, at + 1, 3, NAME | PATH)) ||
    (bytes[at + 1] === BACKSLASH && isHost(bytes, at + 2))
  );
}

const MAX_HOST = 60;

/** Returns whether there is a name of two letters or more, and a backslash behind it. */
function isHost(bytes: Uint8Array, from: number): boolean {
  let end = from;
  while (end - from < MAX_HOST && isOf(bytes, end, NAME)) end++;
  return end - from > 1 && bytes[end] === BACKSLASH;
}

/** A colon and two slashes, each as it is or as JavaScript, JSON and HTML write it. */
const SIGN = /^(?::|\\(?:u00|x)3a|&#(?:x3a|58);)(?:\/|\\\/|\\(?:u00|x)2f|&#(?:x2f|47);){2}/i;
const MAX_SIGN = 20;

function isUrl(bytes: Uint8Array, at: number): boolean {
  return mayBeColon(bytes, at) && SIGN.test(latin1(bytes.subarray(at, at + MAX_SIGN)));
}

/** Checks the characters behind a sign, which decide about most signs without making a text. */
function mayBeColon(bytes: Uint8Array, at: number): boolean {
  const next = bytes[at + 1];
  if (bytes[at] === COLON) return next === SLASH || next === BACKSLASH || next === AND;
  if (bytes[at] === AND) return next === HASH;
  // `\x3a` and `\u003a`.
  return bytes[at + 2] === THREE || bytes[at + 4] === THREE;
}

/**
 * Returns true when this many digits follow each other. A run of that length covers one of the places at that distance, so only these are
 * checked.
 */
function hasHash(bytes: Uint8Array): boolean {
  for (let place = HASH_DIGITS - 1; place < bytes.length; place += HASH_DIGITS) {
    let from = place;
    while (isOf(bytes, from - 1, HEX) && place - from < HASH_DIGITS) from--;
    let to = place;
    while (isOf(bytes, to, HEX) && to - from < HASH_DIGITS) to++;
    if (to - from >= HASH_DIGITS) return true;
  }
  return false;
}

const latin1 = (bytes: Uint8Array) => asBuffer(bytes).toString('latin1');
