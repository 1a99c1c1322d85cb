/** Decides whether the address of a connection is in a list of addresses and ranges (CIDR, RFC 4632 and RFC 4291 2.3). */
import { BlockList, isIP } from 'node:net';

/**
 * Returns a function that decides this for an address as a connection shows it. Throws TypeError for text that is neither an address nor a
 * range.
 */
export function clientMatcher(clients: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const client of clients) add(list, client);
  return (address) => {
    const plain = plainAddress(address);
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** Returns an IPv4 address in an IPv6 socket as that IPv4 address. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

function add(list: BlockList, client: string): void {
  const [address = '', bits] = client.split('/');
  const type = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  if (isIP(address) === 0) throw new TypeError(`${client} is no address`);
  if (bits === undefined) list.addAddress(address, type);
  else list.addSubnet(address, Number(bits), type);
}
