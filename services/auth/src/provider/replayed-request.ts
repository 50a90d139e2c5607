import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Client } from '../clients/client.ts';
import type { EndpointFamily } from '../tokens/oauth/oauth-failure.ts';

/** What the routes have determined about a token request before oidc-provider handles it. */
export interface TokenRequestFacts {
  /** Before the client was authenticated, milliseconds since the epoch. */
  readonly receivedAtMs: number;
  readonly family: EndpointFamily;
  readonly client: Client;
  readonly acceptLanguage: string | undefined;
  /** Address of the client or user. */
  readonly address: string;
  readonly userAgent: string | undefined;
  /** Of the key that the client has proven to have (RFC 9449): its tokens are bound to it. */
  readonly thumbprint?: string | undefined;
}

const FACTS = Symbol('lintel token request');

/** A token request whose body has been read and checked already; oidc-provider reads it again. */
export interface ReplayedRequest extends IncomingMessage {
  readonly [FACTS]: TokenRequestFacts;
}

/**
 * The request for oidc-provider: at the one token path, with a normalized form and the checked credentials. Without
 * `Origin`: only the gateway handles CORS (contract/conventions.md#cors).
 */
export const replayTokenRequest = (
  request: IncomingMessage,
  path: string,
  form: string,
  facts: TokenRequestFacts,
): ReplayedRequest => {
  const { origin: _, ...headers } = request.headers;
  const credentials = Buffer.from(`${encodeURIComponent(facts.client.clientId)}:checked`).toString('base64');
  return Object.assign(
    replay(request, path, Buffer.from(form), {
      ...headers,
      accept: 'application/json',
      authorization: `Basic ${credentials}`,
    }),
    { [FACTS]: facts },
  );
};

/** The form of a page of oidc-provider, whose body has been read already. */
export const replayForm = (request: IncomingMessage, path: string, body: Buffer): IncomingMessage =>
  replay(request, path, body, request.headers);

function replay(
  request: IncomingMessage,
  path: string,
  body: Buffer,
  { 'transfer-encoding': _, 'content-encoding': __, ...headers }: IncomingMessage['headers'],
): IncomingMessage {
  return Object.assign(Readable.from([body], { objectMode: false }), {
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
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
    },
  }) as unknown as IncomingMessage;
}

/** The facts of a replayed request; undefined for any other. */
export const factsOf = (request: object): TokenRequestFacts | undefined =>
  FACTS in request ? (request as ReplayedRequest)[FACTS] : undefined;
