/** The short name of a run, which people quote and by which it is found. */

/** Crockford's alphabet: no letter that is mistaken for a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The reference that people quote, made from the id of the run: `A7-4KQ9`. Two runs of a million may share one, so a search by it can
 * find several.
 */
export function referenceOf(runId: string): string {
  const bits = Number.parseInt(runId.slice(0, 8), 16) >>> 2;
  const letters = [25, 20, 15, 10, 5, 0].map((shift) => ALPHABET[(bits >>> shift) & 31]).join('');
  return `${letters.slice(0, 2)}-${letters.slice(2)}`;
}

/** The reference in banners, pages and notices of earlier versions, which people still have: `45B9-77F4-51C9`. */
export function earlierReferenceOf(runId: string): string {
  return runId
    .slice(0, 12)
    .replace(/(.{4})(?=.)/g, '$1-')
    .toUpperCase();
}

/** The letters of both in a text of ours, for a regular expression. */
export const REFERENCE_SOURCE =
  '(?:[0-9A-HJKMNP-TV-Z]{2}-[0-9A-HJKMNP-TV-Z]{4}|[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4})';

const REFERENCE = new RegExp(`^${REFERENCE_SOURCE}$`, 'i');

/** A text that a person gives for a reference, in the form in which the index has it; null when it is none. */
export function referenceIn(text: string): string | null {
  const found = text.trim().toUpperCase();
  return REFERENCE.test(found) ? found : null;
}
