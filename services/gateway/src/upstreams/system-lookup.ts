import { lookup } from 'node:dns/promises';
import type { HostLookup } from './find-addresses.ts';

/** Resolves names as the machine does: `/etc/hosts`, then DNS. */
export const systemLookup: HostLookup = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};
