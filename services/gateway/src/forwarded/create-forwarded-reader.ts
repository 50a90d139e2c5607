import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createAddressList, isHost } from '@lintel/http';
import { addressOf, type Hop, parseForwarded, parseForwardedFor } from './parse-hops.ts';
import type { PublicAddress } from './public-host.ts';

/** The connection as the client sees it, from trusted sources only. */
export interface Forwarded {
  /** Address of the caller: the nearest one that is not that of a trusted proxy. */
  readonly address: string;
  /** The caller and the trusted proxies after it, for `X-Forwarded-For`. */
  readonly for: string;
  readonly proto: 'http' | 'https';
  readonly host: string;
  /** Whether the client sent another host, which is not trusted. */
  readonly isReplaced?: true;
  /** Public port, where a trusted proxy reports it. */
  readonly port?: string;
  /** Path prefix of the gateway, where a trusted proxy reports it. */
  readonly prefix?: string;
}

export interface ForwardedOptions {
  /** Addresses and networks of proxies. */
  readonly trustedProxies: readonly string[];
  /** The header that those proxies set. The other one is ignored, since the client may have sent it. */
  readonly header: 'x-forwarded' | 'forwarded';
  /** The address to use instead of a `Host` that is not trusted. */
  readonly publicHost: (host: string, socket: IncomingMessage['socket']) => PublicAddress | undefined;
}

/**
 * Reads forwarding headers of trusted proxies and ignores those of all other peers, so that no client can choose the
 * address that limits and brute-force protection use. In a list of addresses only those count that trusted proxies
 * have added: from the right up to the first one that is not trusted.
 *
 * @throws Error naming an entry of the list that is neither an address nor a network
 */
export function createForwardedReader(options: ForwardedOptions): (request: IncomingMessage) => Forwarded {
  const isTrusted = createAddressList('svc.gateway.trusted-proxies', options.trustedProxies);
  const hopsOf = options.header === 'forwarded' ? readForwarded : readForwardedFor;

  const KNOWN = Symbol('known connection');

  const connectionOf = (socket: IncomingMessage['socket'] & { [KNOWN]?: Connection }, sentHost: string): Connection => {
    const known = socket[KNOWN];
    if (known?.sentHost === sentHost) return known;
    const peer = peerOf(socket);
    const own = options.publicHost(sentHost, socket) ?? {
      proto: 'encrypted' in socket ? 'https' : 'http',
      host: sentHost,
    };
    const direct: Forwarded = { address: peer, for: peer, ...own };
    socket[KNOWN] = { sentHost, isProxy: peer !== '' && isTrusted(peer), direct };
    return socket[KNOWN];
  };

  return ({ headers, socket }) => {
    const { isProxy, direct: own } = connectionOf(socket, headers.host ?? '');
    if (!isProxy) return own;
    const peer = own.address;
    const hops = hopsOf(headers);
    const chain = [peer];
    for (let index = hops.length - 1; index >= 0; index -= 1) {
      const address = hops[index]?.address;
      if (address === undefined) break;
      chain.unshift(address);
      if (!isTrusted(address)) break;
    }
    const [address = peer] = chain;
    const { proto, host, port, prefix } = reportedBy(headers, hops, Math.max(1, chain.length - 1), options.header);
    return {
      address,
      for: chain.join(', '),
      proto: proto === 'http' || proto === 'https' ? proto : own.proto,
      ...(host !== undefined && isHost(host) ? { host } : hostOf(own)),
      ...(port !== undefined && /^\d{1,5}$/.test(port) && { port }),
      ...(prefix !== undefined && PREFIX.test(prefix) && { prefix }),
    };
  };
}

/** What is known of a connection. It is found once for all of its requests with the same `Host`. */
interface Connection {
  readonly sentHost: string;
  /** Whether the peer is a trusted proxy. */
  readonly isProxy: boolean;
  /** The connection as it is without a proxy. */
  readonly direct: Forwarded;
}

/** Lists of proxies cannot name a zone (`fe80::1%eth0`). */
const peerOf = ({ remoteAddress = '' }: IncomingMessage['socket']): string =>
  addressOf(remoteAddress.replace(/%.*$/, '')) ?? '';

const hostOf = ({ host, isReplaced }: Forwarded) => ({ host, ...(isReplaced && { isReplaced }) });

const PREFIX = /^(?:\/[\w.~-]+)+$/;

const readForwardedFor = (headers: IncomingHttpHeaders): readonly Hop[] => {
  const header = textOf(headers, 'x-forwarded-for');
  return header === undefined ? [] : parseForwardedFor(header);
};

const readForwarded = ({ forwarded }: IncomingHttpHeaders): readonly Hop[] =>
  forwarded === undefined ? [] : parseForwarded(forwarded);

/** What the trusted proxy nearest to the caller reports; each of the `proxies` may have added an item. */
function reportedBy(
  headers: IncomingHttpHeaders,
  hops: readonly Hop[],
  proxies: number,
  header: ForwardedOptions['header'],
): Readonly<Partial<Record<'proto' | 'host' | 'port' | 'prefix', string | undefined>>> {
  if (header === 'forwarded') return hops.at(-Math.min(proxies, hops.length)) ?? {};
  const item = (name: string): string | undefined => {
    const items = textOf(headers, name)?.split(',');
    return items?.at(-Math.min(proxies, items.length))?.trim();
  };
  return {
    proto: item('x-forwarded-proto')?.toLowerCase(),
    host: item('x-forwarded-host'),
    port: item('x-forwarded-port'),
    prefix: item('x-forwarded-prefix'),
  };
}

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
