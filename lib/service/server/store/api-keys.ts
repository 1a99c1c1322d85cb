/**
 * Keys of the service: who calls, for which workspace, within which quotas. A key is shown once, when it is made; what is kept is
 * its SHA-256. A key has 192 random bits, so nothing slower than a plain hash is needed to make guessing hopeless.
 */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

/** What one key may do. 0 means no limit. */
export interface KeyQuotas {
  readonly requestsPerMinute: number;
  readonly submissionsPerDay: number;
  readonly concurrentSubmissions: number;
}

export const NO_QUOTAS: KeyQuotas = { requestsPerMinute: 0, submissionsPerDay: 0, concurrentSubmissions: 0 };

/** Whoever presented a valid key. */
export interface Caller {
  readonly keyId: string;
  /** As the operator named the key. */
  readonly name: string;
  readonly workspace: string;
  readonly quotas: KeyQuotas;
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number;
}

/** A key as it is kept. */
export interface KeyRecord extends Caller {
  /** SHA-256 of the key, hexadecimal. */
  readonly digest: string;
  readonly revokedAtMs: number | null;
}

/** Finds out who presents a key. */
export interface KeyRing {
  /** The caller, or null for a key that is unknown or revoked. */
  find(presented: string): Promise<Caller | null>;
}

/** The port of stored keys. Adapter: sqlite-keys.ts. */
export interface KeyStore extends KeyRing {
  add(record: KeyRecord): Promise<void>;
  /** Oldest first, revoked ones too. */
  list(): Promise<readonly KeyRecord[]>;
  /** Returns whether there was such a key that was not revoked yet. */
  revoke(keyId: string, nowMs: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Workspace of keys that name none. */
export const DEFAULT_WORKSPACE = 'local';

/** Digest of a presented key, as it is kept. */
export const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** A new key: the text to hand out, which is kept nowhere, and the record to keep. */
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

/** A key that is given by the operator and kept nowhere. */
export interface GivenKey {
  readonly key: string;
  /** @default DEFAULT_WORKSPACE */
  readonly workspace?: string;
  /** @default none */
  readonly quotas?: KeyQuotas;
}

/** A ring of given keys. Throws TypeError when there is none, or an empty one. */
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
      // No early exit: every key is compared in constant time, whichever matches.
      return known.filter((entry) => timingSafeEqual(entry.digest, digest))[0]?.caller ?? null;
    },
  };
}

/** Both rings as one; the first that knows the key answers. */
export function eitherRing(first: KeyRing, second: KeyRing): KeyRing {
  return { find: async (presented) => (await first.find(presented)) ?? (await second.find(presented)) };
}
