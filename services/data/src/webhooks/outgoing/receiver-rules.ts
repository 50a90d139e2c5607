import { isIP } from 'node:net';
import { createAddressList } from '@lintel/http';
import { hasBlockedPort, isPrivateAddress } from '@lintel/http-client';

/** The rule that a URL violates: `lintel.validation.<rule>.message` is its text in all languages. */
export interface UrlProblem {
  readonly rule: string;
  /** The end of an English sentence that begins with the URL. */
  readonly text: string;
}

const problem = (rule: string, text: string): UrlProblem => ({ rule, text });

/** The permitted receivers of webhooks. */
export interface ReceiverRules {
  /** Called with each address before a connection to it is opened. */
  readonly isRefused: (address: string) => boolean;
  /** The rule that a URL violates, if any. */
  readonly problemOf: (url: string) => UrlProblem | undefined;
}

/** Names that always resolve to this machine (RFC 6761 §6.3). */
const LOCALHOST = /(?:^|\.)localhost\.?$/;

/**
 * Allows public addresses, and those of the allowed networks. The address of a name is checked when the connection is
 * opened; URLs are checked in their normal form, where `2130706433` and `0x7f.1` are `127.0.0.1`.
 *
 * @throws Error with an invalid entry of `allowedNetworks`
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
      if (url === null) return problem('WebhookUrl', 'must be an absolute URL');
      if (url.protocol !== 'https:' && !(options.allowInsecureHttp && url.protocol === 'http:'))
        return problem('WebhookUrlScheme', 'must begin with https://');
      if (url.username !== '' || url.password !== '')
        return problem('WebhookUrlUser', 'must have no user and no password');
      if (hasBlockedPort(url)) return problem('WebhookUrlPort', 'must not have a port of another protocol');
      const host = hostOf(url);
      if (isIP(host) !== 0 ? isRefused(host) : LOCALHOST.test(host) && isRefused('127.0.0.1'))
        return problem('WebhookUrlAddress', 'must lead to a public address');
      return undefined;
    },
  };
}

/** The host of a URL; an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');
