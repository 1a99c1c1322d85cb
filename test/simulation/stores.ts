/**
 * The stores of the simulation. Every operation is done at one moment and tells its invariants what it did. Bytes are kept as they were
 * given, because nobody changes them.
 */

import { attemptOf } from '../../lib/pipeline/analysis/submission-of.ts';
import { LimitExceededError, NotFoundError } from '../../lib/pipeline/errors.ts';
import type { Bucket, GetOptions, ObjectVersion, PutOptions, SubmissionRecord } from '../../lib/pipeline/ports.ts';
import { hashOf } from './memo.ts';

export interface Written {
  readonly bucket: Bucket;
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly before: Uint8Array | null;
}

export interface Objects {
  put(bucket: Bucket, key: string, body: Uint8Array, options?: PutOptions): boolean;
  get(bucket: Bucket, key: string, options: GetOptions): Uint8Array;
  has(bucket: Bucket, key: string): boolean;
  copy(source: ObjectVersion, target: { readonly bucket: Bucket; readonly key: string }): void;
  /** Puts one version of an object, as whoever brings mail does. */
  bring(key: string, versionId: string, body: Uint8Array): void;
  /** Changes one byte of an object, as nobody may. */
  spoil(bucket: Bucket, key: string): void;
  /** Removes an object, or one version of it. */
  remove(bucket: Bucket, key: string, versionId?: string): void;
  /** The newest bytes under a key, or null. */
  find(bucket: Bucket, key: string): Uint8Array | null;
  keys(bucket: Bucket): string[];
}

/** Objects under keys. Only the intake bucket has versions. */
export function createObjects(onWritten: (written: Written) => void): Objects {
  const of: Readonly<Record<Bucket, Map<string, Uint8Array>>> = {
    intake: new Map(),
    work: new Map(),
    clean: new Map(),
    quarantine: new Map(),
  };
  const id = (key: string, versionId = '') => (versionId === '' ? key : `${key}?${versionId}`);
  const write = (bucket: Bucket, key: string, bytes: Uint8Array) => {
    const before = of[bucket].get(key) ?? null;
    of[bucket].set(key, bytes);
    onWritten({ bucket, key, bytes, before });
  };
  const read = (bucket: Bucket, key: string, which: { readonly versionId?: string; readonly etag?: string }) => {
    const found = of[bucket].get(id(key, which.versionId));
    if (found === undefined || (which.etag !== undefined && etagOf(found) !== which.etag))
      throw new NotFoundError(bucket, key);
    return found;
  };
  return {
    put(bucket, key, body, { ifAbsent = false } = {}) {
      if (ifAbsent && of[bucket].has(key)) return false;
      write(bucket, key, body);
      return true;
    },
    get(bucket, key, { maxBytes, ...which }) {
      const found = read(bucket, key, which);
      if (found.length > maxBytes) throw new LimitExceededError('maxBytes', maxBytes, found.length);
      return found;
    },
    has: (bucket, key) => of[bucket].has(key),
    copy({ bucket, key, ...which }, target) {
      write(target.bucket, target.key, read(bucket, key, which));
    },
    bring(key, versionId, body) {
      of.intake.set(key, body);
      if (versionId !== '') of.intake.set(id(key, versionId), body);
    },
    spoil(bucket, key) {
      const found = of[bucket].get(key);
      if (found !== undefined) of[bucket].set(key, found.with(found.length >> 1, (found[found.length >> 1] ?? 0) ^ 1));
    },
    remove: (bucket, key, versionId) => void of[bucket].delete(id(key, versionId)),
    find: (bucket, key) => of[bucket].get(key) ?? null,
    keys: (bucket) => [...of[bucket].keys()],
  };
}

/** An ETag as S3 makes it: the same for the same bytes. */
export const etagOf = (bytes: Uint8Array): string => hashOf(bytes).slice(0, 32);

/** A record that is given up, and whose function does that. */
export interface GivenUp {
  readonly record: SubmissionRecord;
  /** When the claimant asked for this record to be made, in told time. */
  readonly madeAtMs: number;
  /** The label of the attempt that gives it up. */
  readonly by: string;
}

export interface Records {
  /** `askedAtMs`: when the call was made, in told time. It may be done much later. */
  claim(
    record: SubmissionRecord,
    nowSeconds: number,
    askedAtMs?: number,
  ): { readonly record: SubmissionRecord; readonly won: boolean };
  find(key: string, nowSeconds: number): SubmissionRecord | null;
  update(record: SubmissionRecord, askedAtMs?: number): boolean;
  release(key: string, runId: string, by?: string): void;
  /** The end of the claim that this run held when it sent something, in epoch seconds; null when it held none then. */
  claimEnd(key: string, runId: string, sentAtSeconds: number): number | null;
  /**
   * True when a claim of this run was valid once and nobody else has it since by right: it has run out, or a later attempt took its place, or is about
   * to. That one first gives up the claim of the other, which may be about to send.
   */
  hadClaim(key: string, runId: string): boolean;
  /** Claims of this run with which nothing was sent. */
  leftClaims(runId: string): readonly string[];
}

interface Claim {
  /** In told time, whatever the clock of the claimer says. Seconds. */
  readonly madeAt: number;
  readonly endsAt: number;
}

/** The records of submissions. */
export function createRecords(secondsNow: () => number, onGivenUp: (givenUp: GivenUp) => void = () => {}): Records {
  const madeAtMs = new Map<string, number>();
  const claims = new Set<string>();
  const made = new Map<string, Claim[]>();
  const records = new Map<string, SubmissionRecord>();
  /** Whose claim of a key was given up last, and by nobody claimed since. A later attempt does that, and then claims the key itself. */
  const givenUp = new Map<string, string>();
  const find = (key: string, nowSeconds: number) => {
    const found = records.get(key);
    return found !== undefined && found.expiresAtSeconds > nowSeconds ? found : null;
  };
  return {
    find,
    claim(record, nowSeconds, askedAtMs = 0) {
      const holder = find(record.key, nowSeconds);
      if (holder !== null) return { record: holder, won: false };
      records.set(record.key, record);
      madeAtMs.set(record.key, askedAtMs);
      const before = givenUp.get(record.key);
      if (before !== undefined && attemptOf(before) < attemptOf(record.claimedBy))
        claims.add(`${record.key} ${before}`);
      givenUp.delete(record.key);
      const name = `${record.key} ${record.claimedBy}`;
      claims.add(name);
      made.set(name, [...(made.get(name) ?? []), { madeAt: secondsNow(), endsAt: record.expiresAtSeconds }]);
      return { record, won: true };
    },
    update(record, askedAtMs = 0) {
      if (records.get(record.key)?.claimedBy !== record.claimedBy) return false;
      records.set(record.key, record);
      madeAtMs.set(record.key, askedAtMs);
      return true;
    },
    leftClaims: (runId) =>
      [...records.values()]
        .filter((record) => record.claimedBy === runId && record.submissionId === null)
        .map(({ key }) => key),
    // A call may take until its claim has run out. A claim that was made after it is another one.
    claimEnd: (key, runId, sentAtSeconds) =>
      made.get(`${key} ${runId}`)?.find(({ madeAt, endsAt }) => madeAt <= sentAtSeconds && sentAtSeconds <= endsAt)
        ?.endsAt ?? null,
    hadClaim: (key, runId) => claims.has(`${key} ${runId}`) || givenUp.get(key) === runId,
    release(key, runId, by = '') {
      claims.delete(`${key} ${runId}`);
      givenUp.set(key, runId);
      const record = records.get(key);
      if (record?.claimedBy !== runId) return;
      records.delete(key);
      onGivenUp({ record, madeAtMs: madeAtMs.get(key) ?? 0, by });
    },
  };
}
