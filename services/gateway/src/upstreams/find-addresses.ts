import { isIP } from 'node:net';

/** All addresses of a host name, IPv4 and IPv6. */
export type HostLookup = (hostname: string) => Promise<readonly string[]>;

/** The address of a replica. */
export interface Address {
  /** `http://10.0.0.5:8082`, `http://[2001:db8::5]:8082`. */
  readonly target: string;
  /** The configured URL, with a host name where there is one. */
  readonly url: string;
  /** The configured host name, which the certificate of the replica must have. */
  readonly servername: string | undefined;
}

/**
 * Resolves the configured URLs: literal addresses are kept, a host name is replaced by all its addresses. The result
 * has no duplicates.
 *
 * @throws the error of `lookup` if a name cannot be resolved
 */
export async function findAddresses(urls: readonly string[], lookup: HostLookup): Promise<readonly Address[]> {
  const found = await Promise.all(urls.map((url) => addressesOf(new URL(url), lookup)));
  return [...new Map(found.flat().map((address) => [address.target, address])).values()];
}

async function addressesOf({ protocol, hostname, port }: URL, lookup: HostLookup): Promise<readonly Address[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const isLiteral = isIP(literal) > 0;
  const hosts = isLiteral ? [literal] : await lookup(hostname);
  const suffix = port === '' ? '' : `:${port}`;
  return hosts.map((host) => ({
    target: `${protocol}//${host.includes(':') ? `[${host}]` : host}${suffix}`,
    url: `${protocol}//${hostname}${suffix}`,
    servername: isLiteral ? undefined : hostname,
  }));
}
