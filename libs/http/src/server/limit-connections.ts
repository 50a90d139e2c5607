import type { Server } from 'node:http';
import { networkOf } from '../requests/addresses/network-of.ts';

/** Limits the connections of one address. */
export interface ConnectionLimit {
  readonly maxPerAddress: number;
  /** Addresses without a limit, such as those of proxies. */
  readonly isExempt: (address: string) => boolean;
  readonly onRefused?: () => void;
}

/** Closes new connections of an address that has the maximum. The first 64 bits of IPv6 count as one address. */
export function limitConnections(server: Server, { maxPerAddress, isExempt, onRefused }: ConnectionLimit): void {
  const open = new Map<string, number>();
  server.prependListener('connection', (socket) => {
    const remote = socket.remoteAddress ?? '';
    const address = networkOf(remote);
    const count = open.get(address) ?? 0;
    if (count >= maxPerAddress && !isExempt(remote)) {
      socket.destroy();
      onRefused?.();
      return;
    }
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}
