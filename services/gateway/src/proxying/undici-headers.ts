import type { IncomingHttpHeaders } from 'node:http';

/** Set by undici itself, from the body. */
const OF_BODY = 'transfer-encoding';

/** Set by undici's instrumentation for a recorded request, in addition to those that are sent. */
const OF_TRACE: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage']);

/**
 * The headers of a request, names and values in turn, without those that undici sets.
 *
 * @param isRecorded whether the trace of the request is recorded
 */
export function headersToSend(headers: IncomingHttpHeaders, isRecorded: boolean): string[] {
  const all: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || name === OF_BODY || (isRecorded && OF_TRACE.has(name))) continue;
    all.push(name, typeof value === 'string' ? value : value.join(', '));
  }
  return all;
}

/** Headers with one value, of which Node's client uses the first if they are repeated. */
const SINGLE: ReadonlySet<string> = new Set([
  'age',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'server',
]);

/** Makes one value of repeated headers of a response, as Node's client does. */
export function joinRepeated(headers: IncomingHttpHeaders): void {
  for (const name in headers) {
    const value = headers[name];
    if (Array.isArray(value) && name !== 'set-cookie') headers[name] = SINGLE.has(name) ? value[0] : value.join(', ');
  }
}
