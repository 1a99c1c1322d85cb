/** Makes names that senders chose safe for JSON, headers and extensions. */

const MAX_NAME_LENGTH = 255;
/** Characters that a longer name keeps at its end. */
const KEPT_END = 60;
const MAX_STEM_LENGTH = 80;

/** Returns a name for JSON: the last path segment, without control and direction characters, at most 255 characters. */
export function shownName(untrustedName: string): string {
  const base = lastOf(untrustedName).split(/[/\\]/).at(-1) ?? '';
  // Cc and Cf contain line breaks, terminal escapes and the right-to-left override, which shows "fdp.exe" as "exe.pdf".
  const shown = base.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
  if (shown.length <= MAX_NAME_LENGTH) return shown || 'file';
  // The end of the name decides which program opens the file.
  const end = shown.slice(-KEPT_END);
  return `${shown.slice(0, MAX_NAME_LENGTH - end.length - 1)}…${end}`;
}

const READ_LENGTH = 4_096;

/** Returns the end of a very long name, without the dots or blanks after it, which every system drops. */
function lastOf(name: string): string {
  let end = name.length;
  while (end > READ_LENGTH && /[\s.\0]/.test(name.charAt(end - 1))) end--;
  return name.slice(Math.max(0, end - READ_LENGTH), end);
}

/** Returns the extension of a name: lower case, no dot, at most 8 of [a-z0-9], or empty. */
export function extensionOf(untrustedName: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(untrustedName)?.[1]?.toLowerCase() ?? '';
}

/**
 * Returns a name for Content-Disposition: only ASCII letters, digits, dot, dash and underscore, with the given extension. Public clients
 * take everything after `filename=` as a path segment, so it must have no other characters.
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
