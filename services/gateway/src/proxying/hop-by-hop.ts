import type { IncomingHttpHeaders } from 'node:http';

/** Headers that concern one connection (RFC 9110 §7.6.1), besides those that `Connection` names. */
const HOP_BY_HOP = [
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
];

/** Never named by `Connection` in good faith: dropping them would change what the request means. */
const PROTECTED = new Set([
  'authorization',
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'traceparent',
]);

/** Removes hop-by-hop headers; `Connection` itself and `Transfer-Encoding` are left to the caller. */
export function removeHopByHop(headers: IncomingHttpHeaders): void {
  const { connection } = headers;
  if (connection !== undefined && connection !== 'keep-alive' && connection !== 'close')
    for (const name of connection.split(',')) {
      const header = name.trim().toLowerCase();
      if (!PROTECTED.has(header) && header !== 'connection') delete headers[header];
    }
  for (const name of HOP_BY_HOP) delete headers[name];
}
