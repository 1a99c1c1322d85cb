/**
 * Finds text that is written as numbers, which one sum, product or exclusive-or turns into letters. It is found by the distances between
 * numbers.
 */

export type NumberList = ArrayLike<number>;

/** The most numbers of one text that are checked. */
const MAX_NUMBERS = 64 * 1024;
/** The most characters of the found text that are kept. */
const MAX_TEXT = 64 * 1024;

/**
 * The words that are searched, with the case that attacks use, because distances depend on it. No list of data holds such long words by
 * chance.
 */
const WORDS = [
  'WScript.Shell',
  'wscript.shell',
  'Shell.Application',
  'ActiveXObject',
  'ADODB.Stream',
  'adodb.stream',
  'MSXML2.XMLHTTP',
  'CreateObject',
  'createobject',
  'ExpandEnvironment',
  'powershell',
  'PowerShell',
  'POWERSHELL',
  'rundll32',
  'regsvr32',
  'cmd.exe /c',
  'Net.WebClient',
  'DownloadString',
  'DownloadFile',
  'FromBase64String',
  'document.write',
  'type="password"',
];

/** The distance between `a` and `A`. Letters written by their own codes, or as capitals, are not hidden. */
const CASE = 0x20;

interface Word {
  readonly codes: readonly number[];
  readonly first: number;
  readonly firstXor: number;
}

const TABLE: readonly Word[] = WORDS.map((word) => {
  const codes = [...word].map((char) => char.charCodeAt(0));
  return { codes, first: at(codes, 1) - at(codes, 0), firstXor: at(codes, 1) ^ at(codes, 0) };
});

/** Returns the lists as text, each with the change that makes one of the words appear, or null when no change does. */
export function hiddenInNumbers(lists: readonly NumberList[]): string | null {
  let left = MAX_NUMBERS;
  const texts: string[] = [];
  for (const list of lists) {
    left -= list.length;
    if (left < 0) break;
    const change = changeOf(list);
    if (change === null) continue;
    texts.push(Array.from(list, (number) => String.fromCharCode(change(number) & 0xffff)).join(''));
  }
  return texts.length === 0 ? null : texts.join('\n');
}

/** Returns the text with all letters changed in the same way, so that one of the words appears, or null when no change does. */
export function hiddenInLetters(text: string): string | null {
  const list = new Uint16Array(Math.min(text.length, MAX_TEXT));
  for (let index = 0; index < list.length; index++) list[index] = text.charCodeAt(index);
  for (let start = 0; start + SHORTEST <= list.length; start++) {
    const one = at(list, start);
    const two = at(list, start + 1);
    const three = at(list, start + 2);
    const isPossible = STARTS[flipKey(one, two, three)] === 1 || STARTS[stepKey(one, two, three)] === 1;
    if (!isPossible) continue;
    for (const word of TABLE) {
      const change = flippedBy(list, start, word) ?? shiftedBy(list, start, word);
      if (change !== null) return changed(list, change);
    }
  }
  return null;
}

/** Returns the numbers with a change. Line breaks stay, because they are between the literals and were not hidden. */
const changed = (list: Uint16Array, change: Change) =>
  Array.from(list, (code) => (code === 10 ? '\n' : String.fromCharCode(change(code) & 0xffff))).join('');

const SHORTEST = 8;
/** The distances of letters are smaller than this. */
const RANGE = 256;

/** Returns the place in STARTS of three letters in a row, by their exclusive-ors. */
function flipKey(one: number, two: number, three: number): number {
  const first = one ^ two;
  const second = two ^ three;
  return first < RANGE && second < RANGE ? first * RANGE + second : NOWHERE;
}

/** Returns the place in STARTS of three letters in a row, by their differences. */
function stepKey(one: number, two: number, three: number): number {
  const first = two - one + RANGE / 2;
  const second = three - two + RANGE / 2;
  const isLetter = first >= 0 && first < RANGE && second >= 0 && second < RANGE;
  return isLetter ? RANGE * RANGE + first * RANGE + second : NOWHERE;
}

const NOWHERE = 2 * RANGE * RANGE;
/** Marks the places of the letters with which the words begin. Almost no letters of an ordinary text have such a place. */
const STARTS = new Uint8Array(NOWHERE + 1);
for (const { codes } of TABLE) {
  const [one = 0, two = 0, three = 0] = codes;
  STARTS[flipKey(one, two, three)] = 1;
  STARTS[stepKey(one, two, three)] = 1;
}

type Change = (number: number) => number;

function changeOf(list: NumberList): Change | null {
  for (let start = 0; start + SHORTEST <= list.length; start++) {
    for (const word of TABLE) {
      const change = flippedBy(list, start, word) ?? scaledBy(list, start, word);
      if (change !== null) return change;
    }
  }
  return null;
}

function flippedBy(list: NumberList, start: number, { codes, firstXor }: Word): Change | null {
  if ((at(list, start + 1) ^ at(list, start)) !== firstXor || !isFlipped(list, start, codes)) return null;
  const key = at(list, start) ^ at(codes, 0);
  return key === 0 || key === CASE ? null : (number) => number ^ key;
}

/** Returns the change when a sum alone turns the list into the word, or null when none does. */
function shiftedBy(list: NumberList, start: number, word: Word): Change | null {
  return at(list, start + 1) - at(list, start) === word.first ? scaledBy(list, start, word) : null;
}

function scaledBy(list: NumberList, start: number, { codes, first }: Word): Change | null {
  const step = at(list, start + 1) - at(list, start);
  if (step === 0 || !isScaled(list, start, codes, step, first)) return null;
  const factor = step / first;
  const add = at(list, start) - factor * at(codes, 0);
  const isPlain = factor === 1 && (add === 0 || Math.abs(add) === CASE);
  return isPlain ? null : (number) => Math.round((number - add) / factor);
}

function isFlipped(list: NumberList, start: number, codes: readonly number[]): boolean {
  const key = at(list, start) ^ at(codes, 0);
  return start + codes.length <= list.length && codes.every((code, index) => (at(list, start + index) ^ key) === code);
}

/** Returns true when all distances are those of the word, multiplied by one number. */
function isScaled(list: NumberList, start: number, codes: readonly number[], step: number, first: number): boolean {
  if (start + codes.length > list.length || first === 0) return false;
  return codes.every(
    (code, index) => (at(list, start + index) - at(list, start)) * first === (code - at(codes, 0)) * step,
  );
}

function at(list: NumberList, index: number): number {
  return list[index] ?? 0;
}
