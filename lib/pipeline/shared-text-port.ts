/** A text that several people change. Each change is based on the version that its author has read. */

/** A text with its version. */
export interface VersionedText {
  readonly text: string;
  /** The name of this version. */
  readonly version: string;
}

/** One small text that people change, such as their saved views. */
export interface SharedText {
  /** Returns null when there is none. Throws LimitExceededError for a text that is too long, TransientError. */
  read(): Promise<VersionedText | null>;
  /**
   * Replaces the version that was read before (null: none). Returns false when somebody else has changed it since. Throws TransientError.
   */
  replace(text: string, before: VersionedText | null): Promise<boolean>;
}
