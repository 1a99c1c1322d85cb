/**
 * Stands between smtp-server's parser and its handlers, and sees every command line first. smtp-server reads addresses leniently and
 * changes them (it decodes domains and merges addresses that differ in case), so MAIL and RCPT are read and answered here. It keeps the
 * rest of the dialogue: EHLO, STARTTLS, AUTH, XFORWARD, XCLIENT, DATA.
 *
 * This file uses methods of smtp-server that are not documented. The version is pinned, and test/gateway fails when they change.
 */

import type { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import { isCertified } from './certificates.ts';
import { clientMatcher } from './client-addresses.ts';
import { addRecipient, type Dialogue, enter, resetEnvelope } from './dialogue.ts';
import type { GatewayLimits } from './limits.ts';
import type { DoorSettings } from './settings.ts';
import { readMail, readRcpt } from './smtp-parameters.ts';
import { domainOf, type Refusal, readPath, refused } from './smtp-path.ts';

export interface GuardOptions {
  readonly settings: DoorSettings;
  readonly limits: GatewayLimits;
  readonly now: () => number;
  /** Returns why no message can be taken now, or null when one can. */
  readonly pressure: () => Promise<Refusal | null>;
  /** Called for every refusal, with the status code in it. */
  readonly onRefusal: (reply: Refusal) => void;
}

const VERBS = [
  ...['MAIL', 'RCPT', 'DATA', 'RSET', 'NOOP', 'QUIT', 'VRFY', 'HELP'],
  ...['STARTTLS', 'AUTH', 'XFORWARD', 'XCLIENT'],
];
/** RFC 5321 (4.1.1.1) and 2033 (4.1). */
const HELLOS = { smtp: ['EHLO', 'HELO'], lmtp: ['LHLO'] };
/** These are not announced. The text behind BDAT is no command, and the others come from a web page. */
const FATAL = ['BDAT', 'GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'CONNECT'];
const STATUS = /^[245]\.\d{1,3}\.\d{1,3} /;
/** All characters outside of a command line. */
const BAD_CHARACTER = /[^\x20-\x7E\u{80}-\u{10FFFF}]|[\u{80}-\u{9F}]/u;

/** Puts the guard in front of one connection. */
export function guardConnection(connection: SMTPConnection, dialogue: Dialogue, options: GuardOptions): void {
  const onCommand = connection._onCommand.bind(connection);
  const send = connection.send.bind(connection);
  connection.send = (code, text, context) => {
    // A mailing list has many recipients, and hears of each that is too many for one message.
    if (code >= 400 && code !== TOO_MANY.code) dialogue.refusals += 1;
    // A text of ours has its status code already.
    send(code, text, typeof text === 'string' && STATUS.test(text) ? false : context);
  };
  const isSupported = connection._isSupported.bind(connection);
  // A password that crosses the network in the clear is already lost when it is refused, so AUTH is not offered before TLS.
  connection._isSupported = (verb) => isSupported(verb) && (verb !== 'AUTH' || connection.secure);
  // EHLO, RSET, STARTTLS and the end of a message come here, and refused ones do not (RFC 5321, 4.1.4).
  const resetSession = connection._resetSession.bind(connection);
  connection._resetSession = () => {
    resetEnvelope(dialogue);
    resetSession();
  };
  connection._onCommand = (command, callback) => {
    // At the end of a connection, smtp-server also passes the text behind the last line end. A cut line is no command.
    if (callback === undefined) return;
    if (dialogue.endsBare) return endBareLine(connection, options);
    // The greeting was not sent yet, TLS is being negotiated, or this is the answer to a challenge of AUTH.
    if (!connection._ready || connection._upgrading || connection._nextHandler) return onCommand(command, callback);
    enter(dialogue, 'busy', options.now());
    const done = () => {
      if (dialogue.phase === 'busy') enter(dialogue, 'command', options.now());
      callback();
    };
    const answer = (reply: Refusal | null) => {
      if (reply !== null) {
        options.onRefusal(reply);
        connection.send(reply.code, `${reply.status} ${reply.text}`, false);
      }
      done();
    };
    const read = readCommand(command, dialogue, options);
    if ('code' in read) return answer(read);
    const { verb, line } = read;
    if (verb === 'MAIL') {
      mail(connection, dialogue, line, options).then(answer, () => answer(LOCAL_FAULT));
      return;
    }
    if (verb === 'RCPT') return answer(rcpt(connection, dialogue, line, options));
    const problem = problemOfOrder(dialogue, verb, line);
    if (problem !== null) return answer(problem);
    if (verb === 'DATA') dialogue.idleCommands = 0;
    onCommand(command, done);
  };
}

/** The lines behind a bare LF may be no commands, so none is read. Postfix does the same with `smtpd_forbid_bare_newline = reject`. */
function endBareLine(connection: SMTPConnection, { onRefusal }: GuardOptions): void {
  onRefusal(BARE_LINE);
  connection.send(BARE_LINE.code, `${BARE_LINE.status} ${BARE_LINE.text}`, false);
  connection.close();
}

const BARE_LINE: Refusal = { code: 550, status: '5.5.2', text: 'A line ends in a bare LF: only CR LF ends a line' };
const TOO_MANY: Refusal = { code: 452, status: '4.5.3', text: 'Too many recipients' };
const LOCAL_FAULT: Refusal = { code: 451, status: '4.3.0', text: 'Local fault: try again later' };

/** Returns the command in a line, or the answer to a line that is none. */
function readCommand(
  command: Buffer,
  dialogue: Dialogue,
  { settings, limits }: GuardOptions,
): { readonly verb: string; readonly line: string } | Refusal {
  const line = readLine(command);
  const verb = line?.split(' ', 1)[0]?.toUpperCase() ?? '';
  const fatal = fatalProblem(verb, dialogue, limits);
  if (fatal !== null) return fatal;
  if (line === null) return { code: 500, status: '5.5.2', text: 'Bad character in the command' };
  return VERBS.includes(verb) || HELLOS[settings.protocol].includes(verb)
    ? { verb, line }
    : { code: 500, status: '5.5.2', text: 'Command not recognized' };
}

function readLine(command: Buffer): string | null {
  try {
    const line = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(command);
    return BAD_CHARACTER.test(line) ? null : line;
  } catch {
    return null;
  }
}

/** Answers. An answer with 421 also closes the connection. */
function fatalProblem(verb: string, dialogue: Dialogue, limits: GatewayLimits): Refusal | null {
  if (FATAL.includes(verb)) return { code: 421, status: '4.7.0', text: `${verb} is not known here` };
  if (verb !== 'MAIL' && verb !== 'RCPT' && verb !== 'DATA') dialogue.idleCommands += 1;
  if (verb !== 'QUIT' && dialogue.idleCommands > limits.idleCommands)
    return { code: 421, status: '4.7.0', text: 'Too many commands without a message' };
  if (verb !== 'QUIT' && dialogue.refusals > limits.refusedCommands)
    return { code: 421, status: '4.7.0', text: 'Too many refused commands' };
  return null;
}

async function mail(
  connection: SMTPConnection,
  dialogue: Dialogue,
  line: string,
  { settings, limits, pressure }: GuardOptions,
): Promise<Refusal | null> {
  const order = orderOfMail(connection, dialogue, settings);
  if (order !== null) return order;
  if (dialogue.messages >= limits.messagesPerConnection)
    return { code: 421, status: '4.7.0', text: 'Too many messages in one connection' };
  const path = readPath(line, 'MAIL FROM');
  const read = path.ok ? readMail(path.value, limits.messageBytes) : path;
  if (!read.ok) return read.reply;
  const full = await pressure();
  if (full !== null) return full;
  dialogue.mail = read.value;
  connection.session.envelope.mailFrom = { address: read.value.sender, args: false };
  connection.send(250, '2.1.0 Sender accepted', false);
  return null;
}

function orderOfMail(connection: SMTPConnection, dialogue: Dialogue, settings: DoorSettings): Refusal | null {
  const hello = settings.protocol === 'lmtp' ? 'LHLO' : 'EHLO or HELO';
  if (!connection.hostNameAppearsAs) return { code: 503, status: '5.5.1', text: `Send ${hello} first` };
  if (settings.tls?.isRequired && !connection.secure)
    return { code: 530, status: '5.7.0', text: 'Must issue a STARTTLS command first' };
  if (settings.tls?.clients?.isRequired && !isCertified(connection))
    return { code: 530, status: '5.7.0', text: 'Show a certificate of a known authority behind STARTTLS' };
  if (dialogue.mail !== null) return { code: 503, status: '5.5.1', text: 'Nested MAIL command' };
  return null;
}

function rcpt(
  connection: SMTPConnection,
  dialogue: Dialogue,
  line: string,
  { settings, limits }: GuardOptions,
): Refusal | null {
  if (dialogue.mail === null) return { code: 503, status: '5.5.1', text: 'Send MAIL first' };
  if (dialogue.rcptReplies.length >= limits.recipients) return tooManyRecipients(dialogue, limits);
  const path = readPath(line, 'RCPT TO');
  const read = path.ok ? readRcpt(path.value, dialogue.mail.parameters.smtpUtf8) : path;
  if (!read.ok) return read.reply;
  const relay = relayProblem(connection, settings, read.value.address);
  if (relay !== null) return relay;
  addRecipient(dialogue, read.value);
  connection.session.envelope.rcptTo.push({ address: read.value.address, args: false });
  connection.send(250, '2.1.5 Recipient accepted', false);
  return null;
}

function tooManyRecipients(dialogue: Dialogue, limits: GatewayLimits): Refusal {
  dialogue.excessRecipients += 1;
  return dialogue.excessRecipients > limits.excessRecipients
    ? { code: 421, status: '4.7.0', text: 'Too many recipients' }
    : TOO_MANY;
}

/**
 * Returns why this connection may not send to this recipient, or null when it may. The address of the connection itself counts, never the
 * one in XFORWARD. A domain counts only when it is listed itself, and nothing in a local part routes to another host.
 */
function relayProblem(connection: SMTPConnection, settings: DoorSettings, address: string): Refusal | null {
  if (connection.session.user || isCertified(connection)) return null;
  if (isClient(settings, connection._originalRemoteAddress)) return null;
  const domain = domainOf(address);
  const local = address.slice(0, address.lastIndexOf('@'));
  const isOurs = domain === null ? /^postmaster$/i.test(address) : settings.domains.includes(domain);
  if (isOurs && !/[%!@"]/.test(local)) return null;
  return refused(550, '5.7.1', 'Relaying denied').reply;
}

const matchers = new WeakMap<DoorSettings, (address: string) => boolean>();

function isClient(settings: DoorSettings, address: string): boolean {
  const matches = matchers.get(settings) ?? clientMatcher(settings.clients);
  matchers.set(settings, matches);
  return matches(address);
}

/** Returns why a command that smtp-server executes itself may not come now. */
function problemOfOrder(dialogue: Dialogue, verb: string, line: string): Refusal | null {
  // RFC 4954 (4)
  if (verb === 'AUTH' && dialogue.mail !== null)
    return { code: 503, status: '5.5.1', text: 'AUTH in the middle of a message' };
  // smtp-server reads `1e3` and `0x19` as numbers, too.
  if ((verb === 'XFORWARD' || verb === 'XCLIENT') && BAD_PORT.test(line))
    return { code: 501, status: '5.5.4', text: `Bad PORT in ${verb}: send digits, or [UNAVAILABLE]` };
  return verb === 'DATA' ? problemOfData(dialogue, line) : null;
}

const BAD_PORT = /\sPORT=(?!(?:\d{1,5}|\[(?:UNAVAILABLE|TEMPUNAVAIL)\])(?:\s|$))/i;

function problemOfData(dialogue: Dialogue, line: string): Refusal | null {
  if (!/^DATA *$/i.test(line)) return { code: 501, status: '5.5.4', text: 'Syntax: DATA' };
  if (dialogue.mail === null) return { code: 503, status: '5.5.1', text: 'Send MAIL first' };
  return dialogue.recipients.length === 0 ? { code: 554, status: '5.5.1', text: 'No valid recipients' } : null;
}
