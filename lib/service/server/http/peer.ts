/** The sender of a request: the other end of the connection, or the address that a trusted proxy names. */
import { BlockList, isIP } from 'node:net';

/** The addresses of the proxies in front of the service. */
export interface TrustedProxies {
  has(address: string): boolean;
}

/** Reads addresses and ranges (CIDR). Throws TypeError with the first that is neither. */
export function trustedProxies(ranges: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address);
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
    if (family === 0 || !isRange) throw new TypeError(`${JSON.stringify(range)} is no address or range`);
    const type = family === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return { has: (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6') };
}

/**
 * Returns the address of the caller. Each proxy adds the address it saw at the end of X-Forwarded-For. So the last address that is no proxy
 * of ours is the caller. The caller wrote everything before it.
 */
export function peerOf(
  connected: string | undefined,
  untrustedForwarded: string | null,
  proxies: TrustedProxies | null,
): string | null {
  const last = plain(connected ?? '');
  if (last === '' || !proxies?.has(last)) return last || null;
  const hops = (untrustedForwarded ?? '')
    .slice(-MAX_HEADER)
    .split(',')
    .map((hop) => plain(hop.trim()));
  const caller = hops.findLast((hop) => !proxies.has(hop));
  return caller !== undefined && isIP(caller) !== 0 ? caller : last;
}

/** A caller can make the header of any length, but its end is ours. */
const MAX_HEADER = 4_096;

/** Returns an IPv4 address that a socket for both families shows as IPv6. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');
