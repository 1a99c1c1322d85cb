/** Every limit of the service, in one place, each with the attack it stops. A limit that is no positive number is refused. */
import * as z from 'zod';

const count = () => z.int().positive();

export const ServiceLimits = z.object({
  /** One file that fills the disk of the service. */
  uploadBytes: count().default(100 * 1024 * 1024),
  /** A sender whose upload is too large still reads the answer when we read on for a while; an endless one is cut off. */
  discardedBytes: count().default(256 * 1024 * 1024),
  /** JSON bodies carry one URL. */
  jsonBytes: count().default(64 * 1024),
  /** Part floods: a form of millions of empty fields. */
  formParts: count().default(64),
  /** Header bombs inside one part. */
  formHeaderBytes: count().default(4 * 1024),
  /** One text field of megabytes. */
  formFieldBytes: count().default(64 * 1024),
  /** Analyses handed to the engines at the same time; the engines' own pool decides how many of them really run. */
  concurrentJobs: count().default(16),
  /** Submissions that wait or run, uploads being read included. Beyond it, a submission is refused with 429. */
  queuedJobs: count().default(10_000),
  /** A file that brings the service down each time it is analysed: after that many starts its reports end in error. */
  jobAttempts: count().default(3),
  /** From this size on, a file is analysed in a process of its own: engines hold it several times over. */
  largeFileBytes: count().default(8 * 1024 * 1024),
  /** The last net under an engine that neither answers nor times out by itself. By the clock, waiting for a turn included. */
  jobTimeoutMs: count().default(1_800_000),
  /** Submissions remembered: the oldest finished one is forgotten first. */
  storedSubmissions: count().default(1_000_000),
  /** Samples and sanitized files remembered, in bytes. */
  storedBytes: count().default(64 * 1024 * 1024 * 1024),
  /** The same two, where nothing but memory holds them. */
  rememberedSubmissions: count().default(10_000),
  rememberedBytes: count().default(1024 * 1024 * 1024),
  /** Submissions of one hash shown by a search, which has no pages: the newest ones. */
  searchResults: count().default(1_000),
  /** Findings and removals of one report: a crafted file can match without end. */
  reportEntries: count().default(1_000),
  /** How long requests under way are given to end when the service closes. */
  closeMs: count().default(5_000),
});
export type ServiceLimits = z.infer<typeof ServiceLimits>;

/** The limits as shipped. */
export const DEFAULT_SERVICE_LIMITS: ServiceLimits = ServiceLimits.parse({});
