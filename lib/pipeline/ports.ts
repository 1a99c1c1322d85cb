/**
 * Everything that the pipeline needs from the outside world, in its own words. Adapters live in lib/storage, lib/jobs, lib/local, lambdas
 * and lib/service/analyzer.ts; every adapter of a port passes the same contract test suite.
 */
import type { Unpacked, UnpackRequest } from '../formats/archives/unpacking.ts';
import type { CodeRequest, CodesRead } from '../formats/codes/request.ts';
import type { Looked, LookRequest } from '../formats/returned-file.ts';
import type { SignatureCheck, SignatureRequest } from '../formats/signed/signature-check.ts';
import type { VerifyingKey } from './chain/ed25519.ts';
import type { FileId, UrlId } from './ledger/artifact-id.ts';
import type { Kind, Progress, Quota, Report, Writer } from './model.ts';
import type { RunEvent } from './results/run-event.ts';
import type { Ask } from './review/ask.ts';
import type { HoldCount } from './runs/hold.ts';
import type { Fact, IndexedRun, RunRow } from './runs/row.ts';

/** The four buckets of the flow. An adapter maps each to a real bucket, a folder or a map. */
export type Bucket = 'intake' | 'work' | 'clean' | 'quarantine';

export interface PutOptions {
  /** MIME type stored with the object. @default application/octet-stream */
  readonly contentType?: string;
  /** Write only if the key does not exist yet. @default false: the object is replaced */
  readonly ifAbsent?: boolean;
  /** Tags to store with the object. Keys and values come from closed sets or hashes only. */
  readonly tags?: Readonly<Record<string, string>>;
}

export interface GetOptions {
  /** Refuse to read more than this many bytes. Every read is bounded, because an attacker chose the object's size. */
  readonly maxBytes: number;
  /** Read exactly this version, so that the delivered bytes are the judged ones. @default the newest */
  readonly versionId?: string;
  /** Read only the bytes with this ETag; others count as not found. For buckets without versions. @default any */
  readonly etag?: string;
  /** The real name of the bucket from which the object came in. Only for `intake`, which may be several buckets. @default our own bucket */
  readonly source?: string;
}

/** Objects under keys. Only keys.ts builds keys. A put is atomic: a reader sees the whole object or none. */
export interface Blobs {
  /** Returns false when `ifAbsent` was set and the key exists already. */
  put(bucket: Bucket, key: string, body: Uint8Array, options?: PutOptions): Promise<boolean>;
  /** Throws NotFoundError (no such object) or LimitExceededError (larger than maxBytes). */
  get(bucket: Bucket, key: string, options: GetOptions): Promise<Uint8Array>;
  has(bucket: Bucket, key: string): Promise<boolean>;
  /** Copies an object of any size without reading it into memory. Throws NotFoundError. */
  copy(source: ObjectVersion, target: { readonly bucket: Bucket; readonly key: string }): Promise<void>;
}

/** One version of one object. An empty versionId means the newest. */
export interface ObjectVersion {
  readonly bucket: Bucket;
  readonly key: string;
  readonly versionId: string;
  /** As in GetOptions. */
  readonly etag?: string;
  readonly source?: string;
}

/** The record about one (service, kind, artifact): the claim of a run, the submission in flight, or its report. */
export interface SubmissionRecord {
  /** Made by keys.submission: the analyzer's scope, the kind, the artifact, and what else the answer depends on. */
  readonly key: string;
  /** The run that claimed it. */
  readonly claimedBy: string;
  /** Null between the claim and the service's answer. */
  readonly submissionId: string | null;
  /** Null until the submission has finished. After that, the record is a known report. */
  readonly report: Report | null;
  /** The disarmed file in the work bucket; null when there is none. */
  readonly disarmed: { readonly sha256: string; readonly size: number } | null;
  /** Epoch seconds. From this time on the record counts as absent, even if the store has not deleted it yet. */
  readonly expiresAtSeconds: number;
}

/** Submissions in flight and known reports, shared by all runs. Writes are conditional, so two runs never both win a claim. */
export interface Submissions {
  /**
   * Claims a key for a run unless an unexpired record exists. Returns the record that is then valid, and whether this call
   * made it.
   */
  claim(
    record: SubmissionRecord,
    nowSeconds: number,
  ): Promise<{ readonly record: SubmissionRecord; readonly won: boolean }>;
  /** Returns the unexpired record, or null. */
  find(key: string, nowSeconds: number): Promise<SubmissionRecord | null>;
  /**
   * Replaces a record that `record.claimedBy` still holds. Returns false when another run holds the key by now: the
   * caller's own submission is then not remembered.
   */
  update(record: SubmissionRecord): Promise<boolean>;
  /** Gives up a claim of `runId`, so that another run can claim at once. */
  release(key: string, runId: string): Promise<void>;
}

/** One request for analysis. */
export type AnalysisRequest =
  | {
      readonly kind: Exclude<Kind, 'url_analysis'>;
      readonly id: FileId;
      /** Reads the bytes. Throws CorruptDataError when they do not match the hash, and the errors of the store. */
      readonly bytes: () => Promise<Uint8Array>;
      /** A name that is safe for the wire, with the extension that fits the bytes. */
      readonly filename: string;
      /** The password that opened the file here; null when it needs none or none was found. */
      readonly password: string | null;
      /** Names the run, so that the service can give all files of one run one budget. */
      readonly group: string;
    }
  | { readonly kind: 'url_analysis'; readonly id: UrlId; readonly url: string; readonly group: string };

/**
 * The analyzer of a deployment: a malware analysis service (lib/service/analyzer.ts), or our engines in place
 * (lib/jobs/engines-analyzer.ts). The pipeline cannot tell them apart.
 */
export interface Analyzer {
  /**
   * Returns the scope of a kind: the service, and the versions of its engines and rules if it tells them. A known report of one scope is
   * not used for another. Throws TransientError when the service does not answer before it has told its versions.
   */
  scope(kind: Kind): Promise<string>;
  /**
   * Sends one artifact and returns the submission's id. Throws AnalyzerRefusal when the service will never accept it
   * (too large, unsupported), TransientError when a later try can succeed.
   */
  submit(request: AnalysisRequest): Promise<string>;
  /** Returns the id of an earlier submission of the same request, or null. Used after a crash between claim and answer. */
  find(request: AnalysisRequest): Promise<string | null>;
  progress(kind: Kind, submissionId: string): Promise<Progress>;
  report(kind: Kind, submissionId: string): Promise<Report>;
  /** Returns the submissions that are left for today. Null or absent when there is no limit or nobody tells it. Throws as `scope` does. */
  quota?(kind: Kind): Promise<Quota | null>;
  /** Returns the disarmed file, at most maxBytes long. */
  disarmedFile(submissionId: string, maxBytes: number): Promise<Uint8Array>;
}

/** Receives the milliseconds of processor time that a request used elsewhere, which no `WorkClock` sees. */
export type OnWork = (workMs: number) => void;

/** Signs the entries of stages, and finds the public keys that stages have published. */
export interface Signer {
  /** Signs with the key of this stage, after its public key was published. Throws TransientError; ConfigError when there is no key. */
  sign(stage: Writer, bytes: Uint8Array): Promise<{ readonly keyId: string; readonly signature: string }>;
  /** Returns the public key that this stage published under this id, or null. Throws TransientError. */
  publicKey(stage: Writer, keyId: string): Promise<VerifyingKey | null>;
}

/** Opens archives where hostile bytes do no harm: away from this process's memory and secrets, and under a deadline. */
export interface Unpacker {
  /** Never rejects. The outcome says when an archive cannot be opened, here or at all. */
  readonly unpack: (request: UnpackRequest, onWork: OnWork) => Promise<Unpacked>;
}

/** Reads QR codes and similar codes, where hostile pictures do no harm. */
export interface CodeReader {
  /** Never rejects. The outcome says which content could not be read. */
  readonly read: (request: CodeRequest, onWork: OnWork) => Promise<CodesRead>;
}

/** Checks signatures of mail, where hostile certificates and keys do no harm. */
export interface SignatureReader {
  /** Never rejects. The result says which signatures could not be checked. */
  readonly check: (request: SignatureRequest, onWork: OnWork) => Promise<SignatureCheck>;
}

/** Compares a file that a disarm service returned with its original, where hostile bytes do no harm. */
export interface SecondLook {
  /** Never rejects. The outcome is the finding, or says that the file could not be checked. */
  readonly look: (request: LookRequest, onWork: OnWork) => Promise<Looked>;
}

/** Signs with the key of the operator for ARC. */
export interface Sealer {
  /** Signs by RSA over SHA-256 (PKCS #1 v1.5). Throws ConfigError when no key works, TransientError when the key cannot be read for now. */
  sign(data: Uint8Array): Promise<Uint8Array>;
}

/** Starts the execution of a run. */
export interface Executions {
  /** Starts an attempt of a run. Has no effect on an attempt that is running or has ended. */
  start(run: { readonly runId: string; readonly attempt: number; readonly input: object }): Promise<void>;
}

/** A run that is held. */
export interface HeldRun {
  readonly runId: string;
  /** Milliseconds since the epoch. */
  readonly heldAt: number;
}

/** The list of held runs. */
export interface HeldRuns {
  /** Returns at most `most` of them after `after`, and the place to continue; null when no run is left. Throws TransientError. */
  list(
    after: string | null,
    most: number,
  ): Promise<{ readonly runs: readonly HeldRun[]; readonly next: string | null }>;
}

/** The selection of the runs to list, newest first. */
export interface RunQuery {
  /** All of these facts must apply. */
  readonly facts: readonly Fact[];
  /** Runs that came in at this time or later, and before `until`. Milliseconds since the epoch. */
  readonly since: number | null;
  readonly until: number | null;
  /** The place at which the earlier page ended. */
  readonly after: string | null;
  readonly most: number;
}

export interface RunPage {
  readonly rows: readonly RunRow[];
  /** The start of the next page; null when no run is left. A page of several facts may end early, with fewer rows, and have a next page. */
  readonly next: string | null;
}

/** A span of time in slots of equal length, beginning with `since`. Milliseconds since the epoch. */
export interface TallySpan {
  readonly since: number;
  /** Exclusive. */
  readonly until: number;
  readonly slotMs: number;
}

/** The index of runs, for people. No stage decides by it, and it can be built anew from the chains. */
export interface Runs {
  /** Replaces the data of the run, unless the stored data is of a later attempt or of its end. Events may repeat and change order. */
  put(run: IndexedRun): Promise<void>;
  get(runId: string): Promise<RunRow | null>;
  /** Throws TypeError when `after` is not the `next` of a page. */
  list(query: RunQuery): Promise<RunPage>;
  /** Returns how many runs with a fact came in during each slot of a span, the earliest slot first. Empty slots are left out. */
  tally(fact: Fact, span: TallySpan): Promise<readonly { readonly at: number; readonly runs: number }[]>;
  /**
   * Returns how often mail was held at each of these times or later (milliseconds since the epoch), for each set of reasons that occurs.
   */
  holds(sinces: readonly number[]): Promise<readonly HoldCount[]>;
  /** Returns the run with a fact that came in first; null when no run has the fact. */
  oldest(fact: Fact): Promise<RunRow | null>;
  /** Returns how many runs with a fact came in since that time (milliseconds since the epoch; null: ever), at most `most`. */
  count(fact: Fact, most: number, since?: number | null): Promise<number>;
  /** Removes the run. A missing run is no error. */
  remove(runId: string): Promise<void>;
}

/** One version of an incoming object. */
export interface TaggedVersion {
  /** The real name of the bucket. */
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string;
}

/** The tags of incoming objects. */
export interface SourceTags {
  /** Returns null when the version does not exist. Throws TransientError. */
  get(object: TaggedVersion): Promise<Readonly<Record<string, string>> | null>;
  /** Replaces all tags. Throws TransientError. */
  put(object: TaggedVersion, tags: Readonly<Record<string, string>>): Promise<void>;
}

/** The requests of recipients. Each recipient can ask once for a message. */
export interface Asks {
  /** Returns false when this recipient has already asked. Then nothing changes. */
  put(ask: Ask): Promise<boolean>;
  /** Returns the requests about one run, oldest first. */
  of(runId: string): Promise<readonly Ask[]>;
  /** Returns the newest requests first, at most `most`. */
  list(most: number): Promise<readonly Ask[]>;
}

/** Tells others the end of a message. Each event is delivered at least once. */
export interface Events {
  emit(event: {
    readonly type: 'MessageDelivered' | 'MessageQuarantined' | 'MessagePlaced';
    readonly runId: string;
    readonly detail: RunEvent;
  }): Promise<void>;
}

export interface Clock {
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Measures work. Budgets are in processor time. By the clock, a busy machine would use up the budget of a harmless mail. */
export interface WorkClock {
  /** Returns milliseconds of processor time that this thread has used since some fixed moment. */
  workMs(): number;
}

export interface Log {
  info(message: string, fields: Readonly<Record<string, string | number | boolean | null>>): void;
  warn(message: string, fields: Readonly<Record<string, string | number | boolean | null>>): void;
}
