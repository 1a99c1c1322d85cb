/**
 * The lines of MAIL, RCPT and XFORWARD for the next hop. Each consists of words that a closed grammar read on arrival, and is checked once
 * more here: no value of a sender can end a line.
 */
import type { Envelope, Recipient } from './envelope.ts';
import { needsUtf8 } from './smtp-path.ts';

/** The extensions that the next hop announced in its answer to EHLO, in capitals. */
export type Extensions = ReadonlySet<string>;

/** Facts about the bytes to send. */
export interface Outgoing {
  readonly size: number;
  readonly has8Bit: boolean;
  readonly has8BitHeader: boolean;
}

/**
 * Returns true when the message cannot be sent without SMTPUTF8: an address beyond ASCII, or a header beyond ASCII whose sender asked for
 * SMTPUTF8. Old programs write such headers and never ask. Their mail goes on as it came, because mailbox servers take it.
 */
export function isInternational(
  { sender, parameters }: Pick<Envelope, 'sender' | 'parameters'>,
  recipients: readonly Recipient[],
  { has8BitHeader }: Outgoing,
): boolean {
  const isHeader = has8BitHeader && parameters.smtpUtf8;
  return isHeader || needsUtf8(sender) || recipients.some(({ address }) => needsUtf8(address));
}

/** Returns `MAIL FROM:<…> …` with the parameters that the next hop knows. */
export function mailLine(
  envelope: Pick<Envelope, 'sender' | 'parameters'>,
  recipients: readonly Recipient[],
  outgoing: Outgoing,
  known: Extensions,
): string {
  const { sender, parameters } = envelope;
  const words = [
    known.has('SIZE') ? `SIZE=${outgoing.size}` : '',
    known.has('8BITMIME') && outgoing.has8Bit ? 'BODY=8BITMIME' : '',
    known.has('SMTPUTF8') && isInternational(envelope, recipients, outgoing) ? 'SMTPUTF8' : '',
    known.has('DSN') && parameters.ret !== null ? `RET=${parameters.ret}` : '',
    known.has('DSN') && parameters.envid !== null ? `ENVID=${parameters.envid}` : '',
  ];
  return lineOf([`MAIL FROM:<${sender}>`, ...words]);
}

/** Returns `RCPT TO:<…> …` with the parameters that the next hop knows. */
export function rcptLine({ address, notify, orcpt }: Recipient, known: Extensions): string {
  const words = [
    known.has('DSN') && notify !== null ? `NOTIFY=${notify}` : '',
    known.has('DSN') && orcpt !== null ? `ORCPT=${orcpt}` : '',
  ];
  return lineOf([`RCPT TO:<${address}>`, ...words]);
}

/** Longest XFORWARD line that Postfix reads. */
const MAX_XFORWARD = 500;

/** Returns the real peer, for a next hop that asks for it, in as many lines as it takes. */
export function xforwardLines({ peer }: Pick<Envelope, 'peer'>, attributes: ReadonlySet<string>): string[] {
  const address = peer.address.includes(':') ? `IPV6:${peer.address}` : peer.address;
  const values: readonly (readonly [string, string | null])[] = [
    ['NAME', peer.name],
    ['ADDR', address === 'unknown' ? null : address],
    ['PORT', peer.port],
    ['PROTO', peer.protocol],
    ['HELO', peer.helo],
    ['IDENT', peer.ident],
    ['SOURCE', peer.source],
  ];
  const words = values
    .filter(([name]) => attributes.has(name))
    .map(([name, value]) => `${name}=${value === null ? '[UNAVAILABLE]' : xtext(value)}`);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < MAX_XFORWARD) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`XFORWARD ${word}`);
  }
  return lines.map((line) => lineOf([line]));
}

/**
 * Encodes text by RFC 3461 (4). Brackets are written unchanged: `[UNAVAILABLE]` is a word of XFORWARD, and an address literal needs them.
 */
function xtext(value: string): string {
  return [...Buffer.from(value)]
    .map((byte) => {
      const isPlain = byte > 0x20 && byte < 0x7f && byte !== 0x2b && byte !== 0x3d;
      return isPlain ? String.fromCharCode(byte) : `+${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

function lineOf(words: readonly string[]): string {
  const line = words.filter(Boolean).join(' ');
  if (/\p{Cc}/u.test(line)) throw new TypeError('a control character in a line for the next hop');
  return line;
}
