/** Reads UTF-7 (RFC 2152). No browser reads it any more, but some mail programs do. A scanner that does not read it sees no tag in it. */

/** `+` and base64 of UTF-16BE. A dash, or any character that is not base64, ends it. `+-` is a plus sign. */
const SHIFTED = /\+([A-Za-z0-9+/]*)(-?)/g;

/** Returns true for a name of the charset. */
export function isUtf7(charset: string | null): boolean {
  return charset !== null && /^(?:x-)?(?:unicode-\d-\d-|csunicode\d*)?utf-?7(?:-imap)?$/i.test(charset.trim());
}

/** Decodes UTF-7. Any other text stays as it is. Never throws. */
export function decodeUtf7(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(SHIFTED, (shifted, base64: string, dash: string) => {
      if (base64 === '') return dash === '-' ? '+' : shifted;
      const units = Buffer.from(base64, 'base64');
      return new TextDecoder('utf-16be').decode(units.subarray(0, units.length - (units.length % 2)));
    });
}

/** A run that may hold letters of ASCII, with two bytes each. */
const RUN = /\+([A-Za-z0-9+/]{3,})/g;

/** Returns true when a program that reads the bytes as UTF-7 finds letters of ASCII that no other program sees. */
export function hidesAscii(bytes: Uint8Array): boolean {
  if (!bytes.includes(0x2b)) return false;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  for (const [, run = ''] of text.matchAll(RUN)) {
    const units = Buffer.from(run, 'base64');
    for (let at = 0; at + 1 < units.length; at += 2)
      if (units[at] === 0 && (units[at + 1] ?? 0) >= 0x20 && (units[at + 1] ?? 0) < 0x7f) return true;
  }
  return false;
}
