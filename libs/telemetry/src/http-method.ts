/** The methods that the semantic conventions of OpenTelemetry know; their number is their position, from 1. */
const KNOWN: ReadonlyMap<string, number> = new Map(
  ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'].map((name, at) => [name, at + 1]),
);

/** A number for each known method, and 0 for all others: clients choose methods freely. */
export const numberOfMethod = (method: string | undefined): number => KNOWN.get(method ?? '') ?? 0;

/** The value of `http.request.method`. */
export const knownMethodOf = (method: string | undefined): string =>
  method !== undefined && KNOWN.has(method) ? method : '_OTHER';
