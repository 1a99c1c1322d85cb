/** The short name of a run. People quote it, and a search finds the run by it. */

/** Crockford's alphabet. None of its letters looks like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns the reference that people quote, made from the id of the run: `A7-4KQ9`. In a million runs two may share a reference, so a search
 * can find several.
 */
export function referenceOf(runId: string): string {
  const bits = Number.parseInt(runId.slice(0, 8), 16) >>> 2;
  const letters = [25, 20, 15, 10, 5, 0].map((shift) => ALPHABET[(bits >>> shift) & 31]).join('');
  return `${letters.slice(0, 2)}-${letters.slice(2)}`;
}

/** Returns the reference in the form of earlier versions, which people may still have: `45B9-77F4-51C9`. */
export function earlierReferenceOf(runId: string): string {
  return runId
    .slice(0, 12)
    .replace(/(.{4})(?=.)/g, '$1-')
    .toUpperCase();
}

/** The letters of both forms in a text of ours, for a regular expression. */
export const REFERENCE_SOURCE =
  '(?:[0-9A-HJKMNP-TV-Z]{2}-[0-9A-HJKMNP-TV-Z]{4}|[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4})';

const REFERENCE = new RegExp(`^${REFERENCE_SOURCE}$`, 'i');

/** Turns a text that a person gives as a reference into the form of the index; null when it is no reference. */
export function referenceIn(text: string): string | null {
  const found = text.trim().toUpperCase();
  return REFERENCE.test(found) ? found : null;
}
