/** A text that several people change, each from what he has read. */

/** A text as it was read. */
export interface VersionedText {
  readonly text: string;
  /** Names this version of it. */
  readonly version: string;
}

/** One small text that people change, such as their saved views. */
export interface SharedText {
  /** Null when there is none. Throws LimitExceededError for one that is too long, TransientError. */
  read(): Promise<VersionedText | null>;
  /** Writes it in the place of what was read before (null: of nothing). False when somebody else has changed it since. Throws TransientError. */
  replace(text: string, before: VersionedText | null): Promise<boolean>;
}
