/** The port `Sealer` over an RSA key in PEM. The first sealed message loads the key. After a failure the next message loads it again. */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { ConfigError } from '../pipeline/errors.ts';
import type { Sealer } from '../pipeline/ports.ts';

/** Verifiers refuse shorter keys (RFC 8301 §3.2). */
const LEAST_BITS = 2_048;
/** The DNS record of a longer key is larger than some servers answer. */
const MAX_BITS = 4_096;

/** `readPem` gives the private key. It throws ConfigError when there is none, and TransientError when a later try can succeed. */
export function createSealer(readPem: () => Promise<string>): Sealer {
  let key: KeyObject | null = null;
  return {
    async sign(data) {
      key ??= sealKeyOf(await readPem());
      return sign('RSA-SHA256', data, key);
    },
  };
}

/** Returns the key in a PEM. Throws ConfigError when it is no key that can seal. No message contains the text of the key. */
export function sealKeyOf(pem: string): KeyObject {
  const key = privateKeyIn(pem);
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key?.asymmetricKeyType === 'rsa' && bits >= LEAST_BITS && bits <= MAX_BITS) return key;
  const found = key === null ? 'something else' : `${key.asymmetricKeyType} with ${bits} bits`;
  throw new ConfigError('the key for ARC', [
    `expected an RSA private key in PEM with ${LEAST_BITS} to ${MAX_BITS} bits and without a password, got ${found}; make one with: openssl genrsa -out arc.pem 2048`,
  ]);
}

function privateKeyIn(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}
