/** Makes text from a sender safe to show on a terminal, in a notice, in a header or in a log line. */
import { defanged } from '../formats/names/defanged.ts';
import { FILLERS } from '../formats/names/name-readings.ts';
import { isPlainName } from '../formats/names/plain-name.ts';

/**
 * Characters that have an effect but no shape: controls (terminal escapes, header injection), bidi controls (a name that reads
 * `fdp.exe` backwards), zero-width characters, line and paragraph separators, byte order marks, lone surrogates, tags, and fillers.
 */
const ACTING = new RegExp(`[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}${FILLERS}]`, 'gu');
/** Those of them that JSON does not escape by itself. */
const ACTING_IN_JSON = new RegExp(`[\\u007f-\\u009f\\p{Cf}\\p{Zl}\\p{Zp}${FILLERS}]`, 'gu');

/** Returns one line of at most `maxLength` characters. Every acting character is replaced by `\ufffd`. */
export function safeText(untrusted: string, maxLength: number): string {
  // The text is cut first, so that a name of megabytes is not searched completely.
  const safe = untrusted.slice(0, maxLength + 1).replace(ACTING, '\ufffd');
  return safe.length > maxLength ? `${safe.slice(0, maxLength - 1)}…` : safe;
}

/** Lines for a terminal or a log. Every acting character except the line feeds between them is replaced by `\ufffd`. */
export function safeLines(untrusted: string): string {
  return untrusted
    .split('\n')
    .map((line) => line.replace(ACTING, '\ufffd'))
    .join('\n');
}

/**
 * Does the same as `safeText`, for notices and reports that others read. Nothing in the result becomes a link. The brackets that break
 * links are added to `maxLength`.
 */
export function inertText(untrusted: string, maxLength: number): string {
  return defanged(safeText(untrusted, maxLength));
}

/** Anything but the printable characters of ASCII, and the line feeds between lines. */
const BEYOND_PLAIN = /[^\n\x20-\x7e]/;

/**
 * Writes JSON in which no character acts. Characters that a terminal, a log viewer or a line reader would obey become escapes. Parsing the
 * JSON gives the same value.
 */
export function safeJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent);
  // Nearly all text is plain, and searching it for classes of Unicode takes longer than everything else here.
  if (!BEYOND_PLAIN.test(json)) return json;
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(ACTING_IN_JSON, (found) => found.split('').map(escaped).join(''));
}

/** Characters that Windows does not allow in names, characters that programs decode, and characters that look like them. */
const FORBIDDEN_IN_NAMES =
  /[\\/:*?"<>|;%\ufffd\u2024-\u2026\u2044\u2215\u2216\u2236\u29f5\u29f8\u3002\ua789\ufe30\ufe52\ufe55\ufe68\uff0e\uff0f\uff1a\uff3c\uff61]/g;
const MAX_NAME_LENGTH = 100;

/**
 * Returns a file name that is safe for a recipient. It is the sender's stem without paths, acting characters, or trailing dots and spaces,
 * and the extension that fits the bytes. It is `attachment.<extension>` when nothing is left.
 */
export function safeFileName(untrustedName: string | null, extension: string): string {
  const last = (untrustedName ?? '').split(/[\\/]/).pop() ?? '';
  const clean = safeText(last, 4 * MAX_NAME_LENGTH).replace(FORBIDDEN_IN_NAMES, '_');
  const stem = withoutExtension(clean, extension)
    .replace(/^[\s.]+|[\s.]+$/g, '')
    .slice(0, MAX_NAME_LENGTH)
    .trimEnd();
  const names = [stem, stem.replaceAll('.', '_')].filter((name) => !/^_*$/.test(name));
  return [...names, 'attachment'].map((name) => `${name}.${extension}`).find(isPlainName) ?? `attachment.${extension}`;
}

/** Removes the extension: `invoice.docm` becomes `invoice`. `report.v2` keeps its dot when the bytes are something else. */
function withoutExtension(name: string, extension: string): string {
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return name;
  const found = name.slice(dot + 1).toLowerCase();
  return found === extension || /^[a-z0-9]{1,5}$/.test(found) ? name.slice(0, dot) : name;
}
