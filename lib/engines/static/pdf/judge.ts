/** Decides what the names in a PDF mean: what ordinary documents do is a fact, and everything else is a sign of an attack. */
import type { Finding } from '../../engine.ts';
import { asFact, type FindingId, finding } from '../findings/findings.ts';
import { type AutomaticActions, MOVES } from './automatic.ts';
import { DANGEROUS_NAMES, type Seen } from './observe.ts';
import { readTokens } from './tokens.ts';
import type { NumberedObject } from './values.ts';

/** Whether what a document can do is what ordinary documents do. */
export interface Ordinary {
  readonly hasOnlyForms: boolean;
  readonly hasOnlyDocuments: boolean;
  /** True when the documents that it opens lie beside it. */
  readonly opensOnlyNear: boolean;
  /** True when the actions that start by themselves only move, print, or run the script of a form. */
  readonly onlyMoves: boolean;
}

/** Returns the findings for all names that were seen. */
export function findingsOf(seen: Seen, ordinary: Ordinary): Finding[] {
  const { names } = seen;
  const dangerous = [...names].flatMap((name) => {
    const id = Object.hasOwn(DANGEROUS_NAMES, name) ? DANGEROUS_NAMES[name] : undefined;
    if (id === 'pdf-javascript' && ordinary.hasOnlyForms) return [finding('pdf-form-script')];
    if (id === 'pdf-embedded-file' && ordinary.hasOnlyDocuments) return [asFact(finding(id))];
    if (OPENING.has(name) && ordinary.opensOnlyNear) return [asFact(finding(DANGEROUS_NAMES[name] as FindingId))];
    return id === undefined ? [] : [finding(id)];
  });
  const acts =
    dangerous.some(({ id, level }) => level !== 'benign' || id === 'pdf-remote' || id === 'pdf-launch') ||
    names.has('URI');
  return [
    ...dangerous,
    ...(seen.isDisguised ? [finding('pdf-obfuscated-name')] : []),
    ...(seen.command === null ? [] : [finding('pdf-runs-command', null, seen.command)]),
    ...(acts && !ordinary.onlyMoves ? [finding('pdf-open-action')] : []),
    ...(seen.unsafeLink === null ? [] : [finding('pdf-unsafe-link', null, seen.unsafeLink)]),
  ];
}

/** Actions that open another document. */
const OPENING: ReadonlySet<string> = new Set(['GoToR', 'Launch']);

/** Returns true when what starts by itself only moves, prints, or runs the script of a form. */
export const onlyMoves = ({ types, hasMissing, hasUnread }: AutomaticActions, hasOnlyForms: boolean): boolean =>
  !hasMissing && !hasUnread && [...types].every((type) => type === MOVES || (type === 'JavaScript' && hasOnlyForms));

/**
 * Decides whether a document starts a program by itself: an action that runs without a click leads to an action of the type Launch, or may.
 * An object without a number may be any. A form may have a script that runs when it is opened, and a button that opens a file. That is no
 * attack by itself.
 */
export function launchesByItself(
  { types, hasUnread }: AutomaticActions,
  seen: Seen,
  objects: readonly NumberedObject[],
): boolean {
  if (!seen.names.has('Launch')) return false;
  return types.has('Launch') || hasUnread || objects.some(({ number, text }) => number === null && hasLaunch(text));
}

function hasLaunch(text: string): boolean {
  let found = false;
  readTokens(text, ({ kind, value }) => {
    found ||= kind === 'name' && value === 'Launch';
  });
  return found;
}
