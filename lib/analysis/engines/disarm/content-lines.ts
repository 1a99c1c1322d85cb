/**
 * Content lines of calendars (RFC 5545) and contact cards (RFC 6350): unfolded and taken apart, and written again, folded, with
 * nothing in them that could start another line.
 */
import { EngineError } from '../engine.ts';

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

/** Unfolds the text and parses every line; what is no content line is null. Throws EngineError `oversize`. */
export function parseLines(text: string): (ContentLine | null)[] {
  // A bare carriage return is a line end to some programs: to them, what follows it is a property.
  const lines = joined(text)
    .replace(/^\ufeff/, '')
    .replace(/\r\n?|[\n\u0085\u2028\u2029]/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length > MAX_LINES) throw new EngineError('oversize', 'the file has too many lines');
  return lines.map(parseLine);
}

/** vCard 2.1 continues a quoted-printable value after an equals sign at the end of its line, without a blank. */
function joined(text: string): string {
  if (!/QUOTED-PRINTABLE/i.test(text)) return text;
  const lines = text.split(/\r?\n/);
  const out: string[] = [];
  let continues = false;
  for (const line of lines) {
    const isQuoted: boolean = continues || /^[^:]{0,300}QUOTED-PRINTABLE[^:]{0,300}:/i.test(line);
    const isOpen: boolean = isQuoted && line.endsWith('=');
    const content = isOpen ? line.slice(0, -1) : line;
    if (continues) out.push(`${out.pop() ?? ''}${content}`);
    else out.push(content);
    continues = isOpen;
  }
  return out.join('\n');
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

/** The value of a parameter without quotes, upper case; empty when there is none. */
export function parameterOf(line: ContentLine, name: string): string {
  const value = line.parameters.find((parameter) => parameter.name === name)?.value ?? '';
  return value.replaceAll('"', '').toUpperCase();
}

/** Writes lines with CRLF, folded at 75 octets; controls other than tab are left out. */
export function writeLines(lines: readonly ContentLine[]): string {
  return lines.map((line) => `${fold(lineText(line))}\r\n`).join('');
}

function lineText({ name, parameters, value }: ContentLine): string {
  const words = parameters.map((parameter) =>
    parameter.value === '' ? `;${parameter.name}` : `;${parameter.name}=${parameter.value}`,
  );
  return withoutControls(`${name}${words.join('')}:${value}`);
}

/** True when a line holds characters that are never written. */
export function hasControls(line: ContentLine): boolean {
  const text = `${line.value}${line.parameters.map(({ value }) => value).join('')}`;
  return withoutControls(text) !== text;
}

function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\t]/gu, '');
}

function fold(text: string): string {
  if (text.length <= LINE_OCTETS && Buffer.byteLength(text) <= LINE_OCTETS) return text;
  const lines: string[] = [];
  let line = '';
  let octets = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE_OCTETS) {
      lines.push(line);
      line = ' ';
      octets = 1;
    }
    line += character;
    octets += size;
  }
  return [...lines, line].join('\r\n');
}
