/** Opens encrypted OpenDocument packages (ODF 1.2 part 3 and 1.3 part 2, AES-256 in CBC mode with PBKDF2). */
import { createDecipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { EngineError } from '../../engine.ts';
import type { Nested } from '../disarm-module.ts';
import type { UntrustedEncryption } from './manifest.ts';

/**
 * The most rounds of key derivation for a whole document. Billions of rounds would never end. LibreOffice writes 100,000 for each entry.
 */
const MAX_TOTAL_ITERATIONS = 30_000_000;
const KEY_BYTES = 32;
const BLOCK_BYTES = 16;
/** The first bytes of an entry, which a checksum of the kind `1k` covers. */
const CHECKED_BYTES = 1_024;

const WRONG_PASSWORD = 'the password does not open the document';

/** Decrypts the entries of one document. */
export interface OdfDecryptor {
  /** Makes the decryption. Throws EngineError `encrypted` (wrong password, unknown method), `oversize`, `unreadable`. */
  decrypt(bytes: Uint8Array, entry: UntrustedEncryption): Uint8Array;
}

export function odfDecryptor(password: string, nested: Nested): OdfDecryptor {
  let iterations = 0;
  return {
    decrypt(bytes, entry) {
      checkMethod(entry);
      iterations += entry.iterations;
      if (!(iterations <= MAX_TOTAL_ITERATIONS))
        throw new EngineError('oversize', 'the encryption asks for too much work');
      const packed = decipher(bytes, entry, keyOf(entry, password));
      if (!hasChecksum(packed, entry)) throw new EngineError('encrypted', WRONG_PASSWORD);
      return inflate(packed, nested);
    },
  };
}

/** Checks the method. Throws EngineError `encrypted`, which names it, when the entry is encrypted in an unknown way. */
export function checkMethod({ algorithm, derivation, iterations, keySize, startKey }: UntrustedEncryption): void {
  const name = algorithm.replace(/^.*[#:/]/, '') || 'an unnamed method';
  if (!/[#:]aes256-cbc$/i.test(algorithm)) throw unknownMethod(/gcm/i.test(name) ? 'AES-GCM' : name);
  if (!/pbkdf2$/i.test(derivation))
    throw unknownMethod(/argon/i.test(derivation) ? 'Argon2' : 'an unknown key derivation');
  const isSound = Number.isInteger(iterations) && iterations >= 1 && keySize === KEY_BYTES && hashOf(startKey) !== null;
  if (!isSound) throw unknownMethod('an unknown key derivation');
}

function unknownMethod(name: string): EngineError {
  return new EngineError(
    'encrypted',
    `the document is encrypted with ${name.slice(0, 40)}, which cannot be opened here even with the password`,
  );
}

function hashOf(name: string): 'sha1' | 'sha256' | null {
  if (/sha-?256(?:-1k)?$/i.test(name)) return 'sha256';
  return /sha-?1(?:[/-]1k)?$/i.test(name) ? 'sha1' : null;
}

function keyOf({ startKey, salt, iterations }: UntrustedEncryption, password: string): Buffer {
  const start = createHash(hashOf(startKey) ?? 'sha256')
    .update(password, 'utf8')
    .digest();
  return pbkdf2Sync(start, Buffer.from(salt, 'base64'), iterations, KEY_BYTES, 'sha1');
}

function decipher(bytes: Uint8Array, { iv }: UntrustedEncryption, key: Buffer): Buffer {
  const vector = Buffer.from(iv, 'base64');
  if (vector.length !== BLOCK_BYTES || bytes.length % BLOCK_BYTES !== 0 || bytes.length === 0) {
    throw new EngineError('unreadable', 'an encrypted part of the document is damaged');
  }
  const cipher = createDecipheriv('aes-256-cbc', key, vector).setAutoPadding(false);
  const plain = Buffer.concat([cipher.update(bytes), cipher.final()]);
  const padding = plain.at(-1) ?? 0;
  // A wrong password gives random bytes here. The caller notices that by the checksum.
  return padding >= 1 && padding <= BLOCK_BYTES ? plain.subarray(0, plain.length - padding) : plain;
}

function hasChecksum(packed: Buffer, { checksumType, checksum }: UntrustedEncryption): boolean {
  const hash = hashOf(checksumType);
  if (hash === null) throw unknownMethod('an unknown checksum');
  const checked = /1k$/i.test(checksumType) ? packed.subarray(0, CHECKED_BYTES) : packed;
  return createHash(hash).update(checked).digest().equals(Buffer.from(checksum, 'base64'));
}

function inflate(packed: Buffer, nested: Nested): Uint8Array {
  const left = nested.limits.inflatedBytes;
  try {
    const plain = inflateRawSync(packed, { maxOutputLength: Math.max(1, left) });
    nested.spend(0, plain.length);
    return plain;
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const isTooLong = error instanceof RangeError || (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLong) throw new EngineError('oversize', 'an encrypted part of the document expands without end');
    throw new EngineError('unreadable', 'an encrypted part of the document cannot be unpacked');
  }
}
