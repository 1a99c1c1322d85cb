/** The judge of accepted messages: the whole flow. The gateway only knows its result. */

/** A message of the intake bucket. */
export interface Judged {
  readonly id: string;
  readonly sha256: string;
  readonly size: number;
  readonly envelope: { readonly sender: string; readonly recipients: readonly string[] };
  /** False for the first time. The result includes findings that an earlier process could not report any more. */
  readonly isAgain: boolean;
}

export type Judgement =
  /** The clean message. Its bytes are read again before it is sent. */
  | { readonly state: 'delivered'; readonly runId: string; readonly sha256: string; readonly size: number }
  | {
      readonly state: 'quarantined';
      readonly runId: string;
      readonly reasons: readonly string[];
      /** A fault of ours, which may be gone at the next try. */
      readonly isPassing: boolean;
    }
  /** It did not end, and nothing was decided. */
  | { readonly state: 'unfinished'; readonly why: string };

/** The first message of mail whose files are still examined. The whole message follows, or does not. */
export interface FirstMessage {
  readonly runId: string;
  readonly bytes: Uint8Array;
}

export interface Judge {
  /** Returns the rule for a recipient. Recipients under different rules are judged separately, with one message for each rule. */
  ruleOf(recipient: string): string;
  /**
   * Judges a message. Never rejects. It may be repeated: the remains of an earlier try are put aside, unless its first message was sent.
   * `onFirst` may be called once, at any time before the end, also for the first message of an earlier try.
   */
  judge(message: Judged, onFirst: (first: FirstMessage) => Promise<void>): Promise<Judgement>;
  /** Returns the clean message of a held run that somebody has released, or null while there is none. */
  released(runId: string): Promise<Extract<Judgement, { state: 'delivered' }> | null>;
  /** Reports runs that may have been released, as soon as the disk reports it. Some disks do not. Returns the function that ends this. */
  onReleased(told: (runId: string) => void): () => void;
  /** Returns the notice about a held run that the policy requires, as an email that is ready to be sent, or null when there is none. */
  noticeOf(runId: string): Promise<Uint8Array | null>;
  /**
   * Returns the note about a held run to people who have its first message, as an email that is ready to be sent, or null when nothing is
   * known of it.
   */
  withheldNote(runId: string, from: string): Promise<Uint8Array | null>;
  /** Removes everything of a run, also from quarantine and from the index of runs. */
  forget(runId: string): Promise<void>;
  /** Returns the bytes of a clean message, or null when they are missing or different. */
  cleanMessage(runId: string, sha256: string): Promise<Uint8Array | null>;
}
