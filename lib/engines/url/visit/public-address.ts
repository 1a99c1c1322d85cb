/**
 * The addresses that may be called for a stranger: for the webhook of a caller, or a page in a mail. Without this check, every stranger
 * with a URL could reach the private network of this machine: its own ports, its neighbours, and the metadata service of a cloud, which
 * gives credentials.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** The ranges that are not public unicast addresses (RFC 6890 and its registries). */
const NOT_PUBLIC_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local addresses, among them the metadata services 169.254.169.254 and 169.254.170.2.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // A metadata service outside of the link-local range.
  ['168.63.129.16', 32],
];

/** Ranges inside of 2000::/3, the only range of public addresses: tunnels (which hold any IPv4 address), documentation, benchmarks. */
const NOT_PUBLIC_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const refused = new BlockList();
for (const [network, prefix] of NOT_PUBLIC_V4) refused.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of NOT_PUBLIC_V6) refused.addSubnet(network, prefix, 'ipv6');

const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Returns true for the text of a public unicast IP address, without brackets. Returns false for anything else. */
export function isPublicAddress(address: string): boolean {
  // A zone names an interface of this machine, so an address with one is not public.
  if (address.includes('%')) return false;
  if (isIPv4(address)) return !refused.check(address, 'ipv4');
  // Addresses with an IPv4 address inside (::ffff:0:0/96, 64:ff9b::/96) are outside of 2000::/3 and are refused as well.
  return isIPv6(address) && globalUnicast.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}
