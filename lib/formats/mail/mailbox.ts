/**
 * A line with which an mbox begins each message (RFC 4155): a sender and a time. A sentence that begins with "From" has no such time in it.
 */
const FROM_LINE = /^From \S[^\n:]{0,200}\d:\d\d[^\n]{0,100}\d{4}/;
const MAX_FROM_LINE_LENGTH = 512;

/**
 * Returns true when a text begins with the "From " line of an mbox and holds another one: many messages, and not one that kept its line.
 */
export function isMailbox(text: string): boolean {
  if (!text.startsWith('From ')) return false;
  for (let at = text.indexOf('\nFrom '); at >= 0; at = text.indexOf('\nFrom ', at + 1))
    if (FROM_LINE.test(text.slice(at + 1, at + MAX_FROM_LINE_LENGTH))) return true;
  return false;
}
