/**
 * Gives smtp-server one command line at a time, and notes lines that end in a bare LF. smtp-server takes them for commands. A program that
 * stands before us and does not would see other commands in the same bytes (SMTP smuggling; RFC 5321, 2.3.8).
 *
 * This file uses methods of smtp-server that are not documented. The version is pinned, and test/gateway fails when they change.
 */
import type { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import type { SMTPStream } from 'smtp-server/lib/smtp-stream.js';
import type { Dialogue } from './dialogue.ts';

const LF = 0x0a;
const CR = 0x0d;
/** Lines after which other connections have their turn. */
const LINES_AT_ONCE = 100;

/** Notes in `dialogue` how each line of a connection ends, before TLS and behind it. Called before anything is read. */
export function noteLineEnds(connection: SMTPConnection, dialogue: Dialogue): void {
  if (connection._parser) lineByLine(connection._parser, dialogue);
  const createParser = connection._createParser.bind(connection);
  connection._createParser = () => lineByLine(createParser(), dialogue);
}

function lineByLine(parser: SMTPStream, dialogue: Dialogue): SMTPStream {
  const write = parser._write.bind(parser);
  parser._write = (chunk, encoding, next) => {
    let rest = chunk;
    const step = (): void => {
      for (let lines = 0; lines < LINES_AT_ONCE; lines += 1) {
        const end = parser._dataMode ? -1 : rest.indexOf(LF);
        if (end < 0) {
          write(rest, encoding, next);
          return;
        }
        const line = rest.subarray(0, end + 1);
        rest = rest.subarray(end + 1);
        dialogue.endsBare = end === 0 ? !parser._remainder.endsWith('\r') : line[end - 1] !== CR;
        if (!isTaken(line)) return;
      }
      setImmediate(step);
    };
    /** Returns false when the command takes longer. Its end goes on with the rest. */
    const isTaken = (line: Buffer): boolean => {
      let [isWaitedFor, isDone] = [false, false];
      write(line, encoding, (error) => {
        if (error) return next(error);
        isDone = true;
        if (isWaitedFor) step();
      });
      isWaitedFor = true;
      return isDone;
    };
    step();
  };
  return parser;
}
