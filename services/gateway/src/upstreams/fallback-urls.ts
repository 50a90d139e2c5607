import { isIP } from 'node:net';

/** The addresses of the load balancers of services: their host names have the suffix. An IP address has none. */
export const fallbackUrlsOf = (urls: readonly string[], suffix: string | undefined): readonly string[] =>
  urls.flatMap((text) => {
    const url = new URL(text);
    if (suffix === undefined || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return [];
    url.hostname = `${url.hostname}${suffix}`;
    return [url.origin];
  });
