/** UTF-7 (RFC 2152): no browser reads it any more, some mail programs do, and a scanner that does not sees no tag in it. */

/** `+` and base64 of UTF-16BE, ended by a dash or by what is no base64. `+-` is a plus sign. */
const SHIFTED = /\+([A-Za-z0-9+/]*)(-?)/g;

/** True for the names by which the charset goes. */
export function isUtf7(charset: string | null): boolean {
  return charset !== null && /^(?:x-)?(?:unicode-\d-\d-|csunicode\d*)?utf-?7(?:-imap)?$/i.test(charset.trim());
}

/** Never fails: what is not UTF-7 stays as it is. */
export function decodeUtf7(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(SHIFTED, (shifted, base64: string, dash: string) => {
      if (base64 === '') return dash === '-' ? '+' : shifted;
      const units = Buffer.from(base64, 'base64');
      return new TextDecoder('utf-16be').decode(units.subarray(0, units.length - (units.length % 2)));
    });
}

/** A run that could hold letters of ASCII, which stand there as two bytes each. */
const RUN = /\+([A-Za-z0-9+/]{3,})/g;

/** True for bytes in which a program that takes them for UTF-7 finds letters of ASCII that no other program sees. */
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
