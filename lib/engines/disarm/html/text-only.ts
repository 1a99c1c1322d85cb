/** The second way for HTML: the words of the page, in paragraphs, and no markup of the page's own. */

import { readingsOf } from '../../../formats/charsets/page-readings.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import type { EngineLimits, FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { linesOf } from './lines.ts';

/** Writes the text of the page anew. Throws EngineError `oversize`. */
export async function disarmAsText(input: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const paragraphs = linesOf(readingsOf(input.bytes)[0], limits);
  const body = paragraphs.map((line) => `<p>${escaped(line)}</p>`).join('');
  const page = `<html><head></head><body>${body}</body></html>`;
  const details = [{ kind: 'markup', action: 'removed', where: 'page' }] as const;
  return { outcome: 'disarmed', bytes: new TextEncoder().encode(page), type, details };
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\+(?=[A-Za-z0-9+/]{2})/g, '&#43;');
}
