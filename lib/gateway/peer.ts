/**
 * The sender of a message, from the connection and from the data that a named peer gave with XFORWARD or XCLIENT (which only named peers
 * may).
 */
import { isIP } from 'node:net';
import type { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import type { Peer } from './envelope.ts';

/** The grammar of each value (Postfix, XFORWARD_README; RFC 5321, 4.1.2 and 4.1.3). The next hop gets no other. */
const HOST = /^(?:[\w.-]{1,255}|\[[\w.:-]{1,253}\])$/;
const GRAMMAR = {
  name: HOST,
  helo: HOST,
  port: /^[1-9]\d{0,4}$/,
  protocol: /^[A-Za-z0-9][A-Za-z0-9.+-]{0,63}$/,
  source: /^(?:LOCAL|REMOTE)$/i,
  ident: /^[\w.:@/+-]{1,255}$/,
} as const satisfies Partial<Record<keyof Peer, RegExp>>;
const MAX_PORT = 65_535;

/** Returns the peer of a connection, made of closed words. Values that do not fit are null. */
export function peerOf(connection: SMTPConnection): Peer {
  const { session } = connection;
  const forwarded = session.xForward;
  const told = (name: keyof typeof GRAMMAR, key: string, own: unknown) =>
    wordOf(name, forwarded.size === 0 ? own : forwarded.get(key));
  return {
    // smtp-server takes only addresses from XFORWARD and XCLIENT.
    address: isIP(String(connection.remoteAddress)) > 0 ? String(connection.remoteAddress) : 'unknown',
    name: told('name', 'NAME', null),
    port: told('port', 'PORT', connection.remotePort),
    helo: told('helo', 'HELO', connection.hostNameAppearsAs),
    protocol: told('protocol', 'PROTO', session.transmissionType),
    source: told('source', 'SOURCE', null),
    ident: told('ident', 'IDENT', null),
  };
}

function wordOf(name: keyof typeof GRAMMAR, value: unknown): string | null {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (!GRAMMAR[name].test(text)) return null;
  return name === 'port' && Number(text) > MAX_PORT ? null : text;
}
