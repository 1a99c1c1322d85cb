/**
 * A tokenizer for RTF in linear time (specification 1.9.1): groups, control words and symbols, escaped bytes, text, raw binary. It
 * resolves what senders use to hide content (delimiters, too long words, numbers that overflow, braces in raw bytes). It judges nothing.
 */

/** Receives the tokens of one document in order. Text and binary are ranges of the input. */
export interface RtfSink {
  open(): void;
  close(): void;
  /** Takes a control word. `word` is '' when it is longer than any word of the format. `parameter` is NaN when it does not fit 32 bits. */
  word(word: string, parameter: number | null): void;
  symbol(code: number): void;
  /** Takes a byte written as \'hh. */
  byte(value: number): void;
  text(from: number, to: number): void;
  binary(from: number, to: number): void;
}

/** The longest word, as the specification says. Some readers cut a longer word, and others ignore it. */
const MAX_WORD_LENGTH = 32;
const MAX_PARAMETER = 0x7fffffff;

const OPEN = 0x7b;
const CLOSE = 0x7d;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const MINUS = 0x2d;
const QUOTE = 0x27;

/** Bytes that end a run of text: braces, backslash, line ends and NUL, which readers skip. */
const ENDS_TEXT = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === OPEN || byte === CLOSE || byte === BACKSLASH || byte === 0x0a || byte === 0x0d || byte === 0 ? 1 : 0,
);

/**
 * Reads the group that starts at `from` in a document whose bytes are the characters of `source`. Returns the offset after the closing
 * brace, or the length of the document when the group never closes.
 */
export function readRtf(source: string, from: number, sink: RtfSink): number {
  const { length } = source;
  let at = from;
  let depth = 0;
  while (at < length) {
    const code = source.charCodeAt(at);
    if (code === BACKSLASH) {
      at = readControl(source, at + 1, sink);
    } else if (code === OPEN) {
      depth += 1;
      sink.open();
      at += 1;
    } else if (code === CLOSE) {
      depth -= 1;
      sink.close();
      at += 1;
      if (depth === 0) return at;
    } else if (ENDS_TEXT[code] === 1) {
      at += 1;
    } else {
      const start = at;
      while (at < length && ENDS_TEXT[source.charCodeAt(at)] === 0) at += 1;
      sink.text(start, at);
    }
  }
  return at;
}

function readControl(source: string, at: number, sink: RtfSink): number {
  if (at >= source.length) return at;
  const code = source.charCodeAt(at);
  if (isLetter(code)) return readWord(source, at, sink);
  if (code !== QUOTE) {
    sink.symbol(code);
    return at + 1;
  }
  const high = hexValue(source.charCodeAt(at + 1));
  const low = hexValue(source.charCodeAt(at + 2));
  if (high < 0 || low < 0) return at + 1;
  sink.byte(high * 16 + low);
  return at + 3;
}

function readWord(source: string, start: number, sink: RtfSink): number {
  let at = start;
  while (isLetter(source.charCodeAt(at))) at += 1;
  const word = at - start > MAX_WORD_LENGTH ? '' : source.slice(start, at);
  let parameter: number | null = null;
  const isNegative = source.charCodeAt(at) === MINUS && isDigit(source.charCodeAt(at + 1));
  if (isNegative) at += 1;
  if (isDigit(source.charCodeAt(at))) {
    let value = 0;
    for (; isDigit(source.charCodeAt(at)); at += 1) {
      value = Math.min(value * 10 + source.charCodeAt(at) - 0x30, MAX_PARAMETER + 1);
    }
    parameter = value > MAX_PARAMETER ? Number.NaN : isNegative && value > 0 ? -value : value;
  }
  if (source.charCodeAt(at) === SPACE) at += 1;
  if (word !== 'bin') {
    sink.word(word, parameter);
    return at;
  }
  // The counted bytes are not RTF, even when they look like it.
  const length = parameter === null || Number.isNaN(parameter) || parameter < 0 ? 0 : parameter;
  const end = Math.min(source.length, at + length);
  sink.binary(at, end);
  return end;
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Returns the value of a hexadecimal digit; -1 for anything else. */
function hexValue(code: number): number {
  if (isDigit(code)) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
