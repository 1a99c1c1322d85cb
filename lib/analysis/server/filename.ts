/** Names chosen by senders, made fit for what they are used in. */

const MAX_NAME_LENGTH = 255;
/** Characters of a longer name that stay at its end. */
const KEPT_END = 60;
const MAX_STEM_LENGTH = 80;

/** A name as shown in JSON: the last path segment, no control or direction characters, at most 255 characters. */
export function shownName(untrustedName: string): string {
  const base = lastOf(untrustedName).split(/[/\\]/).at(-1) ?? '';
  // Cc and Cf hold line breaks, terminal escapes and the right-to-left override that turns "fdp.exe" into "exe.pdf".
  const shown = base.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
  if (shown.length <= MAX_NAME_LENGTH) return shown || 'file';
  // The end says what opens it.
  const end = shown.slice(-KEPT_END);
  return `${shown.slice(0, MAX_NAME_LENGTH - end.length - 1)}…${end}`;
}

const READ_LENGTH = 4_096;

/** The end of an endless name: thousands of dots or blanks behind it are dropped by every system. */
function lastOf(name: string): string {
  let end = name.length;
  while (end > READ_LENGTH && /[\s.\0]/.test(name.charAt(end - 1))) end--;
  return name.slice(Math.max(0, end - READ_LENGTH), end);
}

/** The extension of a name: lower case, no dot, at most 8 of [a-z0-9], or empty. */
export function extensionOf(untrustedName: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(untrustedName)?.[1]?.toLowerCase() ?? '';
}

/**
 * A name for Content-Disposition: ASCII letters, digits, dot, dash and underscore only, with the given extension. Public
 * clients take everything after `filename=` as a path segment, so nothing else may stand in it.
 */
export function sanitizedFilename(untrustedName: string, extension: string): string {
  const stem = shownName(untrustedName)
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, MAX_STEM_LENGTH);
  const safeExtension = /^[a-z0-9]{1,8}$/.test(extension) ? extension : 'bin';
  return `${stem || 'file'}_sanitized.${safeExtension}`;
}
