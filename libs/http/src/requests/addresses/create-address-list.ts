import { BlockList, isIP } from 'node:net';

/**
 * Creates the test whether an address is in a list of addresses and networks. An IPv4-mapped IPv6 address counts as
 * IPv4.
 *
 * @param property the name of the list, for the error
 * @throws Error naming an entry that is neither an address nor a network
 */
export function createAddressList(property: string, entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    const length = bits === undefined ? (family === 6 ? 128 : 32) : Number(bits);
    if (family === 0 || !Number.isInteger(length) || length < 0 || length > (family === 6 ? 128 : 32))
      throw new Error(`${property}: ${entry} is no address or network`);
    list.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4');
  }
  return (address) => list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}
