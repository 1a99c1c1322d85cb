/** Every limit of the service, with the attack that it stops. A limit that is not a positive number is refused. */
import * as z from 'zod';

const count = () => z.int().positive();

export const ServiceLimits = z.object({
  /** One file that fills the disk of the service. */
  uploadBytes: count().default(100 * 1024 * 1024),
  /** The bytes that are read after the limit, so that a sender of a too large upload can read the answer. An endless upload is cut off. */
  discardedBytes: count().default(256 * 1024 * 1024),
  /** A request that is sent byte by byte holds a connection. A slow line needs half an hour for a large file. Milliseconds. */
  requestMs: count().default(30 * 60_000),
  /** The same before the body: headers are small on every line. Milliseconds. */
  headersMs: count().default(60_000),
  /** The time between two checks whether the certificate was renewed. Milliseconds. */
  certificateMs: count().default(10_000),
  /** JSON bodies carry one URL. */
  jsonBytes: count().default(64 * 1024),
  /** Part floods: a form of millions of empty fields. */
  formParts: count().default(64),
  /** Header bombs inside one part. */
  formHeaderBytes: count().default(4 * 1024),
  /** One text field of megabytes. */
  formFieldBytes: count().default(64 * 1024),
  /** Analyses that are given to the engines at the same time. The pool of the engines decides how many of them really run. */
  concurrentJobs: count().default(16),
  /** Submissions that wait or run, with the uploads that are being read. Beyond it, a submission is refused with 429. */
  queuedJobs: count().default(10_000),
  /**
   * A worker that was killed keeps its jobs from the others for this long. A worker renews its claim three times in this span.
   * Milliseconds.
   */
  jobLeaseMs: count().default(15_000),
  /** A file that brings the service down each time it is analysed. After this many starts its reports end in error. */
  jobAttempts: count().default(3),
  /** From this size on, a file is analysed in its own process, because engines hold several copies of it. */
  largeFileBytes: count().default(8 * 1024 * 1024),
  /** For an engine that neither answers nor times out by itself. The wait for its turn counts too. */
  jobTimeoutMs: count().default(1_800_000),
  /** Most stored submissions. The oldest finished one is deleted first. */
  storedSubmissions: count().default(1_000_000),
  /** Most bytes of stored samples and sanitized files. */
  storedBytes: count().default(64 * 1024 * 1024 * 1024),
  /** The same two limits when they are stored in memory. */
  rememberedSubmissions: count().default(10_000),
  rememberedBytes: count().default(1024 * 1024 * 1024),
  /** Most submissions that a search by hash shows. It has no pages and shows the newest. */
  searchResults: count().default(1_000),
  /** Findings and removals of one report: a crafted file can match without end. */
  reportEntries: count().default(1_000),
  /** Time for open requests to end when the service closes. */
  closeMs: count().default(5_000),
});
export type ServiceLimits = z.infer<typeof ServiceLimits>;

/** The limits as shipped. */
export const DEFAULT_SERVICE_LIMITS: ServiceLimits = ServiceLimits.parse({});
