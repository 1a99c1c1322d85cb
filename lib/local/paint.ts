/** Colours, coloured words, sizes and wrapped lines for reports. */
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import type { Disposition, Verdict } from '../pipeline/model.ts';
import type { Console } from './console.ts';

export interface Paint {
  (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', text: string): string;
  /** The width for lines, in columns. */
  readonly width: number;
}

/** The width when there is no terminal, or a wide one, because longer lines are hard to read. */
const WIDTH = 100;
const NARROWEST = 60;

/** Paints a text, or leaves it unchanged. */
export function painter(color: boolean, columns = WIDTH): Paint {
  const paint = (style: Parameters<Paint>[0], text: string) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  return Object.assign(paint, { width: Math.min(WIDTH, Math.max(NARROWEST, columns)) });
}

/** Makes a painter for stdout. On a terminal it uses colours, unless NO_COLOR is set, and lines of its width. */
export function painterFor({ stdout, env }: Pick<Console, 'stdout' | 'env'>): Paint {
  return painter(stdout.isTTY === true && !env.NO_COLOR, stdout.isTTY === true ? stdout.columns : undefined);
}

/** Returns a verdict in its colour, padded to the longest. */
export function paintVerdict(paint: Paint, verdict: Verdict): string {
  const padded = verdict.padEnd(10);
  if (verdict === 'benign') return paint('green', padded);
  if (verdict === 'unknown') return paint('dim', padded);
  return paint(verdict === 'malicious' ? 'red' : 'yellow', padded);
}

/** Returns a disposition in its colour, padded to the longest; a dash when there is no decision. */
export function paintDisposition(paint: Paint, disposition: Disposition | null): string {
  const padded = (disposition ?? '-').padEnd(7);
  if (disposition === 'keep') return paint('green', padded);
  if (disposition === null) return paint('dim', padded);
  return paint(disposition === 'remove' ? 'red' : 'yellow', padded);
}

/** Returns a size for people: `9.7 KB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

/**
 * Returns the text in lines of at most `width` columns of a terminal, every line after the first indented. A wide character has two
 * columns.
 */
export function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && stringWidth(line) + 1 + stringWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}
