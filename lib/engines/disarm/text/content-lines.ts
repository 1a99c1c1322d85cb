/**
 * Content lines of calendars (RFC 5545) and contact cards (RFC 6350). They are unfolded and taken apart. Then they are written again,
 * folded, without anything that could start another line.
 */
import { EngineError } from '../../engine.ts';

export interface Parameter {
  /** Upper case. */
  readonly name: string;
  readonly value: string;
}

export interface ContentLine {
  /** Upper case, without group. */
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly value: string;
}

/** Lines of one file: a calendar of ten years has some 100,000. */
const MAX_LINES = 500_000;
/** RFC 5545 §3.1: octets of one line, without its end. */
const LINE_OCTETS = 75;

export interface ParsedLines {
  /** Null for what is not a content line. */
  readonly lines: readonly (ContentLine | null)[];
  /** False when a reader that knows only RFC 5545 and RFC 6350 finds other lines in the text, which must then be written anew. */
  readonly isPlain: boolean;
}

/** Unfolds the text and parses every line. Throws EngineError `oversize`. */
export function parseLines(text: string): ParsedLines {
  const whole = joined(text);
  // A bare carriage return is a line end to some programs, which then read the rest as a property.
  const unfolded = whole
    .replace(/^\ufeff/, '')
    .replace(/\r\n?|[\n\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/\n[ \t]/g, '');
  const lines = unfolded.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > MAX_LINES) throw new EngineError('oversize', 'the file has too many lines');
  const parsed = lines.map(parseLine);
  // A soft line end in a format without soft line ends. Programs that know it from vCard 2.1 join the next property to it.
  const isOpen = (line: ContentLine | null) => line !== null && saysQuotedPrintable(line) && /[=\s]$/.test(line.value);
  const isPlain = whole === text && !/\r(?!\n)|[\v\f\u0085\u2028\u2029]/.test(text) && !parsed.some(isOpen);
  return { lines: parsed.map((line) => (line !== null && isOpen(line) ? closed(line) : line)), isPlain };
}

/** Returns whether the words occur in the whole line. Programs that look there find them in any parameter. */
function saysQuotedPrintable({ parameters }: ContentLine): boolean {
  return parameters.some(({ name, value }) => /QUOTED-PRINTABLE/i.test(`${name}=${value}`));
}

function closed(line: ContentLine): ContentLine {
  let end = line.value.length;
  while (/[=\s]/.test(line.value.charAt(end - 1))) end--;
  return { ...line, value: line.value.slice(0, end) };
}

/** The formats before iCalendar and vCard 3, whose quoted-printable lines continue without a blank. Their successors have none. */
const OLD_FORMATS: ReadonlyMap<string, RegExp> = new Map([
  ['2.1', /^\ufeff?\s{0,9}BEGIN:VCARD/i],
  ['1.0', /^\ufeff?\s{0,9}BEGIN:VCALENDAR/i],
]);

/** vCard 2.1 and vCalendar 1.0 continue a quoted-printable value after an equals sign at the end of its line. */
function joined(text: string): string {
  const version = /^VERSION:(\S{1,10})/im.exec(text)?.[1] ?? '';
  if (OLD_FORMATS.get(version)?.test(text) !== true) return text;
  const out: string[] = [];
  let continues = false;
  for (const line of text.split(/\r?\n/)) {
    const isQuoted: boolean = continues || isQuotedPrintable(parseLine(line));
    const isOpen: boolean = isQuoted && line.endsWith('=');
    const content = isOpen ? line.slice(0, -1) : line;
    if (continues) out.push(`${out.pop() ?? ''}${content}`);
    else out.push(content);
    continues = isOpen;
  }
  // Returns the text unchanged when no line continues in the next.
  return out.length === text.split(/\r?\n/).length ? text : out.join('\n');
}

/** Returns true for `ENCODING=QUOTED-PRINTABLE`, and for the bare word of vCard 2.1. In any other place the words mean nothing. */
function isQuotedPrintable(line: ContentLine | null): boolean {
  if (line === null) return false;
  const isBare = line.parameters.some(({ name, value }) => name === 'QUOTED-PRINTABLE' && value === '');
  return isBare || parameterOf(line, 'ENCODING') === 'QUOTED-PRINTABLE';
}

const NAME = /^(?:[\w-]{1,60}\.)?([A-Za-z0-9-]{1,60})/;
const PARAMETER = /;([A-Za-z0-9-]{1,60})(?:=((?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*))?/y;

function parseLine(line: string): ContentLine | null {
  const name = NAME.exec(line);
  if (name === null) return null;
  const parameters: Parameter[] = [];
  let at = name[0].length;
  while (line.charAt(at) === ';') {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(line);
    if (match === null) return null;
    parameters.push({ name: (match[1] ?? '').toUpperCase(), value: match[2] ?? '' });
    at = PARAMETER.lastIndex;
  }
  if (line.charAt(at) !== ':') return null;
  return { name: (name[1] ?? '').toUpperCase(), parameters, value: line.slice(at + 1) };
}

/** Returns the value of a parameter without quotes, upper case; empty when there is none. */
export function parameterOf(line: ContentLine, name: string): string {
  const value = line.parameters.find((parameter) => parameter.name === name)?.value ?? '';
  return value.replaceAll('"', '').toUpperCase();
}

/**
 * Writes lines with CRLF, folded at 75 octets but for long addresses. Controls other than tab become blanks, because leaving them out would
 * join the words around them.
 */
export function writeLines(lines: readonly ContentLine[]): string {
  return lines.map((line) => `${fold(lineText(line))}\r\n`).join('');
}

function lineText({ name, parameters, value }: ContentLine): string {
  const words = parameters.map((parameter) =>
    parameter.value === '' ? `;${parameter.name}` : `;${parameter.name}=${parameter.value}`,
  );
  return withoutControls(`${name}${words.join('')}:${value}`);
}

/** Returns true when a line contains characters that are never written. */
export function hasControls(line: ContentLine): boolean {
  const text = `${line.value}${line.parameters.map(({ value }) => value).join('')}`;
  return withoutControls(text) !== text;
}

function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\t]/gu, ' ');
}

/**
 * Breaks in front of blanks, because old programs keep the blank of the fold as text: an address that is cut becomes another one. A word
 * that holds an address is never cut, so its line may be longer (a SHOULD of RFC 5545 §3.1). Any other word is cut where the line is full.
 */
function fold(text: string): string {
  if (text.length <= LINE_OCTETS && Buffer.byteLength(text) <= LINE_OCTETS) return text;
  const lines: string[] = [];
  let words: string[] = [];
  let octets = 0;
  for (const word of text.split(/(?= )/)) {
    const size = Buffer.byteLength(word);
    const isFull = octets + size > LINE_OCTETS;
    if (isFull && octets > 0 && words.at(-1)?.endsWith('=') === false) {
      lines.push(words.join(''));
      words = [' '];
      octets = 1;
    }
    const isCut = isFull && size >= LINE_OCTETS && octets <= 1 && MAY_BE_CUT.test(word);
    const pieces = isCut ? cut(`${words.join('')}${word}`) : [word];
    if (isCut) words = [];
    for (const piece of pieces.slice(0, -1)) lines.push(piece);
    words.push(pieces.at(-1) ?? '');
    octets = isCut ? Buffer.byteLength(words.join('')) : octets + size;
  }
  return [...lines, words.join('')].join('\r\n');
}

/** An equals sign at the end of a line would be a soft line end in a quoted-printable value. */
const SOFT_END = /={1,9}$/;
/** A word without the signs of an address, or a value in base64, with its property in front. */
const MAY_BE_CUT = /^[^:/\\.%@。．｡․]*$|^(?:[A-Z0-9;=,"._-]{1,200}:)? ?[A-Za-z0-9+/]{70,}={0,2}$/i;

function cut(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  let octets = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE_OCTETS) {
      const open = SOFT_END.exec(line)?.[0] ?? '';
      lines.push(line.slice(0, line.length - open.length));
      line = ` ${open}`;
      octets = 1 + open.length;
    }
    line += character;
    octets += size;
  }
  return [...lines, line];
}
