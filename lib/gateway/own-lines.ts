/**
 * nodemailer's connection with lines of our own. The lines of MAIL and RCPT are ours, because nodemailer has one NOTIFY and ORCPT for all
 * recipients, and writes parameters anew.
 */
import type { Transform } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { stuffed } from './dot-stuffing.ts';
import type { Extensions } from './wire-lines.ts';

/** The undocumented parts of nodemailer in use. The version is pinned, and test/gateway fails when they change. */
interface Undocumented {
  _sendCommand: (line: string, logged?: string) => void;
  _createSendStream: (callback: (error: Error | null, response?: string) => void) => SendStream;
  /** Handles the answer to DATA. */
  _actionDATA: (reply: string, callback: (error: Error | null, response?: unknown) => void) => void;
  readonly _responseActions: ((response: string) => void)[];
  /** The lines of the answer to EHLO after the first; absent after HELO. */
  readonly _ehloLines?: readonly string[];
}

/** Adds the dots, and ends the message by its last byte. */
interface SendStream extends Transform {
  lastByte: number | false;
}

export interface Connection extends SMTPConnection, Undocumented {
  /** The lines that replace those of nodemailer. */
  lines: { mail: string; readonly rcpt: string[] } | null;
  /** True from the final dot to the answer. */
  awaitsAnswer: boolean;
}

const MAX_REPLY_LENGTH = 200;

/** Puts our lines of MAIL and RCPT, our dots and our reading of the answer to DATA into a connection that was not used yet. */
export function withOwnLines(plain: SMTPConnection): Connection {
  const own: Pick<Connection, 'lines' | 'awaitsAnswer'> = { lines: null, awaitsAnswer: false };
  const connection: Connection = Object.assign(plain as SMTPConnection & Undocumented, own);
  const createSendStream = connection._createSendStream.bind(connection);
  connection._createSendStream = (callback) => {
    const stream = createSendStream(callback);
    stream._transform = (message: Buffer, _encoding, done) => {
      // nodemailer does the same byte by byte, and mends line ends.
      stream.push(stuffed(message, stream.lastByte === false ? null : stream.lastByte));
      stream.lastByte = message.at(-1) ?? stream.lastByte;
      done();
    };
    return stream.once('end', () => {
      connection.awaitsAnswer = true;
    });
  };
  const afterData = connection._actionDATA.bind(connection);
  connection._actionDATA = (reply, callback) => {
    // nodemailer also sends the message after 250. A server that did not mean 354 would take its lines for commands (RFC 5321, 3.3).
    if (/^(?:354|[45])/.test(reply)) afterData(reply, callback);
    else callback(new Error(`the next hop answered DATA with ${reply.slice(0, MAX_REPLY_LENGTH)}`));
  };
  const sendCommand = connection._sendCommand.bind(connection);
  connection._sendCommand = (line, logged) => {
    const { lines } = connection;
    if (lines !== null && line.startsWith('MAIL FROM:')) return sendCommand(lines.mail);
    if (lines !== null && line.startsWith('RCPT TO:')) return sendCommand(lines.rcpt.shift() ?? 'RSET');
    return sendCommand(line, logged);
  };
  return connection;
}

/** Returns the extensions that the next hop announced, in capitals. */
export function extensionsOf({ _ehloLines = [] }: Connection): Extensions {
  return new Set(_ehloLines.map((line) => line.split(/[ =]/, 1)[0]?.toUpperCase() ?? ''));
}

/** Returns the attributes of XFORWARD that the next hop takes, in capitals. */
export function xforwardOf({ _ehloLines = [] }: Connection): ReadonlySet<string> {
  const line = _ehloLines.find((found) => /^XFORWARD /i.test(found)) ?? '';
  return new Set(line.toUpperCase().split(' ').slice(1));
}

/** Sends one command and returns its answer. */
export function ask(connection: Connection, line: string): Promise<string> {
  return new Promise((resolve) => {
    connection._responseActions.push(resolve);
    connection._sendCommand(line);
  });
}
