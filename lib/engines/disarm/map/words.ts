/** Words of a map as plain text. Programs show them as a page, so they may contain nothing that a page reads as markup. */
import type { EngineLimits } from '../../engine.ts';
import { linesOf } from '../html/lines.ts';

/** The beginning of a tag, a comment or an instruction. */
const MARKUP = /<[a-z!/?]/i;
const CONTROLS = /[^\P{Cc}\n]/gu;

/** Returns the plain form of a text that may be a page. The addresses of its links follow their words. Throws EngineError `oversize`. */
export function plainWords(untrusted: string, limits: EngineLimits): string {
  const text = untrusted.replace(/\r\n?/g, '\n').replaceAll('\t', ' ').replace(CONTROLS, '');
  if (!/[<&]/.test(text)) return text;
  const lines = MARKUP.test(text)
    ? linesOf(text, limits, true)
    : text.split('\n').map((line) => linesOf(line, limits).join(' '));
  return lines.map((line) => inPage(line, limits)).join('\n');
}

/** Returns a line in the form in which a page shows it; unchanged if both are the same. */
function inPage(line: string, limits: EngineLimits): string {
  if (!/[<&]/.test(line)) return line;
  const isPlain = !MARKUP.test(line) && linesOf(line, limits).join(' ') === line;
  return isPlain ? line : line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
