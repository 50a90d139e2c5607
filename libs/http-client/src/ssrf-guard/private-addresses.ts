import { BlockList, isIPv6 } from 'node:net';

/** Ranges that lead to this machine or its network, and not to the public internet (RFC 2765, 6890 and 9602). */
const RANGES: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const blocked = new BlockList();
for (const [address, prefix] of RANGES) blocked.addSubnet(address, prefix, address.includes(':') ? 'ipv6' : 'ipv4');

/** Whether an address is none of the public internet; an IPv4 address inside of an IPv6 one counts itself. */
export const isPrivateAddress = (address: string): boolean => blocked.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
