/**
 * Finds words that code hides and composes when it runs. They are written backwards, cut in pieces, mixed with junk, as every n-th letter,
 * or as numbers that a sum or an exclusive-or turns into letters. No code is run. Each way of hiding is undone for all literals at once. It
 * only counts when a word appears with which scripts call programs of Windows.
 */
import type { Language } from './code-language.ts';
import { hiddenInLetters, hiddenInNumbers, type NumberList } from './code-numbers.ts';

/** The most literals of one text that are checked, and their most letters. A bundle has megabytes, and an attack a few thousand. */
const MAX_LITERALS = 20_000;
const MAX_LETTERS = 256 * 1024;
/** The most ways of removing junk that are tried for one text. */
const MAX_REMOVALS = 24;
/** The largest step between letters that belong together. */
const MAX_STEP = 8;
/** A shorter literal has no room for a word between junk. */
const MIN_WOVEN = 40;
/** The longest literal whose letters are put in order. Longer ones are data, and a call takes a limited number of arguments. */
const MAX_WOVEN = 16 * 1024;
/** A shorter list of numbers does not make a word. */
const MIN_NUMBERS = 8;

/** Words that only scripts for Windows use. */
const HOST_WORDS = [
  'wscript.shell',
  'shell.application',
  'adodb.stream',
  'msxml2.',
  'microsoft.xmlhttp',
  'win32_process',
];
const WORDS = [
  ...HOST_WORDS,
  'activexobject',
  'createobject',
  'scripting.filesystem',
  'powershell',
  'rundll32',
  'regsvr32',
  'invoke-expression',
  'new-object',
  'downloadstring',
  'downloadfile',
  'net.webclient',
  'cmd.exe /c',
];
/** Commands that are so short that they are only searched in text made of numbers. */
const COMMANDS = ['iex(', 'iex (', 'irm http', 'iwr http', 'http://', 'https://', 'mshta '];
const SHORTEST_WORD = Math.min(...WORDS.map((word) => word.length));
const WORDS_BACKWARDS = WORDS.map((word) => [...word].reverse().join(''));
const WORDS_AND_COMMANDS = [...WORDS, ...COMMANDS];
const LITERAL = /(["'`])((?:(?!\1)[^\\\r\n]|\\[^\r\n]){1,20000})\1/g;
const NUMBER_LIST =
  /[[({"'=,]\s{0,3}((?:(?:0x[0-9a-f]{1,4}|-?\d{1,5})\s{0,3},\s{0,3}){7,20000}(?:0x[0-9a-f]{1,4}|-?\d{1,5}))(?![\w.])/gi;
const REMOVALS = [
  /\.split\(\s{0,4}(["'])((?:(?!\1)[^\r\n]){1,20})\1\s{0,4}\)\s{0,4}\.join\(\s{0,4}(?:''|"")/gi,
  /\breplace(?:all)?\s{0,4}\(\s{0,4}[^,\r\n]{1,60},\s{0,4}(["'])((?:(?!\1)[^\r\n]){1,20})\1\s{0,4},\s{0,4}(?:''|"")\s{0,4}\)/gi,
  /(?:\.replace(?:all)?\s{0,4}\(|-c?i?replace)\s{0,4}\(?\s{0,4}(["'])((?:(?!\1)[^\r\n]){1,20})\1\s{0,4},\s{0,4}(?:''|"")/gi,
  /\.replace\(\s{0,4}(\/)((?:\\[^\r\n]|[^/\\\r\n]){1,30})\/gi?\s{0,4},\s{0,4}(?:''|"")/gi,
];

export interface Unscrambled {
  /** The way of hiding, in plain words. */
  readonly how: string;
  /** The text with the words. */
  readonly text: string;
}

/** Returns the text of the literals and lists of numbers, put in order, or null when they hide no such word. */
export function unscramble(code: string, language: Language): Unscrambled | null {
  const lower = code.toLowerCase();
  const literals = literalsOf(code);
  // A name such as `power-shell` is ordinary in a script of a page or a server, and the objects of Windows are not.
  const isJavaScript = language === 'javascript';
  const words = isJavaScript ? HOST_WORDS : WORDS;
  const isNew = (text: string, list = WORDS) => {
    const candidate = text.toLowerCase();
    return list.some((word) => candidate.includes(word) && !lower.includes(word));
  };
  // Batch files need no quotes, so the whole code is searched.
  if (WORDS_BACKWARDS.some((word) => lower.includes(word)))
    return { how: 'words written backwards', text: reversed(code) };
  const whole = literals.join('');
  if (isNew(whole, words)) return { how: 'words cut in pieces', text: whole };
  const strewn = literals.filter((literal) => mayBeStrewn(literal, words)).join('\n');
  for (const remove of strewn === '' ? [] : removalsIn(code)) {
    const clean = remove(strewn);
    if (clean.length < strewn.length && isNew(clean, words)) return { how: 'words strewn with junk', text: clean };
  }
  for (const literal of wovenLiterals(literals).filter(mayWeave)) {
    const woven = wovenIn(literal).find((text) => isNew(text));
    if (woven !== undefined) return { how: 'letters out of order', text: woven };
  }
  const spelled = literals.flatMap(numbersOfLiteral).map(textOfNumbers);
  const spelledOut = spelled.find((text) => isNew(text, isJavaScript ? WORDS : WORDS_AND_COMMANDS));
  if (spelledOut !== undefined) return { how: 'letters turned into numbers', text: spelledOut };
  const numbers =
    hiddenInNumbers([...numbersOf(code), ...literals.flatMap(numbersOfLiteral)]) ??
    hiddenInLetters(literals.join('\n'));
  return numbers === null ? null : { how: 'letters turned into numbers', text: numbers };
}

function literalsOf(code: string): string[] {
  const literals: string[] = [];
  let letters = 0;
  for (const [, , literal = ''] of code.matchAll(LITERAL)) {
    letters += literal.length;
    if (literals.length >= MAX_LITERALS || letters > MAX_LETTERS) break;
    literals.push(literal);
  }
  return literals;
}

const textOfNumbers = (numbers: NumberList) =>
  Array.from(numbers, (number) => String.fromCharCode(number & 0xffff)).join('');
/** Returns the literals whose letters may be out of order, the longest first, because attacks hide the whole script in one. */
function wovenLiterals(literals: readonly string[]): string[] {
  let left = MAX_WOVEN;
  return literals
    .filter((literal) => literal.length >= MIN_WOVEN)
    .sort((one, other) => other.length - one.length)
    .filter((literal) => {
      left -= literal.length;
      return left >= 0;
    });
}

/** Returns true when the letters of a word are in the literal in their order, with anything between them. Most literals hold no word. */
function mayBeStrewn(literal: string, words: readonly string[]): boolean {
  if (literal.length < SHORTEST_WORD) return false;
  const lower = literal.toLowerCase();
  return words.some((word) => {
    let at = 0;
    for (let index = 0; index < word.length; index++) {
      at = lower.indexOf(word.charAt(index), at) + 1;
      if (at === 0) return false;
    }
    return true;
  });
}

const reversed = (text: string) => [...text].reverse().join('');

function removalsIn(code: string): ((literal: string) => string)[] {
  const junk = new Map<string, (literal: string) => string>();
  for (const pattern of REMOVALS) {
    for (const [, quote = '', what = ''] of code.matchAll(pattern)) {
      const remove = quote === '/' ? patternRemoval(what) : (literal: string) => literal.replaceAll(what, '');
      if (junk.size < MAX_REMOVALS && remove !== null) junk.set(`${quote}${what}`, remove);
    }
  }
  return [...junk.values()];
}

/**
 * Returns the removal of a pattern that means one text or letters of a set. Other patterns are not run, because they could take forever.
 */
function patternRemoval(pattern: string): ((literal: string) => string) | null {
  const set = /^\[([\w#@!$%&*~^|;:.\- ]{1,24})\]\+?$/.exec(pattern)?.[1];
  if (set !== undefined) {
    const letters = setOf(set);
    return letters === null ? null : (literal) => literal.replace(letters, '');
  }
  const isPlain = /^(?:\\[^\w\s]|[^\\[\](){}*+?|.^$])+$/.test(pattern);
  const plain = pattern.replace(/\\([^\w\s])/g, '$1');
  return isPlain ? (literal) => literal.replaceAll(plain, '') : null;
}

function setOf(letters: string): RegExp | null {
  try {
    return new RegExp(`[${letters}]`, 'g');
  } catch {
    // A range in the set is the wrong way around, so the script itself could not use it.
    return null;
  }
}

/** The two letters with which words begin, forwards and backwards, by their codes. */
const BEGINNINGS = new Uint8Array(128 * 128);
const WOVEN = [...WORDS, ...WORDS_BACKWARDS].map((word) => Buffer.from(word));
for (const [one = 0, two = 0] of WOVEN) BEGINNINGS[one * 128 + two] = 1;

/**
 * Returns true when a word may be in the literal at some step, in either direction. It is tested before letters are joined, which costs
 * more.
 */
function mayWeave(literal: string): boolean {
  const codes = Buffer.from(lettersIn(literal).toLowerCase(), 'latin1');
  for (let step = 2; step <= MAX_STEP; step++) {
    for (let at = 0; at + step < codes.length; at++) {
      const one = codes[at] ?? 0;
      const two = codes[at + step] ?? 0;
      if ((one | two) >= 128 || BEGINNINGS[one * 128 + two] === 0) continue;
      if (WOVEN.some((word) => word.every((code, index) => codes[at + index * step] === code))) return true;
    }
  }
  return false;
}

const lettersIn = (literal: string) => (literal.includes('\\') ? literal.replace(/\\(.)/g, '$1') : literal);

/** Returns the texts of every n-th letter, and of letters that are taken in turn from the front and from the back. */
function wovenIn(literal: string): string[] {
  const letters = lettersIn(literal);
  const texts: string[] = [];
  for (let step = 2; step <= MAX_STEP; step++) {
    for (let from = 0; from < step; from++) {
      let text = '';
      for (let at = from; at < letters.length; at += step) text += letters.charAt(at);
      texts.push(text);
    }
  }
  const [even = '', odd = ''] = texts;
  return [...texts, reversed(even) + odd, reversed(odd) + even];
}

function numbersOf(code: string): NumberList[] {
  return [...code.matchAll(NUMBER_LIST)].map(([, list = '']) => list.split(',').map((number) => Number(number.trim())));
}

/** Returns the numbers in a literal: hexadecimal digits, or numbers with separators. */
function numbersOfLiteral(literal: string): NumberList[] {
  if (literal.length < MIN_NUMBERS) return [];
  const lists: NumberList[] = [];
  if (literal.length % 2 === 0 && /^[0-9a-f]+$/i.test(literal)) lists.push([...Buffer.from(literal, 'hex')]);
  const between = /^(?:0x)?[0-9a-f]{1,4}([^0-9a-f]{1,3})/i.exec(literal)?.[1];
  if (between === undefined) return lists;
  const parts = literal.split(between).filter((part) => part !== '');
  if (parts.length < MIN_NUMBERS) return lists;
  for (const base of [10, 16]) {
    const numbers = parts.map((part) => Number.parseInt(part, base));
    if (numbers.every((number) => Number.isInteger(number))) lists.push(numbers);
  }
  return lists;
}
