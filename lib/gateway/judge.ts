/** The judge of messages that were accepted: the whole flow, of which the gateway knows only how it ended. */

/** A message of the intake bucket. */
export interface Judged {
  readonly id: string;
  readonly sha256: string;
  readonly size: number;
  readonly envelope: { readonly sender: string; readonly recipients: readonly string[] };
  /** False for the first time. The result counts that an earlier process found then and could not report any more. */
  readonly isAgain: boolean;
}

export type Judgement =
  /** The clean message. Its bytes are read again before they go on. */
  | { readonly state: 'delivered'; readonly runId: string; readonly sha256: string; readonly size: number }
  | {
      readonly state: 'quarantined';
      readonly runId: string;
      readonly reasons: readonly string[];
      /** A fault of ours, which may be gone at the next try. */
      readonly isPassing: boolean;
    }
  /** It did not come to an end, and nothing was decided. */
  | { readonly state: 'unfinished'; readonly why: string };

/** The first message of mail whose files are still examined. The whole message follows, or does not. */
export interface FirstMessage {
  readonly runId: string;
  readonly bytes: Uint8Array;
}

export interface Judge {
  /** The rule under which a recipient gets mail. Recipients under different rules are judged apart, each rule with a message of its own. */
  ruleOf(recipient: string): string;
  /**
   * Never rejects. May be repeated: what an earlier try left is put aside, unless its first message went out. `onFirst` may be called once,
   * at any time before the end, also for what an earlier try handed out.
   */
  judge(message: Judged, onFirst: (first: FirstMessage) => Promise<void>): Promise<Judgement>;
  /** The clean message of a held run that somebody released since; null while there is none. */
  released(runId: string): Promise<Extract<Judgement, { state: 'delivered' }> | null>;
  /** Tells of runs that may have been released, as soon as the disk tells of it, which some do not. Returns what ends that. */
  onReleased(told: (runId: string) => void): () => void;
  /** The notice about a held run that policy asks for, as an email that is ready to be sent; null when there is none. */
  noticeOf(runId: string): Promise<Uint8Array | null>;
  /** The note about a held run to people who have its first message, as an email that is ready to be sent; null when nothing is known of it. */
  withheldNote(runId: string, from: string): Promise<Uint8Array | null>;
  /** Removes everything of a run, also from quarantine and from the index of runs. */
  forget(runId: string): Promise<void>;
  /** The bytes of a clean message; null when they are not there, or not these. */
  cleanMessage(runId: string, sha256: string): Promise<Uint8Array | null>;
}
