/** Agile encryption of Office Open XML packages ([MS-OFFCRYPTO] 2.3.4.10): password to key, key to package. */
import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import { EncryptionError } from './encryption-error.ts';

/**
 * The most rounds of hashing per password. Office writes 100,000. The format allows ten million, which would keep a thread busy for half a
 * minute.
 */
const MAX_SPIN_COUNT = 1_000_000;
const MAX_DESCRIPTOR_BYTES = 64 * 1024;
const SEGMENT_BYTES = 4096;
const HASHES: Readonly<Record<string, string>> = {
  SHA1: 'sha1',
  'SHA-1': 'sha1',
  SHA256: 'sha256',
  SHA384: 'sha384',
  SHA512: 'sha512',
};
/** The purpose of a derived key. */
const VERIFIER_INPUT = Buffer.from('fea7d2763b4b9e79', 'hex');
const VERIFIER_VALUE = Buffer.from('d7aa0f6d3061344e', 'hex');
const KEY_VALUE = Buffer.from('146e0be7abacd0d6', 'hex');

interface CipherData {
  readonly salt: Buffer;
  readonly hash: string;
  readonly keyBytes: number;
}

interface Descriptor {
  readonly data: CipherData;
  readonly password: CipherData & {
    readonly spinCount: number;
    readonly verifierInput: Buffer;
    readonly verifierValue: Buffer;
    readonly keyValue: Buffer;
  };
}

/** Returns the opened package, null when the password is wrong. Throws EncryptionError `unsupported`, `oversize`, `unreadable`. */
export function decryptAgile(info: Buffer, encrypted: Buffer, password: string): Buffer | null {
  const { data, password: lock } = readDescriptor(info);
  const secret = hashPassword(lock, password);
  const open = (purpose: Buffer, value: Buffer) => decipher(keyFor(lock, secret, purpose), lock.salt, value);
  const expected = open(VERIFIER_VALUE, lock.verifierValue);
  const actual = digest(lock.hash, open(VERIFIER_INPUT, lock.verifierInput).subarray(0, lock.salt.length));
  if (expected.length < actual.length || !timingSafeEqual(expected.subarray(0, actual.length), actual)) return null;
  const key = open(KEY_VALUE, lock.keyValue).subarray(0, data.keyBytes);
  return decryptPackage(data, key, encrypted);
}

function readDescriptor(info: Buffer): Descriptor {
  if (info.length > MAX_DESCRIPTOR_BYTES)
    throw new EncryptionError('oversize', 'the description of the encryption is too long');
  const xml = info.toString('utf8', 8);
  const data = attributesOf(xml, 'keyData');
  const lock = attributesOf(xml, 'encryptedKey');
  const spinCount = Number(lock.get('spinCount'));
  if (!Number.isInteger(spinCount) || spinCount < 0) throw damaged();
  if (spinCount > MAX_SPIN_COUNT) {
    throw new EncryptionError(
      'oversize',
      `the password of the document asks for more than ${MAX_SPIN_COUNT} rounds of hashing`,
    );
  }
  const bytes = (name: string) => Buffer.from(lock.get(name) ?? '', 'base64');
  return {
    data: cipherOf(data),
    password: {
      ...cipherOf(lock),
      spinCount,
      verifierInput: bytes('encryptedVerifierHashInput'),
      verifierValue: bytes('encryptedVerifierHashValue'),
      keyValue: bytes('encryptedKeyValue'),
    },
  };
}

const damaged = () => new EncryptionError('unreadable', 'the description of the encryption is damaged');

/** Attributes of the one element of this name, with any prefix. */
function attributesOf(xml: string, name: string): ReadonlyMap<string, string> {
  const tags = [...xml.matchAll(new RegExp(`<(?:\\w{1,20}:)?${name}\\s([^<>]*)>`, 'g'))];
  const [tag] = tags;
  if (tag === undefined || tags.length > 1) throw damaged();
  return new Map(
    [...(tag[1] ?? '').matchAll(/(\w+)\s*=\s*"([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
  );
}

function cipherOf(attributes: ReadonlyMap<string, string>): CipherData {
  const hash = HASHES[attributes.get('hashAlgorithm') ?? ''];
  const keyBytes = Number(attributes.get('keyBits')) / 8;
  const isKnown =
    hash !== undefined &&
    attributes.get('cipherAlgorithm') === 'AES' &&
    attributes.get('cipherChaining') === 'ChainingModeCBC' &&
    (keyBytes === 16 || keyBytes === 24 || keyBytes === 32);
  if (!isKnown)
    throw new EncryptionError('unsupported', 'the document is encrypted in a way that cannot be opened here');
  const salt = Buffer.from(attributes.get('saltValue') ?? '', 'base64');
  if (salt.length < 1 || salt.length > 64) throw damaged();
  return { hash, keyBytes, salt };
}

const digest = (hash: string, ...parts: readonly Uint8Array[]): Buffer =>
  parts.reduce((state, part) => state.update(part), createHash(hash)).digest();

function hashPassword({ hash, salt, spinCount }: Descriptor['password'], password: string): Buffer {
  let value = digest(hash, salt, Buffer.from(password, 'utf16le'));
  const round = Buffer.alloc(4 + value.length);
  for (let index = 0; index < spinCount; index++) {
    round.writeUInt32LE(index, 0);
    value.copy(round, 4);
    value = createHash(hash).update(round).digest();
  }
  return value;
}

function keyFor({ hash, keyBytes }: CipherData, secret: Buffer, purpose: Buffer): Buffer {
  return sized(digest(hash, secret, purpose), keyBytes);
}

/** Cuts or fills bytes to a length, as the format demands. */
function sized(value: Buffer, length: number): Buffer {
  const out = Buffer.alloc(length, 0x36);
  value.copy(out);
  return out;
}

function decipher(key: Buffer, iv: Buffer, value: Buffer): Buffer {
  if (value.length === 0 || value.length % 16 !== 0) throw damaged();
  const cipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, sized(iv, 16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(value), cipher.final()]);
}

function decryptPackage({ hash, salt }: CipherData, key: Buffer, encrypted: Buffer): Buffer {
  const size = packageSize(encrypted);
  const out: Buffer[] = [];
  const index = Buffer.alloc(4);
  for (let segment = 0, at = 8; at < encrypted.length; segment++, at += SEGMENT_BYTES) {
    index.writeUInt32LE(segment, 0);
    const end = Math.min(encrypted.length, at + SEGMENT_BYTES);
    // An incomplete block at the end is padding of the stream.
    const value = encrypted.subarray(at, end - ((end - at) % 16));
    if (value.length > 0) out.push(decipher(key, digest(hash, salt, index), value));
  }
  return Buffer.concat(out).subarray(0, size);
}

/** Returns the package. Its own length precedes it. Throws EncryptionError `unreadable` when there are fewer bytes. */
export function packageSize(encrypted: Buffer): number {
  const size = encrypted.length >= 8 ? Number(encrypted.readBigUInt64LE(0)) : Number.NaN;
  if (!(size <= encrypted.length - 8)) throw new EncryptionError('unreadable', 'the encrypted document is cut short');
  return size;
}
