/**
 * Replaces iconv-lite in the bundles. Its tables would be a third of their size. Node's TextDecoder knows every encoding of the WHATWG
 * standard, and mail programs and browsers use that standard.
 */
import { Transform } from 'node:stream';

/**
 * Decodes bytes to text. Throws RangeError for an unknown encoding, like iconv-lite; callers then use UTF-8.
 *
 * @example
 * ```ts
 * decode(Buffer.from('e4', 'hex'), 'windows-1252'); // => 'ä'
 * ```
 */
export function decode(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding, { ignoreBOM: false }).decode(bytes);
}

/**
 * Returns whether there is an encoding with this name.
 *
 * @example
 * ```ts
 * encodingExists('koi8-r'); // => true
 * ```
 */
export function encodingExists(encoding: string): boolean {
  try {
    return new TextDecoder(encoding) !== null;
  } catch {
    return false;
  }
}

/**
 * Makes a stream that takes bytes and returns UTF-8. For an unknown encoding it throws at once, like `decode`.
 *
 * @example
 * ```ts
 * decodeStream('utf-8').on('data', (text) => console.log(String(text))).end(Buffer.from('hello'));
 * ```
 */
export function decodeStream(encoding: string): Transform {
  const decoder = new TextDecoder(encoding);
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      done(null, decoder.decode(chunk, { stream: true }));
    },
    flush(done) {
      done(null, decoder.decode());
    },
  });
}
