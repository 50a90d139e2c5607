import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** A name that stands for an address which may not be called. The message names it. */
export class AddressRefusedError extends Error {
  constructor(hostname: string) {
    super(`${hostname} is at no public address`);
    this.name = 'AddressRefusedError';
  }
}

/**
 * Resolves the name of a server outside when the connection to it is made, and fails with an `AddressRefusedError` when
 * one of its addresses may not be used: what was checked is what is connected to, whatever the name means a moment
 * later. Names only: an address in a URL is never looked up, so whoever connects checks it before.
 */
export const publicLookup =
  (isRefused: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const refused = addresses?.find(({ address }) => isRefused(address));
      const [first] = addresses ?? [];
      if (error !== null) callback(error, '');
      else if (refused !== undefined || first === undefined) callback(new AddressRefusedError(hostname), '');
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
