import type { Request } from 'express';

/** The first value of a header that proxies append to. */
const firstOf = (header: string | string[] | undefined): string | undefined =>
  (Array.isArray(header) ? header[0] : header)?.split(',', 1)[0]?.trim();

/**
 * The URL as the client knows it, without query string and trailing slash: the gateway says in
 * `X-Forwarded-Proto` and `X-Forwarded-Host` what it was asked for.
 */
export function publicUrlOf(request: Request): string {
  const forwarded = firstOf(request.headers['x-forwarded-proto']);
  const protocol = forwarded === 'https' || forwarded === 'http' ? forwarded : request.protocol;
  const host = firstOf(request.headers['x-forwarded-host']) ?? request.headers.host ?? 'localhost';
  const path = (request.originalUrl.split('?', 1)[0] ?? '').replace(/\/+$/, '');
  return `${protocol}://${host}${path}`;
}
