/** The port through which delivered mail is sent to another server. */

/** The longest time that a relay works on one message, in seconds. A recipient without an answer by then is tried later. */
export const SEND_SECONDS = 90;

/**
 * How long the function lives that sends delivered mail on, in seconds. It handles one message, and tries three times with pauses, so it
 * is never ended while it sends.
 */
export const FORWARD_SECONDS = 6 * 60;

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
  /** Returns one reply for each recipient. Throws ConfigError when no next server is configured, TransientError. Nothing was sent then. */
  send(message: RelayMessage): Promise<readonly RelayReply[]>;
}
