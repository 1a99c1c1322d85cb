/** The port through which delivered mail goes on to another server. */

/** One message for the next server. */
export interface RelayMessage {
  /** Empty for the null sender. */
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly bytes: Uint8Array;
}

/** The next server's answer about one recipient: it has the message, does not take it, or asks to come back. */
export interface RelayReply {
  readonly recipient: string;
  readonly outcome: 'sent' | 'refused' | 'later';
  /** Its answer, cut. */
  readonly text: string;
}

/** Hands messages to the next mail server. */
export interface Relay {
  /** One reply for each recipient. Throws ConfigError when nothing says where to send, TransientError. */
  send(message: RelayMessage): Promise<readonly RelayReply[]>;
}
