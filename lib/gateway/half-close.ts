/**
 * Answers clients that say everything at once and close their half of the connection behind it (`shutdown(SHUT_WR)`: a FIN, in TLS a
 * close_notify). They still listen, and RFC 5321 (3.8) has the server answer what it took. smtp-server takes the end of the input for the end
 * of the connection. Here, the connection ends when all that was said is answered.
 */
import type { Socket } from 'node:net';
import type { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import type { SMTPStream } from 'smtp-server/lib/smtp-stream.js';

/** Said to a client that closes its half in the middle of a message. */
const UNFINISHED = '4.4.2 The connection ended in the middle of the message';

/** Lets one connection outlive the input of its client. Called before anything is read. */
export function answerBehindTheEnd(connection: SMTPConnection): void {
  listenBehindTheEnd(connection._socket);
  const createParser = connection._createParser.bind(connection);
  const followed = (parser: SMTPStream) => {
    // This comes behind the answer to the last command, because the parser waits for it, and for that to a message.
    parser.once('finish', () => {
      // The parser of the time before TLS ends, too, and the connection goes on.
      if (parser === connection._parser) endConnection(connection, parser);
    });
    return parser;
  };
  if (connection._parser) followed(connection._parser);
  connection._createParser = () => followed(createParser());
  const upgrade = connection.upgrade.bind(connection);
  connection.upgrade = (callback, whenSecure) => {
    // A client that closes its half in front of the handshake, or in it, is gone. smtp-server's socket with TLS takes this over.
    connection._socket.allowHalfOpen = false;
    if (connection._socket.readableEnded) connection.close();
    else upgrade(callback, whenSecure);
  };
}

/** Keeps the way to the client open when the client has closed its own half. */
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
