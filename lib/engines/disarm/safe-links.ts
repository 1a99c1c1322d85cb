/** Which link targets may stay clickable in a disarmed file: web, email and telephone, and nothing that starts a program. */

/** Characters that programs drop before they read a scheme. So `java\u00adscript:` and a leading tab hide nothing. */
const IGNORED_CHARACTERS = /[\p{Cc}\p{Cf}\s\u00ad]/gu;
/** `mailto:…?attach=C:\…`, in any encoding: some programs attach the file without asking. */
const ATTACHES =
  /^mailto:.*(?:[?&;]|%(?:25)*(?:3f|26|3b))[^=]{0,9}(?:a|%(?:25)*[46]1)(?:t|%(?:25)*[57]4){2}(?:a|%(?:25)*[46]1)/is;
/** Real links are far shorter. A link of megabytes attacks the program that shows it. */
const MAX_LINK_LENGTH = 8_192;

/**
 * Returns whether a link target has the scheme http, https, mailto or tel, and something after it. Relative targets, UNC paths, drive
 * letters and all other schemes are not safe, because without a base they lead to a file. An address that names a file to attach is not
 * safe, either.
 */
export function isSafeLink(untrustedTarget: string): boolean {
  if (untrustedTarget.length > MAX_LINK_LENGTH) return false;
  const target = untrustedTarget.replace(IGNORED_CHARACTERS, '');
  return !ATTACHES.test(target) && /^(https?:\/\/[^/\\]|mailto:[^/\\]|tel:[^/\\])/i.test(target);
}
