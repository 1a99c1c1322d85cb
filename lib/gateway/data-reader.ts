/**
 * Reads the text behind DATA in the place of smtp-server, which looks at each byte by itself, and does so anew behind each dot that it
 * takes out: 17 µs for a line, so that a message of such lines kept a processor busy for minutes.
 *
 * This file uses methods of smtp-server that are not documented. The version is pinned, and test/gateway fails when they change.
 */
import type { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import type { SMTPStream } from 'smtp-server/lib/smtp-stream.js';
import { openUnstuffing, type Unstuffing } from './dot-stuffing.ts';

/** Reads the messages of one connection, before TLS and behind it. Called before anything is read. */
export function readDataOurselves(connection: SMTPConnection): void {
  if (connection._parser) withOwnReader(connection._parser);
  const createParser = connection._createParser.bind(connection);
  connection._createParser = () => withOwnReader(createParser());
}

function withOwnReader(parser: SMTPStream): SMTPStream {
  let reading: { readonly stream: SMTPStream['_dataStream']; readonly unstuffing: Unstuffing } | null = null;
  parser._feedDataStream = (chunk, done) => {
    const stream = parser._dataStream;
    if (stream === null) return done();
    if (reading?.stream !== stream) reading = { stream, unstuffing: openUnstuffing() };
    const { text, behind } = reading.unstuffing.feed(chunk);
    parser._countDataBytes(text.length);
    if (behind !== null) {
      reading = null;
      return parser._endDataMode(text, behind, done);
    }
    if (text.length === 0 || !stream.writable || stream.write(text) || stream.destroyed) return done();
    // A stream that its reader destroys never drains.
    const goOn = () => {
      stream.off('drain', goOn).off('close', goOn);
      done();
    };
    stream.on('drain', goOn).on('close', goOn);
  };
  return parser;
}
