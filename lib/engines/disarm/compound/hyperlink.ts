/** Judges the hyperlinks of Excel cells and of drawings in files of Office 97 to 2003. */
import { hyperlinkTarget } from '../../../formats/office/hyperlink-object.ts';
import { isSafeLink } from '../safe-links.ts';

/**
 * Returns whether a hyperlink object leads to a place inside the document, or to a safe address written as a URL. Monikers of files, of
 * composed or unknown kinds, and unreadable objects are not safe.
 */
export function isSafeHyperlink(bytes: Buffer): boolean {
  const target = hyperlinkTarget(bytes);
  if (target === null || target.kind === 'path') return false;
  return target.kind === 'inside' || isSafeLink(target.untrustedTarget);
}
