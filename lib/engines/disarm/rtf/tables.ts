/** The font and colour tables of an RTF document, read into values and written anew. */
import { isKnownCharset } from './charsets.ts';
import { escapeText } from './writer.ts';

/** The most rows of a font table. Tables of millions of rows made a reader write past its end. */
const MAX_FONTS = 4_096;
const MAX_COLORS = 4_096;
const MAX_FONT_ID = 0x7fff;
const MAX_NAME_LENGTH = 64;
const FAMILIES = new Set('fnil froman fswiss fmodern fscript fdecor ftech fbidi'.split(' '));

interface FontRow {
  id: number;
  family: string;
  charset: number | undefined;
  pitch: number | null;
  name: string;
}

export interface FontTable {
  word(word: string, parameter: number | null): void;
  text(text: string): void;
  /** Returns the charset in which the name of the current row is written. */
  charset(): number | undefined;
  /** Markup of the rows read since the last call. */
  finish(): string;
  charsetOf(id: number): number | undefined;
}

export function fontTable(): FontTable {
  const charsets = new Map<number, number>();
  let rows: FontRow[] = [];
  let current: FontRow | null = null;
  const end = () => {
    if (current !== null && current.id >= 0 && current.id <= MAX_FONT_ID && charsets.size < MAX_FONTS) {
      rows.push(current);
      charsets.set(current.id, current.charset ?? 1);
    }
    current = null;
  };
  return {
    word(word, parameter) {
      if (word === 'f') {
        end();
        current = { id: parameter ?? 0, family: 'fnil', charset: undefined, pitch: null, name: '' };
      } else if (current !== null) {
        if (FAMILIES.has(word)) current.family = word;
        if (word === 'fcharset' && parameter !== null && isKnownCharset(parameter)) current.charset = parameter;
        if (word === 'fprq' && parameter !== null && parameter >= 0 && parameter <= 2) current.pitch = parameter;
      }
    },
    text(text) {
      const stop = text.indexOf(';');
      if (current !== null && current.name.length < MAX_NAME_LENGTH)
        current.name += stop === -1 ? text : text.slice(0, stop);
      if (stop !== -1) end();
    },
    charset: () => current?.charset,
    finish() {
      end();
      const markup = rows.map(writeFont).join('');
      rows = [];
      return markup === '' ? '' : `{\\fonttbl${markup}}`;
    },
    charsetOf: (id) => charsets.get(id),
  };
}

function writeFont({ id, family, charset, pitch, name }: FontRow): string {
  const shown = name
    .slice(0, MAX_NAME_LENGTH)
    .replace(/\p{Cc}/gu, '')
    .trim();
  const shape = `\\${family}${pitch === null ? '' : `\\fprq${pitch}`}${charset === undefined ? '' : `\\fcharset${charset}`}`;
  return `{\\f${id}${shape} ${escapeText(shown)};}`;
}

export interface ColorTable {
  word(word: string, parameter: number | null): void;
  text(raw: string): void;
  finish(): string;
}

export function colorTable(): ColorTable {
  const rows: string[] = [];
  let color: { red: number; green: number; blue: number } | null = null;
  return {
    word(word, parameter) {
      if (word !== 'red' && word !== 'green' && word !== 'blue') return;
      color ??= { red: 0, green: 0, blue: 0 };
      if (parameter !== null && parameter >= 0 && parameter <= 255) color[word] = parameter;
    },
    text(raw) {
      for (const character of raw) {
        if (character !== ';' || rows.length >= MAX_COLORS) continue;
        rows.push(color === null ? ';' : `\\red${color.red}\\green${color.green}\\blue${color.blue};`);
        color = null;
      }
    },
    finish: () => (rows.length === 0 ? '' : `{\\colortbl${rows.join('')}}`),
  };
}
