/**
 * Signatures with Ed25519 (RFC 8032), and the documents in which public keys are published. A document has exactly one spelling, so
 * changing one byte makes it another document. Pure: an adapter provides the seeds.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { remembered } from '../../formats/remembered.ts';
import { sha256Hex } from '../keys.ts';

/** The bytes in front of a seed of 32 bytes in PKCS #8, and in front of a public key in SPKI (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_SCHEMA = 'mail-airlock/key/1';
const PUBLIC_KEY = /"publicKey":"([0-9a-f]{64})"/;

/** A key that signs. */
export interface SigningKey {
  readonly keyId: string;
  /** Returns the document that publishes its public key for this owner. */
  readonly documentFor: (owner: string) => Uint8Array;
  /** Returns the signature of these bytes, as 128 hexadecimal digits. The same bytes have the same signature. */
  readonly sign: (bytes: Uint8Array) => string;
}

/** A public key that was published. */
export interface VerifyingKey {
  readonly owner: string;
  readonly keyId: string;
  readonly document: Uint8Array;
  readonly verifies: (bytes: Uint8Array, signature: string) => boolean;
}

/** The most keys in memory, a few of each stage. Reading a key takes longer than signing with it. */
const MAX_KEYS = 100;

const keyOfSeed = remembered({ most: MAX_KEYS, keyOf: (seed: string) => seed }, (hex): SigningKey => {
  const seed = Buffer.from(hex, 'hex');
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const raw = rawPublicKey(createPublicKey(key));
  const keyId = keyIdOf(raw);
  return {
    keyId,
    documentFor: (owner) => documentOf(owner, raw),
    sign: (bytes) => {
      const signature = sign(null, bytes, key).toString('hex');
      noteRight(nameOf(keyId, bytes, signature));
      return signature;
    },
  };
});

const verifyingKey = remembered({ most: MAX_KEYS, keyOf: (raw: string) => raw }, (hex) =>
  createPublicKey({ key: Buffer.concat([SPKI, Buffer.from(hex, 'hex')]), format: 'der', type: 'spki' }),
);

/** Returns the key that this secret makes. Any secret text works, because its hash is the seed. */
export function signingKey(secret: string): SigningKey {
  return keyOfSeed(sha256Hex(secret));
}

/** Reads the document of a public key. Returns null unless it is, byte for byte, the document of this owner and this id. */
export function readKeyDocument(document: Uint8Array, owner: string, keyId: string): VerifyingKey | null {
  const found = PUBLIC_KEY.exec(Buffer.from(document).toString('latin1'));
  const raw = Buffer.from(found?.[1] ?? '', 'hex');
  if (keyIdOf(raw) !== keyId || Buffer.compare(documentOf(owner, raw), document) !== 0) return null;
  const key = verifyingKey(raw.toString('hex'));
  const verifies = (bytes: Uint8Array, signature: string) => {
    const name = nameOf(keyId, bytes, signature);
    if (RIGHT.has(name)) return true;
    const isRight = verify(null, bytes, key, Buffer.from(signature, 'hex'));
    if (isRight) noteRight(name);
    return isRight;
  };
  return { owner, keyId, document, verifies };
}

/** The newest signatures that this process made or verified. They need no second verification, which takes longer than signing. */
const RIGHT = new Set<string>();
const MAX_RIGHT = 1_000;

function noteRight(name: string): void {
  RIGHT.add(name);
  const [oldest = name] = RIGHT;
  if (RIGHT.size > MAX_RIGHT) RIGHT.delete(oldest);
}

const nameOf = (keyId: string, bytes: Uint8Array, signature: string) => `${keyId} ${sha256Hex(bytes)} ${signature}`;

/** Returns the name of a key, which is made from its own bytes, so no other key can take it. 32 hexadecimal digits. */
function keyIdOf(raw: Uint8Array): string {
  return sha256Hex(raw).slice(0, 32);
}

function documentOf(owner: string, raw: Uint8Array): Uint8Array {
  const document = { schema: KEY_SCHEMA, owner, keyId: keyIdOf(raw), publicKey: Buffer.from(raw).toString('hex') };
  return Buffer.from(`${JSON.stringify(document)}\n`);
}

function rawPublicKey(key: KeyObject): Uint8Array {
  return key.export({ format: 'der', type: 'spki' }).subarray(SPKI.length);
}
