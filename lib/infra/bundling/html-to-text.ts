/**
 * Stands in for html-to-text in the bundles. mailparser calls it only without `skipHtmlToText`; should that ever
 * happen the reading fails, instead of silently losing text that was to be searched for URLs.
 */
export function htmlToText(): never {
  throw new Error('html-to-text is not part of this bundle: read messages with skipHtmlToText');
}
