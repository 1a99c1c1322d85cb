/**
 * Disarm of HTML. A page without active content comes back byte for byte; any other is written anew from what the allow-lists
 * name, as UTF-8, and read again until reading changes nothing any more.
 */
import { type DetectedType, EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed, DisarmStrategy } from '../disarm-module.ts';
import { findActive, RemovalList } from './active.ts';
import { withoutAuthor } from './author.ts';
import { readingsOf } from './charset.ts';
import { rebuildHtml } from './rebuild.ts';
import { parseHtml } from './tree.ts';

/** Rewriting a page until it stays the same takes one round, two where elements were nested as no parser nests them. */
const ROUNDS = 3;

/** Names under which a page is not read as HTML: as XML, as a program, or as an archive. */
const OTHER_READERS = /\.(?:xhtml?|xht|xml|svgz?|hta|mht|mhtml|sct|wsf)\s*$/i;

/** True for HTML pages. */
export function accepts(type: DetectedType): boolean {
  return type.type === 'text/html';
}

/**
 * Takes active content out of a page. Throws EngineError: `unsupported` when its name makes a program read it as something
 * else, `oversize` when it breaks a limit, `unreadable` when no stable safe form of it is found.
 */
export async function disarm(input: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  if (OTHER_READERS.test(input.untrustedName.slice(-100)))
    throw new EngineError('unsupported', 'the name makes programs read this page as something other than HTML');
  if (input.bytes.length > limits.inputBytes) throw new EngineError('oversize', 'the page is larger than the limit');
  const readings = readingsOf(input.bytes);
  const removals = new RemovalList();
  for (const reading of readings) findActive(parseHtml(reading, limits).childNodes, limits, removals);
  if (removals.isEmpty) return withoutNames(input, type, limits);
  const html = stableRebuild(readings[0], limits, removals);
  const bytes = new TextEncoder().encode(html);
  if (bytes.length > limits.outputBytes) throw new EngineError('oversize', 'the rebuilt page is larger than the limit');
  return { outcome: 'disarmed', bytes, type, details: removals.toArray() };
}

/** A page without active content stays as it is, but for the name of its author; cut out only if the rest stays inactive. */
function withoutNames(input: FileInput, type: DetectedType, limits: EngineLimits): Disarmed {
  const bytes = input.keepMetadata === true ? null : withoutAuthor(input.bytes);
  const removals = new RemovalList();
  for (const reading of bytes === null ? [] : readingsOf(bytes))
    findActive(parseHtml(reading, limits).childNodes, limits, removals);
  if (bytes === null || !removals.isEmpty) return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
  return { outcome: 'disarmed', bytes, type, details: [{ kind: 'author', action: 'removed', where: 'head' }] };
}

/**
 * Rebuilds until a rebuild of the result is the result. That is the guard against mutation: markup that turns into other
 * markup when it is read again never becomes stable as what it was.
 */
function stableRebuild(reading: string, limits: EngineLimits, removals: RemovalList): string {
  let html = rebuildHtml(parseHtml(reading, limits), removals);
  for (let round = 0; round < ROUNDS; round++) {
    const page = parseHtml(html, limits);
    const active = new RemovalList();
    findActive(page.childNodes, limits, active);
    const again = rebuildHtml(page, new RemovalList());
    if (active.isEmpty && again === html) return html;
    html = again;
  }
  throw new EngineError('unreadable', 'the page changes each time it is read, so no safe form of it exists');
}

export const strategies: readonly DisarmStrategy[] = [
  {
    name: 'text only',
    keepsText: true,
    disarm: async (input, type, limits) => (await import('./text.ts')).disarmAsText(input, type, limits),
  },
];
