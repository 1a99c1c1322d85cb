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
