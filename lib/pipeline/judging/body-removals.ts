/** Decides which message bodies may stay unchanged although their disarmed form has less. Pure. */
import type { Artifact } from '../ledger/artifact.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** The use of an artifact: `body` when it is only shown as the message itself, `file` when anybody can open it as a file anywhere. */
export type Place = 'body' | 'file';

/**
 * Removals of passive content: content that a page loads from the web when it is shown, as in every newsletter, and content that is not
 * shown. These are the words of our own disarm. When a service uses other words, its disarmed form is delivered.
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

/** The removals among them that can load something from another server. Outlook reads comments. */
const LOADING_KINDS: ReadonlySet<string> = new Set([
  'remote picture',
  'picture set',
  'background picture',
  'page style',
  'linked file',
  'page comment',
]);

/** Returns true when a body that lost only passive content could load something from another server. */
export function loadsFromElsewhere(artifact: Artifact): boolean {
  return passiveLosses(artifact)?.some((loss) => LOADING_KINDS.has(loss)) === true;
}

/** Returns the use of each artifact of a ledger. An artifact with several places counts as a file when one of them is a file. */
export function placesIn(ledger: Ledger): (artifact: Artifact) => Place {
  const bodies = new Set(ledger.parts.filter(({ role }) => role === 'body').map(({ path }) => path));
  return ({ origins }) => (origins.length > 0 && origins.every((path) => bodies.has(path)) ? 'body' : 'file');
}

/**
 * Returns the removals of the disarm from a page. Returns null when any of it could act, or when the service does not list the removals.
 */
export function passiveLosses({ typeGroup, submissions }: Artifact): readonly string[] | null {
  const disarm = submissions.find(({ kind }) => kind === 'cdr');
  if (typeGroup !== 'html' || disarm === undefined) return null;
  const losses = [...disarm.untrustedRemoved, ...disarm.untrustedSanitized];
  return losses.length > 0 && losses.every((kind) => PASSIVE_KINDS.has(kind)) ? losses : null;
}
