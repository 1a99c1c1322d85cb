/** The short name of a run. */

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
