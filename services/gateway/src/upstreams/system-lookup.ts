import { lookup } from 'node:dns/promises';
import type { HostLookup } from './find-addresses.ts';

/** As the machine resolves names: `/etc/hosts`, then DNS. */
export const systemLookup: HostLookup = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};
