/** The statements of a mail server's packets about a client and an envelope, in the same closed grammar as in SMTP. */
import type { Envelope, Recipient } from '../envelope.ts';
import { type MailFrom, readMail, readRcpt } from '../smtp-parameters.ts';
import { type Read, readPath, refused } from '../smtp-path.ts';
import { stringsOf } from './packets.ts';

/** The client of the mail server. */
export type Client = Pick<Envelope['peer'], 'address' | 'name' | 'port'>;

/** Reads a field with the blanks in front of its value. The lines of a folded one end with LF there. */
export function fieldOf(data: Uint8Array): Buffer {
  const [name = '', value = ''] = stringsOf(data);
  return Buffer.from(`${name}:${value.replace(/\r?\n/g, '\r\n')}\r\n`, 'latin1');
}

/** Reads `<address>` and parameters, each a string. The mail server has accepted them, and unknown ones concern it alone. */
function lineOf(begin: string, known: readonly string[], data: Uint8Array): string | null {
  const [given = '', ...parameters] = stringsOf(data);
  // Postfix names mail that did not come by SMTP without the brackets.
  const path = given.startsWith('<') ? given : `<${given}>`;
  const kept = parameters.filter((text) => known.includes(text.split('=', 1)[0]?.toUpperCase() ?? ''));
  try {
    const bytes = Buffer.from([`${begin}:${path}`, ...kept].join(' '), 'latin1');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

const SYNTAX = refused(501, '5.5.4', 'Bad character in an address');

/** Reads MAIL. */
export function mailOf(data: Uint8Array, maxBytes: number): Read<MailFrom> {
  const line = lineOf('MAIL FROM', ['BODY', 'SMTPUTF8', 'RET', 'ENVID', 'SIZE'], data);
  const path = line === null ? SYNTAX : readPath(line, 'MAIL FROM', true);
  return path.ok ? readMail(path.value, maxBytes) : path;
}

/** Reads RCPT. */
export function rcptOf(data: Uint8Array, smtpUtf8: boolean): Read<Recipient> {
  const line = lineOf('RCPT TO', ['NOTIFY', 'ORCPT'], data);
  const path = line === null ? SYNTAX : readPath(line, 'RCPT TO', true);
  return path.ok ? readRcpt(path.value, smtpUtf8) : path;
}

/** Reads host name, family, port and address of the client. A client without a network address is a program on that machine. */
export function clientOf(data: Uint8Array): Client {
  const bytes = Buffer.from(data);
  const end = bytes.indexOf(0);
  const name = wordOf(bytes.subarray(0, Math.max(0, end)).toString('latin1'));
  const family = bytes.subarray(end + 1, end + 2).toString('latin1');
  if (end < 0 || (family !== '4' && family !== '6') || bytes.length < end + 4)
    return { address: 'local', name, port: null };
  const address = stringsOf(bytes.subarray(end + 4))[0]?.replace(/^IPv6:/i, '');
  return { address: wordOf(address) ?? 'unknown', name, port: String(bytes.readUInt16BE(end + 2)) };
}

/** The macros that we request beside the commands. The mail server may send any others. */
const MACROS = ['i', '{cipher}', '{auth_authen}'];

/** Adds the names and values behind the letter of their command. */
export function readMacros(macros: Map<string, string>, data: Uint8Array): void {
  const words = stringsOf(data.subarray(1));
  for (const name of MACROS) {
    const at = words.findIndex((word, index) => index % 2 === 0 && word === name);
    if (at >= 0) macros.set(name, words[at + 1] ?? '');
  }
}

/** Returns a word that may be in an envelope, or null. */
export function wordOf(text: string | undefined): string | null {
  return text !== undefined && text.length <= 300 && /^[\x21-\x7E]+$/.test(text) ? text : null;
}
