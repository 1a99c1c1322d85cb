/** Shortens names and texts to a bounded length. */

/** Characters at the end of a name that stay, because the extension decides the effect of a double click. */
const KEPT_TAIL = 100;

/** Returns at most `maxLength` characters of a text. */
export function boundText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}

/** Characters of a name that are judged. No system opens a longer path. Names are cut further only for people. */
export const NAME_CHARACTERS = 16 * 1024;

/** Returns the name, without its middle if it is longer than any path that can be opened. */
export function readableName(name: string): string {
  const half = NAME_CHARACTERS / 2;
  return name.length <= NAME_CHARACTERS ? name : `${name.slice(0, half)}…${name.slice(-half)}`;
}

/** Returns at most `maxLength` characters of a name for people, cut in the middle so that its end is shown. */
export function boundName(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  const tail = Math.min(KEPT_TAIL, Math.floor(maxLength / 2));
  return `${name.slice(0, Math.max(0, maxLength - tail - 1))}…${name.slice(-tail)}`;
}
