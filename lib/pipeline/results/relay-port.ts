/** The port through which delivered mail is sent to another server. */

/** One message for the next server. */
export interface RelayMessage {
  /** Empty for the null sender. */
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly bytes: Uint8Array;
}

/** The next server's answer about one recipient: it takes the message, refuses it, or asks for a later try. */
export interface RelayReply {
  readonly recipient: string;
  readonly outcome: 'sent' | 'refused' | 'later';
  /** Its answer, cut. */
  readonly text: string;
}

/** Passes messages to the next mail server. */
export interface Relay {
  /** Returns one reply for each recipient. Throws ConfigError when no next server is configured, TransientError. */
  send(message: RelayMessage): Promise<readonly RelayReply[]>;
}
