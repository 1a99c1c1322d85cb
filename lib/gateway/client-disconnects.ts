/** Connections that a client cuts in the middle of something. That is no fault of the gateway, and is reported as a cut. */
import type { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import type { Dialogue } from './dialogue.ts';

export interface Cut {
  /** `answer`: all of the message had arrived, and it may have been taken. In the other cases nothing is kept. */
  readonly during: 'handshake' | 'envelope' | 'message' | 'answer';
  /** The address of the connection. */
  readonly peer: string;
  /** Bytes of the message that had arrived; null when none was on its way. */
  readonly bytes: number | null;
  /** The word of the system or of the TLS library for the error. */
  readonly code: string | null;
}

/** Reports the end of one connection by an error. `onCut` is called at most once. */
export function watchForCut(connection: SMTPConnection, dialogue: Dialogue, onCut: (cut: Cut) => void): void {
  let isTold = false;
  connection.on('error', (error) => {
    const during = momentOf(connection, dialogue);
    // The reader of the message hears of it when the socket closes, and knows how many bytes came.
    if (isTold || during === 'message') return;
    isTold = true;
    onCut({ during, peer: connection._originalRemoteAddress, bytes: null, code: codeOf(error) });
  });
}

/** Returns the cut of a message by the error that its reader got, or null when the error is another one. */
export function cutOfMessage(
  { _originalRemoteAddress: peer }: SMTPConnection,
  error: unknown,
  bytes: number,
): Cut | null {
  const code = codeOf(error);
  // The first is of smtp-server. The other is of Node, when the message was not yet being read.
  const isCut = code === 'ECONNECTION' || code === 'ERR_STREAM_PREMATURE_CLOSE';
  return isCut ? { during: 'message', peer, bytes, code } : null;
}

function momentOf(connection: SMTPConnection, { phase }: Dialogue): Cut['during'] {
  if (connection._upgrading) return 'handshake';
  const { _parser: parser } = connection;
  if (parser !== false && parser._dataMode) return 'message';
  return phase === 'command' ? 'envelope' : 'answer';
}

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
