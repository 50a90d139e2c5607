import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** A host has an address that must not be called. The message names the host. */
export class AddressRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressRefusedError';
  }
}

/**
 * Resolves a name when the connection is made, and fails with an `AddressRefusedError` when one of its addresses must not
 * be used: the connection goes to the addresses that were checked, even if the name resolves to others afterwards. An
 * address in a URL is never looked up, so the caller checks it before.
 */
export const publicLookup =
  (isRefused: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const refused = addresses?.find(({ address }) => isRefused(address));
      const [first] = addresses ?? [];
      if (error !== null) callback(error, '');
      else if (refused !== undefined || first === undefined)
        callback(new AddressRefusedError(`${hostname} is at no public address`), '');
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
