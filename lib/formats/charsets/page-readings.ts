/** Lists the texts that the bytes of a page can mean. The charset decides what is markup, and programs choose it in different ways. */
import { isUtf8 } from 'node:buffer';
import { decodeCharset } from './decode-charset.ts';
import { markedEncoding } from './labels.ts';
import { decodeUtf32, utf32Order } from './utf32.ts';

/** Bytes in which a declaration is searched. Browsers read 1,024 bytes, and mail programs the whole head of the page. */
const DECLARATION_BYTES = 64 * 1024;
/** Declared charsets of one page that are read. Each is one more reading. */
const DECLARATIONS = 8;
/** Charsets that decoders know, but that programs show in different ways. */
const PRIVATE_CHARSETS = new Set(['x-user-defined', 'replacement']);

/**
 * Returns the readings of a page. The first is the most likely one. The others are texts that some program may read. The bytes are safe as
 * they are only if no reading has active content.
 */
export function readingsOf(bytes: Uint8Array): readonly [string, ...string[]] {
  const fallback = isUtf8(bytes) ? 'utf-8' : 'windows-1252';
  const marked = markedEncoding(bytes);
  const declared = declaredCharsets(bytes);
  const wide = utf32Order(bytes);
  const first =
    wide !== null
      ? decodeUtf32(bytes, wide)
      : decoded(bytes, marked ?? unmarkedUtf16(bytes) ?? declared[0] ?? fallback);
  const charsets: string[] = [fallback, ...declared];
  // Escape sequences can hide quotes and brackets from a program that reads the page as ASCII.
  if (bytes.includes(0x1b)) charsets.push('iso-2022-jp');
  if (bytes.includes(0)) charsets.push('utf-16le', 'utf-16be');
  const others = charsets.map((charset) => decoded(bytes, charset)).filter((text) => text !== null);
  // Programs that drop NULs find tags that others do not see. In UTF-32, ASCII is letters between NULs.
  if (bytes.includes(0))
    others.push(
      decoded(
        bytes.filter((byte) => byte !== 0),
        fallback,
      ) ?? '',
    );
  const utf7 = utf7Of(bytes);
  if (utf7 !== null) others.push(utf7);
  const main = first ?? others[0] ?? '';
  return [main, ...new Set(others.filter((text) => text !== main))];
}

/** Returns the charsets that a page declares. A declaration of UTF-16 that can be read as ASCII is not true (WHATWG HTML §13.2.3.3). */
function declaredCharsets(bytes: Uint8Array): string[] {
  const head = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1');
  const declarations = head.matchAll(
    /(?:<meta[^>]{0,500}charset|<\?xml[^>]{0,200}encoding)\s{0,9}=\s{0,9}["']?\s{0,9}([a-z0-9_:.-]{1,40})/gi,
  );
  const names = [...declarations].map((match) => (match[1] ?? '').toLowerCase());
  const charsets = names.map((name) => (name.startsWith('utf-16') ? 'utf-8' : name)).filter(isKnownCharset);
  return [...new Set(charsets)].slice(0, DECLARATIONS);
}

/**
 * Returns false for a charset that programs do not read alike (UTF-7, HZ, UTF-32, EBCDIC …). Some program may see markup in a page in such
 * a charset that no reading here shows.
 */
export function isKnownCharset(untrustedLabel: string): boolean {
  return untrustedLabel.length <= 40 && decoded(new Uint8Array(), untrustedLabel) !== null;
}

function decoded(bytes: Uint8Array, charset: string): string | null {
  try {
    const { encoding } = new TextDecoder(charset);
    return PRIVATE_CHARSETS.has(encoding) ? null : decodeCharset(bytes, charset);
  } catch {
    return null;
  }
}

const TAG = /<[a-z!/]/gi;

/** Returns the UTF-16 of bytes without a mark, if they have more tags when they are read as UTF-16; else null. */
function unmarkedUtf16(bytes: Uint8Array): string | null {
  if (!bytes.includes(0)) return null;
  const head = bytes.subarray(0, DECLARATION_BYTES & ~1);
  const tags = (charset: string) => decoded(head, charset)?.match(TAG)?.length ?? 0;
  const counts = ['windows-1252', 'utf-16le', 'utf-16be'].map((charset) => ({ charset, count: tags(charset) }));
  const [most] = counts.toSorted((one, other) => other.count - one.count);
  return most === undefined || most.count === 0 || most.charset === 'windows-1252' ? null : most.charset;
}

const UTF7_RUN = /\+([A-Za-z0-9+/]{2,})-?/g;
/** Pictures in base64, which are left out because they have many runs of this kind. */
const PICTURE = /(data:image\/(?:png|jpe?g|gif|webp|bmp);base64,[A-Za-z0-9+/=]*)/i;

/**
 * Returns the text of a page in UTF-7 (RFC 2152), in which `+ADw-script+AD4-` is `<script>`. Returns null when no run holds a letter of
 * ASCII.
 */
function utf7Of(bytes: Uint8Array): string | null {
  if (!bytes.includes(0x2b)) return null;
  let holdsAscii = false;
  const read = (_: string, run: string) => {
    const units = Buffer.from(run, 'base64');
    const text = units
      .subarray(0, units.length & ~1)
      .swap16()
      .toString('utf16le');
    holdsAscii ||= /[ -~]/.test(text);
    return text;
  };
  const pieces = Buffer.from(bytes).toString('latin1').split(PICTURE);
  const text = pieces.map((piece, at) => (at % 2 === 1 ? piece : piece.replace(UTF7_RUN, read))).join('');
  return holdsAscii ? text : null;
}
