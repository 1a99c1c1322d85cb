/** Writes JSON in which every setting is a comment, so that the file changes nothing until somebody takes the slashes away. */
import stringWidth from 'string-width';
import { wrap } from '../paint.ts';

/** A setting in a comment, or an object that holds such settings. */
export interface CommentedEntry {
  readonly name: string;
  /** The words above it for a person. Markdown is removed. */
  readonly says: string;
  /** The value in the comment, or the content of the object. */
  readonly value: { readonly setting: unknown } | { readonly entries: readonly CommentedEntry[] };
}

const WIDTH = 110;

/** Writes the file: a paragraph for each of `head`, then the entries. */
export function commentedText(head: readonly string[], entries: readonly CommentedEntry[]): string {
  const inside = [...head.flatMap((text) => prose(text, 1)), '', ...linesOf(entries, 1)];
  return `{\n${inside.join('\n')}\n}\n`;
}

function linesOf(entries: readonly CommentedEntry[], depth: number): string[] {
  return entries.flatMap((entry, index) => {
    const gap = depth === 1 && index > 0 ? [''] : [];
    const said = entry.says === '' ? [] : prose(entry.says, depth);
    return [...gap, ...said, ...valueLines(entry, depth)];
  });
}

function valueLines({ name, value }: CommentedEntry, depth: number): string[] {
  const [indent, key] = ['  '.repeat(depth), JSON.stringify(name)];
  if ('entries' in value) return [`${indent}${key}: {`, ...linesOf(value.entries, depth + 1), `${indent}},`];
  const [short, long] = [oneLine(value.setting), JSON.stringify(value.setting, null, 2)];
  const text = stringWidth(`${indent}// ${key}: ${short},`) > WIDTH ? long : short;
  return `${key}: ${text},`.split('\n').map((line) => `${indent}// ${line}`);
}

/** Writes a value like a person: with a space after each comma and colon, and inside of braces. */
function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${oneLine(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Wraps words so that no line begins with a quotation mark, because such a line is a setting. */
function prose(markdown: string, depth: number): string[] {
  const start = `${'  '.repeat(depth)}// `;
  const bound = plain(markdown).replaceAll(' "', '\u00a0"');
  return `${start}${wrap(bound, WIDTH - start.length, start)}`.replaceAll('\u00a0', ' ').split('\n');
}

/** Replaces a link by its words, and code by its text. */
const plain = (markdown: string) => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
