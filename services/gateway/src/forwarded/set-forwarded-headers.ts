import type { IncomingHttpHeaders } from 'node:http';
import type { Forwarded } from './create-forwarded-reader.ts';

/** Replaces the forwarding headers that the peer sent by the trusted values. */
export function setForwardedHeaders(headers: IncomingHttpHeaders, forwarded: Forwarded): void {
  for (const name in headers) if (name.startsWith('x-forwarded-')) delete headers[name];
  if (headers.forwarded !== undefined) delete headers.forwarded;
  if (headers['x-real-ip'] !== undefined) delete headers['x-real-ip'];
  headers['x-forwarded-for'] = forwarded.for;
  headers['x-forwarded-proto'] = forwarded.proto;
  headers['x-forwarded-host'] = forwarded.host;
  if (forwarded.port !== undefined) headers['x-forwarded-port'] = forwarded.port;
  if (forwarded.prefix !== undefined) headers['x-forwarded-prefix'] = forwarded.prefix;
}
