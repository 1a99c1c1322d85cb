/**
 * Lists the charsets that every mail program reads alike. The charset decides the meaning of the bytes. So a text in any other charset
 * (UTF-7, HZ, UTF-32, ISO-2022-KR and -CN, EBCDIC, x-user-defined …) may show something that was not judged.
 */

/**
 * Encodings by the names that the decoder gives them (WHATWG Encoding §4.2). The list is closed, so that a new version of Node adds
 * none.
 */
// biome-ignore format: one encoding a line makes the list hard to read
const KNOWN = new Set([
  'utf-8', 'utf-16le', 'utf-16be', 'ibm866', 'koi8-r', 'koi8-u', 'macintosh', 'x-mac-cyrillic', 'gbk', 'gb18030', 'big5',
  'euc-jp', 'iso-2022-jp', 'shift_jis', 'euc-kr', 'windows-874', 'windows-1250', 'windows-1251', 'windows-1252',
  'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'iso-8859-2',
  'iso-8859-3', 'iso-8859-4', 'iso-8859-5', 'iso-8859-6', 'iso-8859-7', 'iso-8859-8', 'iso-8859-8-i', 'iso-8859-10',
  'iso-8859-13', 'iso-8859-14', 'iso-8859-15', 'iso-8859-16',
]);
/** Names that mail uses and the standard lacks. Programs agree on them. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['cp932', 'shift_jis'],
  ['ms932', 'shift_jis'],
  ['cp936', 'gbk'],
  ['ms936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['ms949', 'euc-kr'],
  ['cp950', 'big5'],
  ['iso-2022-jp-ms', 'iso-2022-jp'],
  ['cp50220', 'iso-2022-jp'],
  ['utf8mb4', 'utf-8'],
]);
/** Labels of an unknown charset (RFC 1428 §3), and ASCII. Programs then guess, as without a label. */
const UNSAID = new Set(['', 'unknown-8bit', 'x-unknown', 'unknown', 'us-ascii', 'ascii']);
/** Longer labels are not looked up, so that a sender cannot make the lookup expensive. */
const LABEL_LENGTH = 40;

/** Returns the encoding that every program reads in `label`, as TextDecoder names it. Returns null when there is none. */
export function encodingOf(label: string): string | null {
  if (label.length > LABEL_LENGTH) return null;
  const plain = label.toLowerCase();
  try {
    const { encoding } = new TextDecoder(ALIASES.get(plain) ?? plain);
    return KNOWN.has(encoding) ? encoding : null;
  } catch {
    return null;
  }
}

/** Returns the encoding of the byte order mark, or null when there is no mark. */
export function markedEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/** Returns true when the label is absent or means an unknown charset. */
export function isUnsaid(label: string | null): boolean {
  return label === null || UNSAID.has(label.toLowerCase());
}

/** Returns the reason why programs read a label in different ways, in plain words. Returns null for a label that they agree on. */
export function labelProblem(label: string | null): string | null {
  return isUnsaid(label) || encodingOf(label ?? '') !== null ? null : 'a charset that programs read in different ways';
}
