/** The port of jobs that several workers share. Adapter: postgres/jobs.ts. */

/** A job that belongs to this worker until its claim runs out. */
export interface ClaimedJob {
  /** The service to which its submission belongs. */
  readonly part: 'airlock_analysis' | 'airlock_cdr';
  readonly uuid: string;
  readonly group: string;
}

/** The claims of one worker. Every method may reject with STORAGE_UNAVAILABLE (ServiceError). */
export interface Claims {
  /** Returns the next job whose group is none of these; null when there is none. No other worker gets it while the claim holds. */
  claim(fullGroups: readonly string[]): Promise<ClaimedJob | null>;
  /** Lengthens every claim that still holds. */
  renew(): Promise<void>;
  /** Returns true while the claim holds. */
  holds(job: ClaimedJob): Promise<boolean>;
  /** Marks the job as done. Nobody gets it again. */
  end(job: ClaimedJob): Promise<void>;
  /** Notes that the job could not be done. It is given out again when the claim has run out, to this worker or to another one. */
  abandon(job: ClaimedJob): Promise<void>;
  /** Gives all claims back at once. */
  release(): Promise<void>;
  /** Calls `onNotice` when there may be a new job, and `onLost` when notices are lost. The returned function ends it. */
  listen(onNotice: () => void, onLost: () => void): Promise<() => Promise<void>>;
}
