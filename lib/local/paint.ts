/** Colours, coloured words, sizes and wrapped lines for reports. */
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import type { Disposition, Verdict } from '../pipeline/model.ts';
import type { Console } from './console.ts';

export interface Paint {
  (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', text: string): string;
  /** Columns in which lines are to fit. */
  readonly width: number;
}

/** Where nobody sees the width, and on wide terminals: longer lines are hard to read. */
const WIDTH = 100;
const NARROWEST = 60;

/** Paints, or leaves the text as it is. */
export function painter(color: boolean, columns = WIDTH): Paint {
  const paint = (style: Parameters<Paint>[0], text: string) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  return Object.assign(paint, { width: Math.min(WIDTH, Math.max(NARROWEST, columns)) });
}

/** Paints for what stdout is: colours on a terminal, unless NO_COLOR is set, and lines as wide as it is. */
export function painterFor({ stdout, env }: Pick<Console, 'stdout' | 'env'>): Paint {
  return painter(stdout.isTTY === true && !env.NO_COLOR, stdout.isTTY === true ? stdout.columns : undefined);
}

/** A verdict in its colour, padded to the longest. */
export function paintVerdict(paint: Paint, verdict: Verdict): string {
  const padded = verdict.padEnd(10);
  if (verdict === 'benign') return paint('green', padded);
  if (verdict === 'unknown') return paint('dim', padded);
  return paint(verdict === 'malicious' ? 'red' : 'yellow', padded);
}

/** A disposition in its colour, padded to the longest; a dash when none was decided. */
export function paintDisposition(paint: Paint, disposition: Disposition | null): string {
  const padded = (disposition ?? '-').padEnd(7);
  if (disposition === 'keep') return paint('green', padded);
  if (disposition === null) return paint('dim', padded);
  return paint(disposition === 'remove' ? 'red' : 'yellow', padded);
}

/** A size for people: `9.7 KB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

/** The text in lines of at most `width` columns of a terminal, every line after the first indented. A wide character has two columns. */
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
