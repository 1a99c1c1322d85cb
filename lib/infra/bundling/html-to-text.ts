/**
 * Replaces html-to-text in the bundles. mailparser calls it only without `skipHtmlToText`. If that ever happens, the reading fails.
 * Otherwise text that must be searched for URLs could be lost silently.
 *
 * @example
 * ```ts
 * try {
 *   htmlToText();
 * } catch (error) {
 *   console.log(error);
 * }
 * ```
 */
export function htmlToText(): never {
  throw new Error('html-to-text is not part of this bundle: read messages with skipHtmlToText');
}
