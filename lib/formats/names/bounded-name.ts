/** Names and texts of a bounded length. */

/** A bound on a name keeps this much of its end: the extension decides what a double click does. */
const KEPT_TAIL = 100;

/** At most `maxLength` characters of a text. */
export function boundText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}

/**
 * Characters of a name that are read. No system opens a path of as many, and what programs make of a name is asked of all of it:
 * it is cut for people only.
 */
export const NAME_CHARACTERS = 16 * 1024;

/** A name of which the middle is left out when it is longer than any that can be opened. */
export function readableName(name: string): string {
  const half = NAME_CHARACTERS / 2;
  return name.length <= NAME_CHARACTERS ? name : `${name.slice(0, half)}…${name.slice(-half)}`;
}

/** At most `maxLength` characters of a name for people, cut in the middle so that its end is shown. */
export function boundName(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  const tail = Math.min(KEPT_TAIL, Math.floor(maxLength / 2));
  return `${name.slice(0, Math.max(0, maxLength - tail - 1))}…${name.slice(-tail)}`;
}
