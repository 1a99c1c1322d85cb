/** The key of a result that is called like the object that came in. It is the only key of ours in which a name of a sender stands. */

/** S3 takes no longer ones. */
const LONGEST_KEY_BYTES = 1024;
/** Characters that act on terminals or turn the order of letters round, halves of characters, and the separator of Windows. */
const ACTING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\\]/u;

/**
 * The key behind the prefix; null when no key may be made of it, because a program that copies the bucket into folders could leave its folder by
 * it (`..`, an empty name, a backslash), because it acts on its reader, or because it is too long.
 *
 * @example
 * ```ts
 * mirroredKey('clean/', 'in/report.pdf'); // => 'clean/in/report.pdf'
 * mirroredKey('clean/', '../report.pdf'); // => null
 * ```
 */
export function mirroredKey(prefix: string, untrustedKey: string): string | null {
  const isFolder = (name: string) => name !== '' && name !== '.' && name !== '..';
  if (ACTING.test(untrustedKey) || !untrustedKey.split('/').every(isFolder)) return null;
  const key = `${prefix}${untrustedKey}`;
  return Buffer.byteLength(key) <= LONGEST_KEY_BYTES ? key : null;
}
