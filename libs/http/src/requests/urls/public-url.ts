import type { IncomingHttpHeaders } from 'node:http';
import { isHost } from './is-host.ts';

/** The parts of a request that give its public URL. */
export interface RequestUrl {
  readonly headers: IncomingHttpHeaders;
  /** Path and query string. */
  readonly originalUrl: string;
}

/** The first value of a header that proxies append to. */
const firstOf = (header: string | string[] | undefined): string | undefined =>
  (Array.isArray(header) ? header[0] : header)?.split(',', 1)[0]?.trim();

/**
 * The public URL of the request, without query string and trailing slash. The gateway sets `X-Forwarded-*` to the
 * public address of the request, never to an untrusted `Host`. Without a valid host only the path is returned.
 */
export function publicUrlOf({ headers, originalUrl }: RequestUrl): string {
  const scheme = firstOf(headers['x-forwarded-proto'])?.toLowerCase() === 'https' ? 'https' : 'http';
  const forwardedHost = firstOf(headers['x-forwarded-host']);
  const host = forwardedHost ?? headers.host ?? '';
  const prefix = /^(\/[\w.~-]+)+$/.exec(firstOf(headers['x-forwarded-prefix']) ?? '')?.[0] ?? '';
  const path = prefix + (originalUrl.split('?', 1)[0] ?? '').replace(/\/+$/, '');
  if (!isHost(host)) return path;
  const port = firstOf(headers['x-forwarded-port']) ?? '';
  const addsPort =
    forwardedHost !== undefined &&
    !/:\d+$/.test(host) &&
    /^\d{1,5}$/.test(port) &&
    port !== (scheme === 'https' ? '443' : '80');
  return `${scheme}://${host}${addsPort ? `:${port}` : ''}${path}`;
}
