/**
 * Disarm of HTML. A page with only allow-listed content is returned byte for byte. Any other page is written anew, as UTF-8, with its
 * allow-listed content. It is read and written again until nothing changes.
 */

import { readingsOf } from '../../../formats/charsets/page-readings.ts';
import { utf32Order } from '../../../formats/charsets/utf32.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput, type Removal } from '../../engine.ts';
import type { Disarm, Disarmed, DisarmStrategy } from '../disarm-module.ts';
import { findActive, RemovalList } from './active.ts';
import { rebuildHtml } from './rebuild.ts';
import { parseHtml } from './tree.ts';

/** The most rounds of rewriting. A page is stable after one round, or after two when its elements are nested as no parser nests them. */
const ROUNDS = 3;

/** Names under which programs read a page as XML, as a program or as an archive, and not as HTML. */
const OTHER_READERS = /\.(?:xhtml?|xht|xml|svgz?|hta|mht|mhtml|sct|wsf)\s*$/i;

/** Tags in a title. Browsers take them for text, and programs that only look for tags take them for markup. The rebuild escapes them. */
const MARKUP_IN_TITLE = /<title\b[^>]{0,200}>(?:[^<]|<(?![a-z!/?]))*<(?!\/title)[a-z!/?]/i;

/**
 * `unsupported` when its name makes a program read it as something else, `oversize` when it breaks a limit, `unreadable` when no stable
 * safe form of it is found.
 */
export async function disarm(input: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  if (OTHER_READERS.test(input.untrustedName.slice(-100)))
    throw new EngineError('unsupported', 'the name makes programs read this page as something other than HTML');
  if (input.bytes.length > limits.inputBytes) throw new EngineError('oversize', 'the page is larger than the limit');
  const keepsAuthor = input.keepMetadata === true;
  const [active, passive] = [new RemovalList(), new RemovalList()];
  const [main, ...others] = readingsOf(input.bytes);
  const page = parseHtml(main, limits);
  findActive(page, limits, active);
  if (MARKUP_IN_TITLE.test(main)) active.add('unparsed markup', 'title', 'sanitized');
  const rebuilt = rebuildHtml(page, passive, keepsAuthor);
  // Browsers take it for UTF-16 with NULs.
  if (utf32Order(input.bytes) !== null) passive.add('text encoding', 'file', 'sanitized');
  for (const other of others) {
    // The page is written anew from its main reading. Another reading only matters for a page that would otherwise stay as it is.
    const isClean = active.isEmpty && passive.isEmpty;
    if (!isClean && asciiOf(other) === asciiOf(main)) continue;
    const otherPage = parseHtml(other, limits);
    findActive(otherPage, limits, active);
    if (isClean) rebuildHtml(otherPage, passive, keepsAuthor);
  }
  if (active.isEmpty && passive.isEmpty) return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
  const html = stableForm(rebuilt, limits, keepsAuthor);
  const bytes = new TextEncoder().encode(html);
  if (bytes.length > limits.outputBytes) throw new EngineError('oversize', 'the rebuilt page is larger than the limit');
  // Active content comes first in the report, so that no flood of anything else pushes it off the list.
  const details = [...active.toArray(), ...passive.toArray()];
  return { outcome: 'disarmed', bytes, type, details, again: againOf(html) };
}

/** Writes a page anew, with any content, as the part of a document of another kind. Throws EngineError `oversize`, `unreadable`. */
export function writtenPage(html: string, limits: EngineLimits): { html: string; details: readonly Removal[] } {
  const [active, passive] = [new RemovalList(), new RemovalList()];
  const page = parseHtml(html, limits);
  findActive(page, limits, active);
  const rebuilt = stableForm(rebuildHtml(page, passive, false), limits, false);
  return { html: rebuilt, details: [...active.toArray(), ...passive.toArray()] };
}

/** Returns the ASCII characters of a text. All markup consists of them, so readings with the same ASCII characters have the same tags. */
const asciiOf = (text: string) => text.replace(/[\u0080-\uffff]+/g, '');

/**
 * Returns the second pass for the result. The last round of `stableForm` has rebuilt this very text and got the same, so it does not have
 * to run again.
 */
function againOf(stable: string): Disarm {
  return async (input, type, limits) => {
    const readings = readingsOf(input.bytes);
    if (readings.length !== 1 || readings[0] !== stable) return disarm(input, type, limits);
    return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
  };
}

/**
 * Rebuilds a page until another rebuild changes nothing. This guards against mutation, which is markup that becomes other markup when it is
 * read again. Throws EngineError `unreadable`.
 */
function stableForm(rebuilt: string, limits: EngineLimits, keepsAuthor: boolean): string {
  let html = rebuilt;
  for (let round = 0; round < ROUNDS; round++) {
    const page = parseHtml(html, limits);
    const left = new RemovalList();
    findActive(page, limits, left);
    const again = rebuildHtml(page, left, keepsAuthor);
    if (left.isEmpty && again === html) return html;
    html = again;
  }
  throw new EngineError('unreadable', 'the page changes each time it is read, so no safe form of it exists');
}

export const strategies: readonly DisarmStrategy[] = [
  {
    name: 'text only',
    keepsText: true,
    disarm: async (input, type, limits) => (await import('./text-only.ts')).disarmAsText(input, type, limits),
  },
];
