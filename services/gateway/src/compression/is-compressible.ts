import type { IncomingHttpHeaders } from 'node:http';

/** Types of text; all other types count as compressed already. */
const TEXT_TYPE = /^(?:text\/|application\/(?:json|x-ndjson|xml|javascript|yaml)$|[^;]+\+(?:json|xml|yaml)$)/i;

/**
 * Whether the body of a response may be coded: complete text that is not coded yet and that the service allows to
 * transform. Never parts (206), since a range counts bytes without a coding. A body with a digest (RFC 9530) is not
 * changed, so that the client can verify it and fetch the rest of it later.
 */
export function isCompressible(status: number, headers: IncomingHttpHeaders): boolean {
  if (status < 200 || status === 204 || status === 205 || status === 206 || status === 304) return false;
  if (headers['content-encoding'] !== undefined || headers['content-range'] !== undefined) return false;
  if (headers['repr-digest'] !== undefined || headers['content-digest'] !== undefined) return false;
  const type = headers['content-type']?.split(';', 1)[0]?.trim();
  if (type === undefined || !TEXT_TYPE.test(type)) return false;
  // An encoder would buffer events.
  if (type.toLowerCase() === 'text/event-stream') return false;
  return !/\bno-transform\b/i.test(headers['cache-control'] ?? '');
}
