/** The Signer port: keys from the secrets of stages, and public keys as objects of the work bucket. */
import { readKeyDocument, type SigningKey, signingKey, type VerifyingKey } from '../pipeline/chain/ed25519.ts';
import { NotFoundError } from '../pipeline/errors.ts';
import { keys } from '../pipeline/keys.ts';
import type { Writer } from '../pipeline/model.ts';
import type { Blobs, Signer } from '../pipeline/ports.ts';

export interface SignerOptions {
  readonly blobs: Blobs;
  /** Returns the secret of a stage. A deployed function can read only the secret of its own stage. */
  readonly secretOf: (stage: Writer) => Promise<string>;
}

/** Far more than the document of a key needs, in bytes. */
const MAX_DOCUMENT_BYTES = 1_000;

/**
 * Makes a signer that remembers keys as long as it exists. Each new signer publishes its keys again. A bucket that deletes old objects
 * therefore always has the keys that are in use. After a secret was rotated, a new signer has the new key, and the old public key stays.
 */
export function createSigner({ blobs, secretOf }: SignerOptions): Signer {
  const published = new Map<Writer, Promise<SigningKey>>();
  const found = new Map<string, VerifyingKey>();
  return {
    async sign(stage, bytes) {
      const { keyId, sign } = await remembered(published, stage, async () =>
        publish(blobs, stage, await secretOf(stage)),
      );
      return { keyId, signature: sign(bytes) };
    },
    async publicKey(stage, keyId) {
      const name = `${stage} ${keyId}`;
      const known = found.get(name);
      if (known !== undefined) return known;
      const key = await findKey(blobs, stage, keyId);
      if (key !== null) found.set(name, key);
      return key;
    },
  };
}

/** Remembers the result of `make`, but not its failure. */
async function remembered<K, V>(map: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const made = map.get(key) ?? make();
  map.set(key, made);
  try {
    return await made;
  } catch (error) {
    map.delete(key);
    throw error;
  }
}

async function publish(blobs: Blobs, stage: Writer, secret: string): Promise<SigningKey> {
  const key = signingKey(secret);
  const options = { contentType: 'application/json' };
  await blobs.put('work', keys.publicKey(stage, key.keyId), key.documentFor(stage), options);
  return key;
}

async function findKey(blobs: Blobs, stage: Writer, keyId: string): Promise<VerifyingKey | null> {
  try {
    const document = await blobs.get('work', keys.publicKey(stage, keyId), { maxBytes: MAX_DOCUMENT_BYTES });
    return readKeyDocument(document, stage, keyId);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
