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
  /** Handles the answer of LMTP about one recipient behind the message. */
  _actionLMTPStream: (recipient: string, isLast: boolean, reply: string, callback: unknown) => void;
  /** Passes the first whole reply of this list on. */
  _processResponse: () => void;
  readonly _responseQueue: readonly string[];
  _onError: (error: Error, code: string, reply: false, command: string) => void;
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
  /** True from the answer to DATA to the final dot. */
  isSending: boolean;
  /** The answers of LMTP about recipients behind the message, by the names that nodemailer got. */
  readonly answered: Map<string, string>;
}

const MAX_REPLY_LENGTH = 200;

/** Puts our lines of MAIL and RCPT, our dots and our reading of the answer to DATA into a connection that was not used yet. */
export function withOwnLines(plain: SMTPConnection): Connection {
  const own: Pick<Connection, 'lines' | 'awaitsAnswer' | 'isSending' | 'answered'> = {
    lines: null,
    awaitsAnswer: false,
    isSending: false,
    answered: new Map(),
  };
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
      connection.isSending = false;
      connection.awaitsAnswer = true;
    });
  };
  withOwnReplies(connection);
  const afterData = connection._actionDATA.bind(connection);
  connection._actionDATA = (reply, callback) => {
    // nodemailer also sends the message after 250. A server that did not mean 354 would take its lines for commands (RFC 5321, 3.3).
    connection.isSending = reply.startsWith('354');
    const isEarly = connection.isSending && connection._responseQueue.length > 0;
    if (/^(?:354|[45])/.test(reply) && !isEarly) afterData(reply, callback);
    else
      callback(
        new Error(`the next hop answered DATA with ${reply.slice(0, MAX_REPLY_LENGTH)}${isEarly ? ', and more' : ''}`),
      );
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

/** A whole reply: lines of one code, each but the last with a hyphen (RFC 5321, 4.2). */
const REPLY = /^(?:([2-5]\d\d)-[^\n]*\n(?:\1-[^\n]*\n)*\1|[2-5]\d\d)(?: [^\n]*)?$/;

/**
 * Ends the connection at an answer that has no clear meaning. nodemailer reads the first digit of the first line. Its message waits, and is
 * sent again.
 */
function withOwnReplies(connection: Connection): void {
  const processResponse = connection._processResponse.bind(connection);
  connection._processResponse = () => {
    const reply = connection._responseQueue[0]?.trim() ?? '';
    const isEarly = connection.isSending && /^[23]/.test(reply);
    if (reply === '' || (REPLY.test(reply) && !isEarly)) return processResponse();
    const what = isEarly ? 'answered before the end of the message' : 'gave an answer that is none, or several in one';
    const told = `the next hop ${what}: ${reply.slice(0, MAX_REPLY_LENGTH)}`;
    return connection._onError(new Error(told), 'EPROTOCOL', false, 'CONN');
  };
  const afterLmtp = connection._actionLMTPStream.bind(connection);
  connection._actionLMTPStream = (recipient, isLast, reply, callback) => {
    connection.answered.set(recipient, reply);
    afterLmtp(recipient, isLast, reply, callback);
  };
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
