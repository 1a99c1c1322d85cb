/**
 * Answers clients that send everything at once and then close their half of the connection (`shutdown(SHUT_WR)`: a FIN, in TLS a
 * close_notify). They still listen, and a server has to answer what it took (RFC 5321, 3.8). smtp-server takes the end of the input for the
 * end of the connection. Here, the connection ends after the last answer.
 */
import type { Socket } from 'node:net';
import type { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import type { SMTPStream } from 'smtp-server/lib/smtp-stream.js';

/** The answer to a client that closes its half in the middle of a message. */
const UNFINISHED = '4.4.2 The connection ended in the middle of the message';

/** Lets one connection outlive the input of its client. Called before anything is read. */
export function answerBehindTheEnd(connection: SMTPConnection): void {
  listenBehindTheEnd(connection._socket);
  const createParser = connection._createParser.bind(connection);
  const followed = (parser: SMTPStream) => {
    // This comes after the answer to the last command, because the parser waits for it, and for the answer to a message.
    parser.once('finish', () => {
      // The parser of the time before TLS ends, too, and the connection continues.
      if (parser === connection._parser) endConnection(connection, parser);
    });
    return parser;
  };
  if (connection._parser) followed(connection._parser);
  connection._createParser = () => followed(createParser());
  const upgrade = connection.upgrade.bind(connection);
  connection.upgrade = (callback, whenSecure) => {
    // A client that closes its half before or in the handshake is gone. The TLS socket of smtp-server handles this.
    connection._socket.allowHalfOpen = false;
    if (connection._socket.readableEnded) connection.close();
    else upgrade(callback, whenSecure);
  };
}

/** Keeps the way to the client open after the client has closed its own half. */
export function listenBehindTheEnd(socket: Socket): void {
  socket.allowHalfOpen = true;
  // smtp-server writes to a socket only while it is open in both directions.
  Object.defineProperty(socket, 'readyState', {
    get: () => (socket.writable && !socket.destroyed ? 'open' : 'closed'),
  });
}

function endConnection(connection: SMTPConnection, parser: SMTPStream): void {
  // The reader of the message is told when the socket closes.
  if (parser._dataMode) connection.send(421, UNFINISHED, false);
  else connection.close();
}
