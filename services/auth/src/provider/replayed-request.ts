import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Client } from '../clients/client.ts';
import type { EndpointLine } from '../tokens/oauth-failure.ts';

/** What the routes found out about a token request before oidc-provider sees it. */
export interface TokenRequestFacts {
  readonly line: EndpointLine;
  readonly client: Client;
  readonly acceptLanguage: string | undefined;
  /** Address of the person who asks. */
  readonly address: string;
}

const FACTS = Symbol('lintel token request');

/** A token request with a body that was read and checked already; oidc-provider reads it again. */
export interface ReplayedRequest extends IncomingMessage {
  readonly [FACTS]: TokenRequestFacts;
}

/**
 * The request as oidc-provider shall see it: at the one token path, with a clean form and the credentials
 * that were checked. `Origin` is left out: CORS is the gateway's (contract/conventions.md#cors).
 */
export function replayTokenRequest(
  request: IncomingMessage,
  path: string,
  form: string,
  facts: TokenRequestFacts,
): ReplayedRequest {
  const body = Buffer.from(form);
  const { origin: _, 'transfer-encoding': __, 'content-encoding': ___, ...headers } = request.headers;
  const credentials = Buffer.from(`${encodeURIComponent(facts.client.clientId)}:checked`).toString('base64');
  return Object.assign(Readable.from([body], { objectMode: false }), {
    [FACTS]: facts,
    method: 'POST',
    url: path,
    originalUrl: path,
    httpVersion: request.httpVersion,
    httpVersionMajor: request.httpVersionMajor,
    httpVersionMinor: request.httpVersionMinor,
    socket: request.socket,
    connection: request.socket,
    complete: true,
    headers: {
      ...headers,
      accept: 'application/json',
      authorization: `Basic ${credentials}`,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
    },
  }) as unknown as ReplayedRequest;
}

/** The facts of a replayed request; undefined for any other. */
export const factsOf = (request: object): TokenRequestFacts | undefined =>
  FACTS in request ? (request as ReplayedRequest)[FACTS] : undefined;
