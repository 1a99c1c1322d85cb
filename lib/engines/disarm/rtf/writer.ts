/**
 * Writes RTF from scratch: control words, escaped text, groups. A group is opened only when something is written into it. So an emptied
 * group leaves no trace, and a second pass writes the same bytes.
 */

/** The header of every output. The code page in it has no effect, because text beyond ASCII is written as \u. */
export const HEADER = '{\\rtf1\\ansi\\ansicpg1252\\uc1';

export interface RtfWriter {
  /** Enters a group whose first characters are `prefix` (`{`, `{\header`). */
  push(prefix: string): void;
  /** Changes the start of the innermost group. Returns false when it has already started. */
  rename(prefix: string): boolean;
  /** Keeps the innermost group even when nothing is written into it. */
  hold(): void;
  pop(): void;
  /** Returns true when nothing was written into the innermost group. */
  isEmpty(): boolean;
  word(word: string, parameter: number | null): void;
  /** Writes text as UTF-16. Everything beyond printable ASCII becomes \u with one fallback character. */
  text(text: string): void;
  /** Writes bytes that are numbers of glyphs. They keep their value. */
  glyphs(raw: string): void;
  symbol(symbol: string): void;
  /** Writes finished markup that ends in a brace. */
  raw(markup: string): void;
  /** Reserves a place for later markup. Call the returned function before `finish`. */
  reserve(): (markup: string) => void;
  finish(): string;
}

/** Words after which a line ends, so that a person can read the output. */
const ENDS_LINE = new Set(['par', 'row', 'nestrow', 'sect', 'page']);

interface Group {
  prefix: string;
  opened: boolean;
}

export function rtfWriter(): RtfWriter {
  const out: string[] = [];
  const groups: Group[] = [];
  let opened = 0;
  let needsDelimiter = false;
  const openAll = () => {
    for (; opened < groups.length; opened += 1) {
      const group = groups[opened];
      if (group === undefined) return;
      group.opened = true;
      out.push(group.prefix);
      needsDelimiter = group.prefix.length > 1;
    }
  };
  const put = (markup: string, delimits: boolean) => {
    openAll();
    // A word needs no space behind it when an escape follows.
    if (delimits && needsDelimiter && !markup.startsWith('\\')) out.push(' ');
    out.push(markup);
    needsDelimiter = false;
  };
  const putWord = (word: string, parameter: number | null) => {
    const endsLine = ENDS_LINE.has(word);
    put(`\\${word}${parameter ?? ''}${endsLine ? '\n' : ''}`, false);
    needsDelimiter = !endsLine;
  };
  return {
    push: (prefix) => void groups.push({ prefix, opened: false }),
    rename(prefix) {
      const group = groups.at(-1);
      if (group === undefined || group.opened) return false;
      group.prefix = prefix;
      return true;
    },
    pop() {
      const group = groups.pop();
      if (group === undefined || !group.opened) return;
      opened -= 1;
      out.push('}');
      needsDelimiter = false;
    },
    hold: openAll,
    isEmpty: () => groups.at(-1)?.opened === false,
    word: putWord,
    text(text) {
      // A tab is written as the word as which it is read the next time.
      for (const [index, piece] of text.split('\t').entries()) {
        if (index > 0) putWord('tab', null);
        const markup = escapeText(piece);
        // A control character leaves nothing, not even the braces around it.
        if (markup !== '') put(markup, true);
      }
    },
    glyphs: (raw) => put(raw.replace(/[^\x20-\x7e]|[\\{}]/g, escapeByte), true),
    symbol: (symbol) => put(`\\${symbol}`, false),
    raw: (markup) => put(markup, false),
    reserve() {
      put('', false);
      const at = out.length - 1;
      return (markup) => {
        out[at] = markup;
      };
    },
    finish: () => out.join(''),
  };
}

function escapeByte(byte: string): string {
  if (byte === '\\' || byte === '{' || byte === '}') return `\\${byte}`;
  return `\\'${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/** Returns text as RTF: backslash and braces are escaped, control characters are dropped, and everything else beyond ASCII becomes \u. */
export function escapeText(text: string): string {
  if (!/[^\x20-\x5b\x5d-\x7a\x7c~]/.test(text)) return text;
  return text.replace(/[^\x20-\x5b\x5d-\x7a\x7c~]/g, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x5c || code === 0x7b || code === 0x7d) return `\\${character}`;
    if (code === 9) return '\\tab ';
    if (code < 0x20 || code === 0x7f) return '';
    // Each unit of UTF-16 is written as a signed number of 16 bits (specification, "Unicode RTF").
    return `\\u${code > 0x7fff ? code - 0x10000 : code}?`;
  });
}
