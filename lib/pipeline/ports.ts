/**
 * What the pipeline needs from the outside world, in its own words. Adapters live in lib/storage, lib/local, lambdas and
 * lib/analysis/analyzer.ts; every adapter of a port passes the same contract test suite.
 */
import type { Unpack } from '../message/containers/container.ts';
import type { ReadCodes } from '../message/urls/source.ts';
import type { FileId, UrlId } from './artifact-id.ts';
import type { Kind, Progress, Report } from './model.ts';

/** The four buckets of the flow. An adapter maps each to a real bucket, a folder or a map. */
export type Bucket = 'intake' | 'work' | 'clean' | 'quarantine';

export interface PutOptions {
  /** MIME type stored with the object. @default application/octet-stream */
  readonly contentType?: string;
  /** Write only when the key does not exist yet. @default false: the object is replaced */
  readonly ifAbsent?: boolean;
  /** Facts stored beside the object as tags; keys and values from closed sets or hashes only. */
  readonly tags?: Readonly<Record<string, string>>;
}

export interface GetOptions {
  /** Refuse to read more than this many bytes. Every read is bounded: an attacker chose the object's size. */
  readonly maxBytes: number;
  /** Read exactly this version, so that what was judged is what is delivered. @default the newest */
  readonly versionId?: string;
}

/** Objects under keys. Keys are built by keys.ts only; a put is atomic (a reader sees all of it or none). */
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
}

/** What is remembered of one (service, kind, artifact): the claim of a run, the submission in flight, or its report. */
export interface SubmissionRecord {
  /** From keys.submission: the analyzer's scope, kind, artifact and what else the answer depends on. */
  readonly key: string;
  /** The run that claimed it. */
  readonly claimedBy: string;
  /** Null between the claim and the service's answer. */
  readonly submissionId: string | null;
  /** Null until the submission finished. Set, it is a known report. */
  readonly report: Report | null;
  /** Disarmed bytes in the work bucket, by content; null when there are none. */
  readonly disarmed: { readonly sha256: string; readonly size: number } | null;
  /** Epoch seconds. A record at or past this time does not exist, whether or not the store has deleted it yet. */
  readonly expiresAtSeconds: number;
}

/** Submissions in flight and known reports, shared by all runs. Writes are conditional: two runs never both win a claim. */
export interface Submissions {
  /**
   * Claims a key for a run unless an unexpired record exists. Returns the record that holds afterwards and whether this
   * call made it.
   */
  claim(
    record: SubmissionRecord,
    nowSeconds: number,
  ): Promise<{ readonly record: SubmissionRecord; readonly won: boolean }>;
  /** The unexpired record, or null. */
  find(key: string, nowSeconds: number): Promise<SubmissionRecord | null>;
  /**
   * Replaces a record that `record.claimedBy` still holds. Returns false when another run holds the key by now: the
   * caller must then not rely on its own submission being remembered.
   */
  update(record: SubmissionRecord): Promise<boolean>;
  /** Gives up a claim that `runId` holds, so that another run can make it at once. */
  release(key: string, runId: string): Promise<void>;
}

/** One request for analysis. */
export type AnalysisRequest =
  | {
      readonly kind: Exclude<Kind, 'url_analysis'>;
      readonly id: FileId;
      readonly bytes: Uint8Array;
      /** A name made safe for the wire, with the extension the bytes call for. */
      readonly filename: string;
      /** The password that opened it here; null when it needs none or none was found. */
      readonly password: string | null;
      /** Names what came together, the run: a service may give it one budget. */
      readonly group: string;
    }
  | { readonly kind: 'url_analysis'; readonly id: UrlId; readonly url: string; readonly group: string };

/** A malware analysis service, seen from the pipeline. The only implementation is lib/analysis/analyzer.ts. */
export interface Analyzer {
  /**
   * Names what answers a kind: the service, and the versions of its engines and rules where it tells them. A report known from
   * one is not used for another. Throws TransientError when the service is away before it ever told.
   */
  scope(kind: Kind): Promise<string>;
  /**
   * Sends one artifact and returns the submission's id. Throws AnalyzerRefusal when the service will never accept it
   * (too large, unsupported), TransientError when trying again later can help.
   */
  submit(request: AnalysisRequest): Promise<string>;
  /** The id of an earlier submission of the same request, or null: asked after a crash between claim and answer. */
  find(request: AnalysisRequest): Promise<string | null>;
  progress(kind: Kind, submissionId: string): Promise<Progress>;
  report(kind: Kind, submissionId: string): Promise<Report>;
  /** The disarmed file, at most maxBytes long. */
  disarmedFile(submissionId: string, maxBytes: number): Promise<Uint8Array>;
}

/** Opens archives where hostile bytes do no harm: apart from this process's memory and secrets, under a deadline. */
export interface Unpacker {
  /** Never rejects; what cannot be opened, here or at all, is an outcome. */
  readonly unpack: Unpack;
}

/** Reads QR codes and their like, where hostile pictures do no harm. */
export interface CodeReader {
  /** Never rejects; what cannot be read is an outcome. */
  readonly read: ReadCodes;
}

/** Starts the execution of a run. */
export interface Executions {
  /** Starting a run that is running or has ended changes nothing. */
  start(run: { readonly runId: string; readonly input: object }): Promise<void>;
}

/** Tells others what became of a message. Delivered at least once. */
export interface Events {
  emit(event: {
    readonly type: 'MessageDelivered' | 'MessageQuarantined';
    readonly runId: string;
    readonly detail: object;
  }): Promise<void>;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Log {
  info(message: string, fields: Readonly<Record<string, string | number | boolean | null>>): void;
  warn(message: string, fields: Readonly<Record<string, string | number | boolean | null>>): void;
}
