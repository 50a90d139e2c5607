import type { IncomingHttpHeaders } from 'node:http';

/** Types of text; everything else is taken for packed already. */
const TEXT_TYPE = /^(?:text\/|application\/(?:json|x-ndjson|xml|javascript|yaml)$|[^;]+\+(?:json|xml|yaml)$)/i;

/**
 * Whether the bytes of an answer may be coded: text in full, not coded yet, and nothing that the service forbids
 * to change. Parts (206) never: a range counts bytes as they are. What comes with a digest (RFC 9530) goes out with
 * it, so that the client can check it and fetch the rest of it later.
 */
export function isCompressible(status: number, headers: IncomingHttpHeaders): boolean {
  if (status < 200 || status === 204 || status === 205 || status === 206 || status === 304) return false;
  if (headers['content-encoding'] !== undefined || headers['content-range'] !== undefined) return false;
  if (headers['repr-digest'] !== undefined || headers['content-digest'] !== undefined) return false;
  const type = headers['content-type']?.split(';', 1)[0]?.trim();
  if (type === undefined || !TEXT_TYPE.test(type)) return false;
  // A coder would hold events back until it has enough of them.
  if (type.toLowerCase() === 'text/event-stream') return false;
  return !/\bno-transform\b/i.test(headers['cache-control'] ?? '');
}
