/** The trace field that every relay adds (RFC 5321, 4.4). It has words of the peer only in a closed alphabet. */
import type { Envelope } from './envelope.ts';

const PLAIN = /^[A-Za-z0-9._:[\]-]{1,255}$/;

/** Returns `Received: …` with its line end. */
export function receivedField(
  name: string,
  id: string,
  { peer, receivedAt, tls, user, parameters }: Pick<Envelope, 'peer' | 'receivedAt' | 'tls' | 'user' | 'parameters'>,
): string {
  const plain = (text: string | null) => (text !== null && PLAIN.test(text) ? text : 'unknown');
  const address = plain(peer.address);
  const literal = address.includes(':') ? `[IPv6:${address}]` : `[${address}]`;
  const protocol = `${parameters.smtpUtf8 ? 'UTF8SMTP' : 'ESMTP'}${tls === null ? '' : 'S'}${user === null ? '' : 'A'}`;
  return [
    `Received: from ${plain(peer.helo)} (${peer.name === null ? literal : `${plain(peer.name)} ${literal}`})`,
    `\tby ${plain(name)} (Mail Airlock) with ${protocol} id ${id};`,
    `\t${dateOf(receivedAt)}`,
    '',
  ].join('\r\n');
}

/** Returns a date of RFC 5322 (3.3), in UTC. */
export function dateOf(iso: string): string {
  return new Date(iso).toUTCString().replace('GMT', '+0000');
}
