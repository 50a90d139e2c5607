import { isIP } from 'node:net';

/** All addresses of a host name, IPv4 and IPv6. */
export type HostLookup = (hostname: string) => Promise<readonly string[]>;

/** Where a replica is. */
export interface Address {
  /** `http://10.0.0.5:8082`, `http://[2001:db8::5]:8082`. */
  readonly target: string;
  /** The host name as it was configured, which the certificate of the replica is about. */
  readonly servername: string | undefined;
}

/**
 * The addresses behind the configured URLs: those of literal addresses as they are, and every address of a
 * host name. Each comes once.
 *
 * @throws the error of `lookup` where a name cannot be resolved
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
    servername: isLiteral ? undefined : hostname,
  }));
}
