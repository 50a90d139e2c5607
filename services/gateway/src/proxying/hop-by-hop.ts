import type { IncomingHttpHeaders } from 'node:http';

/** Headers of a single connection (RFC 9110 §7.6.1), in addition to those that `Connection` names. */
export const HOP_BY_HOP: readonly string[] = [
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
];

/** Kept even where `Connection` names them: without them the request would have another meaning. */
const PROTECTED = new Set([
  'authorization',
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'traceparent',
]);

/** Whether a `Connection` header names other headers. */
export const namesOthers = (connection: string | undefined): connection is string =>
  connection !== undefined && connection !== 'keep-alive' && connection !== 'close';

/** Removes hop-by-hop headers, except `Connection` and `Transfer-Encoding`, which the caller handles. */
export function removeHopByHop(headers: IncomingHttpHeaders): void {
  const { connection } = headers;
  if (namesOthers(connection))
    for (const name of connection.split(',')) {
      const header = name.trim().toLowerCase();
      if (!PROTECTED.has(header) && header !== 'connection') delete headers[header];
    }
  // The deletion of a missing member takes longer than the test.
  for (const name of HOP_BY_HOP) if (headers[name] !== undefined) delete headers[name];
}
