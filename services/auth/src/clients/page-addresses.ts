const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The addresses of a page of this server: below the public address; on this machine with all of its names, because a
 * browser may have loaded the page by any.
 */
export function pageAddressesOf(issuer: string, path: string): readonly string[] {
  const address = issuer.replace(/\/+$/, '');
  const { hostname } = new URL(address);
  const addresses = LOOPBACK_HOSTS.includes(hostname)
    ? LOOPBACK_HOSTS.map((host) => address.replace(hostname, host))
    : [address];
  return addresses.map((each) => `${each}${path}`);
}
