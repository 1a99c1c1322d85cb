/**
 * The sender of a message, from the connection and from the data that a named peer gave with XFORWARD or XCLIENT (which only named peers
 * may).
 */
import type { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import type { Peer } from './envelope.ts';

const MAX_LENGTH = 300;

/** Returns the peer of a connection, made of closed words. Values that do not fit are null. */
export function peerOf(connection: SMTPConnection): Peer {
  const { session } = connection;
  const forwarded = session.xForward;
  const told = (key: string) => (forwarded.has(key) ? wordOf(forwarded.get(key)) : null);
  const hasForward = forwarded.size > 0;
  return {
    address: wordOf(connection.remoteAddress) ?? 'unknown',
    name: hasForward ? told('NAME') : null,
    port: hasForward ? told('PORT') : wordOf(connection.remotePort),
    helo: hasForward ? told('HELO') : wordOf(connection.hostNameAppearsAs),
    protocol: hasForward ? told('PROTO') : wordOf(session.transmissionType),
    source: told('SOURCE'),
    ident: told('IDENT'),
  };
}

function wordOf(value: unknown): string | null {
  if (typeof value === 'number') return value > 0 ? String(value) : null;
  if (typeof value !== 'string' || value === '') return null;
  return value.length <= MAX_LENGTH && /^[\x21-\x7E]+$/.test(value) ? value : null;
}
