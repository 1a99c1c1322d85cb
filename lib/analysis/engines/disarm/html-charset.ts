/** The texts that the bytes of a page can mean: who chooses the charset chooses what is markup. */
import { isUtf8 } from 'node:buffer';

/** Browsers look for the declaration in this many bytes. */
const DECLARATION_BYTES = 1_024;

function decoded(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return null;
  }
}

function markedCharset(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/** The charset a page declares of itself. A declared UTF-16 cannot be true where ASCII could be read (WHATWG HTML §13.2.3.3). */
function declaredCharset(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1');
  const name = /<meta[^>]{0,500}charset\s*=\s*["']?\s*([a-z0-9_:.-]{1,40})/i.exec(head)?.[1]?.toLowerCase() ?? null;
  return name?.startsWith('utf-16') ? 'utf-8' : name;
}

/** Without a mark, NUL bytes in every second place are Latin text in UTF-16. */
function unmarkedUtf16(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, DECLARATION_BYTES);
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < head.length / 4) return null;
  return even > odd ? 'utf-16be' : 'utf-16le';
}

/**
 * Readings of a page. The first is what it most likely is; the others are what a program can be told to take it for: all of
 * them must be free of active content for the bytes to be safe as they are.
 */
export function readingsOf(bytes: Uint8Array): readonly [string, ...string[]] {
  const fallback = isUtf8(bytes) ? 'utf-8' : 'windows-1252';
  const marked = markedCharset(bytes);
  const first = decoded(bytes, marked ?? unmarkedUtf16(bytes) ?? declaredCharset(bytes) ?? fallback);
  const charsets: string[] = [fallback];
  // Escape sequences and tildes can hide quotes and brackets from whoever reads the page as ASCII.
  if (bytes.includes(0x1b)) charsets.push('iso-2022-jp');
  if (bytes.includes(0)) charsets.push('utf-16le', 'utf-16be');
  const others = charsets.map((charset) => decoded(bytes, charset)).filter((text) => text !== null);
  const utf7 = utf7Of(bytes);
  if (utf7 !== null) others.push(utf7);
  const main = first ?? others[0] ?? '';
  return [main, ...new Set(others.filter((text) => text !== main))];
}

/** `+ADw-script+AD4-` is `<script>` to programs that still read UTF-7 (RFC 2152); null when nothing looks like it. */
function utf7Of(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes).toString('latin1');
  if (!/\+AD[wx]/.test(text)) return null;
  return text.replace(/\+([A-Za-z0-9+/]{2,})-?/g, (_, run: string) => {
    const units = Buffer.from(run, 'base64');
    return units
      .subarray(0, units.length & ~1)
      .swap16()
      .toString('utf16le');
  });
}
