/** Colours, coloured words, sizes and wrapped lines for reports. */
import { styleText } from 'node:util';
import type { Disposition, Verdict } from '../pipeline/model.ts';

export type Paint = (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', text: string) => string;

/** Paints, or leaves the text as it is. */
export function painter(color: boolean): Paint {
  return (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
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

/** The text in lines of at most `width` characters, every line after the first indented. */
export function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}
