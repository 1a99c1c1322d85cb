/** Standard encryption of Office Open XML packages, as Office 2007 wrote it ([MS-OFFCRYPTO] 2.3.4.5). */
import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import { packageSize } from './agile.ts';
import { EncryptionError } from './encryption-error.ts';

const ROUNDS = 50_000;
const AES_KEY_BITS: Readonly<Record<number, number>> = { 26126: 128, 26127: 192, 26128: 256 };
const HASH_BYTES = 20;
const SALT_BYTES = 16;

/** Returns the opened package, null when the password is wrong. Throws EncryptionError `unsupported`, `unreadable`. */
export function decryptStandard(info: Buffer, encrypted: Buffer, password: string): Buffer | null {
  const headerBytes = info.length >= 12 ? info.readUInt32LE(8) : Number.NaN;
  const at = 12 + headerBytes;
  if (!(headerBytes >= 32 && at + 4 + SALT_BYTES + 16 + 4 + 32 <= info.length)) {
    throw new EncryptionError('unreadable', 'the description of the encryption is damaged');
  }
  const bits = AES_KEY_BITS[info.readUInt32LE(12 + 8)];
  if (bits === undefined || info.readUInt32LE(at) !== SALT_BYTES) {
    throw new EncryptionError('unsupported', 'the document is encrypted in a way that cannot be opened here');
  }
  const key = keyOf(info.subarray(at + 4, at + 4 + SALT_BYTES), password, bits / 8);
  const verifier = decipher(key, info.subarray(at + 20, at + 36));
  const expected = decipher(key, info.subarray(at + 40, at + 72)).subarray(0, HASH_BYTES);
  if (!timingSafeEqual(sha1(verifier), expected)) return null;
  const size = packageSize(encrypted);
  const body = encrypted.subarray(8, encrypted.length - ((encrypted.length - 8) % 16));
  return decipher(key, body).subarray(0, size);
}

const sha1 = (...parts: readonly Uint8Array[]): Buffer =>
  parts.reduce((state, part) => state.update(part), createHash('sha1')).digest();

function keyOf(salt: Buffer, password: string, keyBytes: number): Buffer {
  let value = sha1(salt, Buffer.from(password, 'utf16le'));
  const round = Buffer.alloc(4);
  for (let index = 0; index < ROUNDS; index++) {
    round.writeUInt32LE(index, 0);
    value = sha1(round, value);
  }
  value = sha1(value, Buffer.alloc(4));
  const mixed = (fill: number) => sha1(Buffer.alloc(64, fill).map((byte, index) => byte ^ (value[index] ?? 0)));
  return Buffer.concat([mixed(0x36), mixed(0x5c)]).subarray(0, keyBytes);
}

function decipher(key: Buffer, value: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  return Buffer.concat([cipher.update(value), cipher.final()]);
}
