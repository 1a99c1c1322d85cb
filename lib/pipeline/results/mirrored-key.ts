/** The key of a result that has the name of the incoming object. It is the only key of ours that contains a name of a sender. */

/** The longest key that S3 takes, in bytes. */
const MAX_KEY_BYTES = 1024;
/** Characters that act on terminals or reverse the order of letters, halves of characters, and the separator of Windows. */
const ACTING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\\]/u;

/**
 * Returns the key after the prefix; null when no key may be made of it. A program that copies the bucket into folders could leave its
 * folder by it (`..`, an empty name, a backslash). The key could also act on its reader, or be too long.
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
  return Buffer.byteLength(key) <= MAX_KEY_BYTES ? key : null;
}
