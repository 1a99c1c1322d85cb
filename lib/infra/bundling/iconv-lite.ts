/**
 * Stands in for iconv-lite in the bundles, whose tables are a third of its size: Node's TextDecoder knows every
 * encoding of the WHATWG standard, which is what mail programs and browsers decode with.
 */
import { Transform } from 'node:stream';

/** Decodes bytes to text. Throws RangeError for an encoding nobody knows, as iconv-lite throws; callers fall back to UTF-8. */
export function decode(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding, { ignoreBOM: false }).decode(bytes);
}

export function encodingExists(encoding: string): boolean {
  try {
    return new TextDecoder(encoding) !== null;
  } catch {
    return false;
  }
}

/** A stream that takes bytes and gives UTF-8. Throws like `decode`, at once. */
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
