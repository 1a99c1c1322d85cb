/**
 * The keys of the service. A key identifies the caller, his workspace and his quotas. It is shown once, when it is made. Only its SHA-256
 * is kept. A key has 192 random bits, so a plain hash is enough to make guessing hopeless.
 */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

/** The limits of one key. 0 means no limit. */
export interface KeyQuotas {
  readonly requestsPerMinute: number;
  readonly submissionsPerDay: number;
  readonly concurrentSubmissions: number;
}

export const NO_QUOTAS: KeyQuotas = { requestsPerMinute: 0, submissionsPerDay: 0, concurrentSubmissions: 0 };

/** The caller with a valid key. */
export interface Caller {
  readonly keyId: string;
  /** The name that the operator gave to the key. */
  readonly name: string;
  readonly workspace: string;
  readonly quotas: KeyQuotas;
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number;
}

/** A key as the store keeps it. */
export interface KeyRecord extends Caller {
  /** The SHA-256 of the key in hexadecimal digits. */
  readonly digest: string;
  readonly revokedAtMs: number | null;
}

/** Identifies the owner of a key. */
export interface KeyRing {
  /** Returns the caller, or null for a key that is unknown or revoked. */
  find(presented: string): Promise<Caller | null>;
}

/** The port of stored keys. Adapters: sqlite-keys.ts, postgres/keys.ts. */
export interface KeyStore extends KeyRing {
  add(record: KeyRecord): Promise<void>;
  /** Returns all keys, the oldest first, with the revoked ones. */
  list(): Promise<readonly KeyRecord[]>;
  /** Revokes a key. Returns true when it existed and was not revoked yet. */
  revoke(keyId: string, nowMs: number): Promise<boolean>;
  close(): Promise<void>;
}

/** The workspace of keys that name none. */
export const DEFAULT_WORKSPACE = 'local';

/** Returns the digest of a key, as the store keeps it. */
export const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Returns a new key: the text for the caller, which is not stored, and the record to store. */
export function newKey(
  facts: { readonly name: string; readonly workspace: string; readonly quotas?: KeyQuotas },
  nowMs: number,
): { readonly key: string; readonly record: KeyRecord } {
  const key = `ma_${randomBytes(24).toString('base64url')}`;
  const { name, workspace, quotas = NO_QUOTAS } = facts;
  const record = {
    keyId: randomUUID(),
    name,
    workspace,
    quotas,
    createdAtMs: nowMs,
    digest: digestOf(key),
    revokedAtMs: null,
  };
  return { key, record };
}

/** A key that the operator gives at the start. It is not stored. */
export interface GivenKey {
  readonly key: string;
  /** @default DEFAULT_WORKSPACE */
  readonly workspace?: string;
  /** @default none */
  readonly quotas?: KeyQuotas;
}

/** Returns a ring of given keys. Throws TypeError when there is no key, or an empty one. */
export function givenKeys(keys: readonly GivenKey[], nowMs = 0): KeyRing {
  if (keys.length === 0 || keys.some(({ key }) => key === '')) {
    throw new TypeError('an analysis service needs at least one key, and no empty one');
  }
  const known = keys.map(({ key, workspace = DEFAULT_WORKSPACE, quotas = NO_QUOTAS }, index) => ({
    digest: Buffer.from(digestOf(key), 'hex'),
    caller: { keyId: `given-${index}`, name: 'given by the operator', workspace, quotas, createdAtMs: nowMs },
  }));
  return {
    find: async (presented) => {
      const digest = Buffer.from(digestOf(presented), 'hex');
      // All keys are compared, each in constant time, so that the time does not tell which one matches.
      return known.filter((entry) => timingSafeEqual(entry.digest, digest))[0]?.caller ?? null;
    },
  };
}

/** Joins both rings. The first that knows the key answers. */
export function eitherRing(first: KeyRing, second: KeyRing): KeyRing {
  return { find: async (presented) => (await first.find(presented)) ?? (await second.find(presented)) };
}
