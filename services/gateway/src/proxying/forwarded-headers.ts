import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The client's view of the connection, as far as it is believed. */
export interface Forwarded {
  /** Addresses, the client's first. */
  readonly for: string;
  readonly proto: string;
  readonly host: string;
}

/**
 * Reads `X-Forwarded-*` of trusted proxies and ignores everyone else's, so that nobody can choose the
 * address that brute-force protection counts.
 *
 * @throws Error naming an entry of the list that is no address or network
 */
export function createForwardedReader(trustedProxies: readonly string[]): (request: IncomingMessage) => Forwarded {
  const trusted = toBlockList(trustedProxies);
  return (request) => {
    const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
    const { headers } = request;
    const isTrusted = trusted.check(peer, peer.includes(':') ? 'ipv6' : 'ipv4');
    const own = { proto: 'encrypted' in request.socket ? 'https' : 'http', host: headers.host ?? '' };
    if (!isTrusted) return { for: peer, ...own };
    const before = textOf(headers, 'x-forwarded-for');
    return {
      for: before === undefined ? peer : `${before}, ${peer}`,
      proto: firstOf(textOf(headers, 'x-forwarded-proto')) ?? own.proto,
      host: firstOf(textOf(headers, 'x-forwarded-host')) ?? own.host,
    };
  };
}

function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    const length = bits === undefined ? (family === 6 ? 128 : 32) : Number(bits);
    if (family === 0 || !Number.isInteger(length) || length < 0 || length > (family === 6 ? 128 : 32))
      throw new Error(`svc.gateway.trusted-proxies: ${entry} is no address or network`);
    list.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

const firstOf = (list: string | undefined): string | undefined => list?.split(',')[0]?.trim();
