/** What of a letter itself may stay as it came, although its disarmed form holds less. Pure. */
import type { Artifact, Ledger } from './ledger.ts';

/** Where an artifact stands: shown as the letter itself and nothing else, or anywhere as a file that is opened. */
export type Place = 'body' | 'file';

/**
 * What a page can lose that never acts: what is loaded from the web by showing it, as in every newsletter, and what is not shown. In
 * the words of our own disarm; a service with other words says nothing here, and its disarmed form is what is delivered.
 */
export const PASSIVE_KINDS: ReadonlySet<string> = new Set([
  'remote picture',
  'picture set',
  'background picture',
  'page style',
  'linked file',
  'page comment',
  'data attribute',
  'page metadata',
  'author',
  'other link',
  'other element',
  'other attribute',
]);

/** Says of each artifact of a ledger where it stands. Of one that stands in several places, one as a file is enough. */
export function placesIn(ledger: Ledger): (artifact: Artifact) => Place {
  const bodies = new Set(ledger.parts.filter(({ role }) => role === 'body').map(({ path }) => path));
  return ({ origins }) => (origins.length > 0 && origins.every((path) => bodies.has(path)) ? 'body' : 'file');
}

/** What the disarm took out of a page, when none of it could act; null when any of it could, or when nothing is said. */
export function passiveLosses({ typeGroup, submissions }: Artifact): readonly string[] | null {
  const disarm = submissions.find(({ kind }) => kind === 'cdr');
  if (typeGroup !== 'html' || disarm === undefined) return null;
  const losses = [...disarm.untrustedRemoved, ...disarm.untrustedSanitized];
  return losses.length > 0 && losses.every((kind) => PASSIVE_KINDS.has(kind)) ? losses : null;
}
