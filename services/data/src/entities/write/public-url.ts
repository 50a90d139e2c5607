import type { IncomingHttpHeaders } from 'node:http';

/** What a request says of its own URL. */
export interface AskedUrl {
  readonly headers: IncomingHttpHeaders;
  /** Path and query string. */
  readonly originalUrl: string;
  /** Of the connection: `http` behind a gateway. */
  readonly protocol: string;
}

/** The first value of a header that proxies append to. */
const firstOf = (header: string | string[] | undefined): string | undefined =>
  (Array.isArray(header) ? header[0] : header)?.split(',', 1)[0]?.trim();

/**
 * The URL as the client knows it, without query string and trailing slash: the gateway says in
 * `X-Forwarded-Proto` and `X-Forwarded-Host` what it was asked for.
 */
export function publicUrlOf(request: AskedUrl): string {
  const forwarded = firstOf(request.headers['x-forwarded-proto']);
  const protocol = forwarded === 'https' || forwarded === 'http' ? forwarded : request.protocol;
  const host = firstOf(request.headers['x-forwarded-host']) ?? request.headers.host ?? 'localhost';
  const path = (request.originalUrl.split('?', 1)[0] ?? '').replace(/\/+$/, '');
  return `${protocol}://${host}${path}`;
}
