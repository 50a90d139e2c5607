import { isIP } from 'node:net';
import { createAddressList, isPrivateAddress } from '@lintel/http';

/** Where webhooks may lead. */
export interface ReceiverRules {
  /** Asked for an address that a connection is about to be made to. */
  readonly isRefused: (address: string) => boolean;
  /** What is wrong with a URL, as the end of a sentence that begins with its name; undefined where nothing is. */
  readonly problemOf: (url: string) => string | undefined;
}

/** A name that is this machine wherever it is looked up (RFC 6761 §6.3). */
const LOCALHOST = /(?:^|\.)localhost\.?$/;

/**
 * Public addresses, and those of the networks that are allowed. What a name stands for is seen when the connection is
 * made; URLs are looked at in their normal form, where `2130706433` and `0x7f.1` are `127.0.0.1`.
 *
 * @throws Error naming an entry of `allowedNetworks` that is none
 */
export function createReceiverRules(options: {
  readonly allowInsecureHttp: boolean;
  readonly allowedNetworks: readonly string[];
}): ReceiverRules {
  const isAllowed = createAddressList('svc.webhooks.allowed-networks', options.allowedNetworks);
  const isRefused = (address: string): boolean => isPrivateAddress(address) && !isAllowed(address);
  return {
    isRefused,
    problemOf(text) {
      const url = URL.parse(text);
      if (url === null) return 'must be an absolute URL';
      if (url.protocol !== 'https:' && !(options.allowInsecureHttp && url.protocol === 'http:'))
        return 'must begin with https://';
      if (url.username !== '' || url.password !== '') return 'must have no user and no password';
      const host = hostOf(url);
      if (isIP(host) !== 0 ? isRefused(host) : LOCALHOST.test(host) && isRefused('127.0.0.1'))
        return 'must lead to a public address';
      return undefined;
    },
  };
}

/** The host of a URL; an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');
