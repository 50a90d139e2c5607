import type { IncomingHttpHeaders } from 'node:http';

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/**
 * The address under which the client sent the request, without the query: as the gateway's `X-Forwarded-*`
 * headers tell it. Falls back to the path alone where no usable host was sent.
 */
export function externalUrl(headers: IncomingHttpHeaders, path: string): string {
  const first = (name: string): string | undefined => {
    const value = headers[name];
    return (Array.isArray(value) ? value[0] : value)?.split(',')[0]?.trim();
  };
  const scheme = first('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http';
  const host = first('x-forwarded-host') ?? first('host') ?? '';
  const port = first('x-forwarded-port') ?? '';
  const prefix = /^(\/[\w.~-]+)+$/.exec(first('x-forwarded-prefix') ?? '')?.[0] ?? '';
  if (!HOST.test(host)) return `${prefix}${path}`;
  const standardPort = scheme === 'https' ? '443' : '80';
  const hasPort = /:\d+$/.test(host);
  const addPort =
    !hasPort && first('x-forwarded-host') !== undefined && /^\d{1,5}$/.test(port) && port !== standardPort;
  return `${scheme}://${host}${addPort ? `:${port}` : ''}${prefix}${path}`;
}
