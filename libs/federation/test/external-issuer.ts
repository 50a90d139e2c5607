import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

interface IssuerKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** An issuer of other tokens: discovery, keys, and tokens of any kind. */
export interface ExternalIssuer {
  readonly issuer: string;
  /** Requests for the keys. */
  readonly keyRequests: () => number;
  /** A valid access token, with other claims and another header where they are given. */
  token(claims?: JWTPayload, header?: Record<string, unknown>): Promise<string>;
  /** Signs with another key under the id of the published one. */
  forged(claims?: JWTPayload): Promise<string>;
  /** Signed by `HS256` with the published key as the secret. */
  signedWithPublicKey(): Promise<string>;
  unsigned(): string;
  /** Signs with a new key from now on; `isPublished` says whether the keys contain it. */
  rotate(isPublished?: boolean): Promise<void>;
  /** Publishes only the key that signs now. */
  retire(): void;
  /** Whether the server responds to requests. */
  setAvailable(isAvailable: boolean): void;
  close(): Promise<void>;
}

export const EXTERNAL_AUDIENCE = 'lintel-api';

export async function startExternalIssuer(): Promise<ExternalIssuer> {
  let keys: readonly JWK[] = [];
  let requests = 0;
  let isAvailable = true;
  let current = await newKey('first');
  const publish = async () => {
    keys = [...keys, { ...(await exportJWK(current.publicKey)), kid: current.kid, alg: 'RS256', use: 'sig' }];
  };
  await publish();
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (!isAvailable) return void response.writeHead(503).end();
    if (request.url === '/keys') requests += 1;
    const body = request.url === '/keys' ? { keys } : { issuer, jwks_uri: `${issuer}/keys` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const now = () => Math.floor(Date.now() / 1000);
  const claimsOf = (claims: JWTPayload): JWTPayload => ({
    iss: issuer,
    aud: EXTERNAL_AUDIENCE,
    sub: 'subject-1',
    azp: 'portal',
    preferred_username: 'clerk',
    iat: now(),
    exp: now() + 300,
    ...claims,
  });
  const sign = (claims: JWTPayload, header: Record<string, unknown>, key: CryptoKey | Uint8Array) =>
    new SignJWT(claimsOf(claims)).setProtectedHeader({ alg: 'RS256', kid: current.kid, ...header }).sign(key);
  return {
    issuer,
    keyRequests: () => requests,
    token: (claims = {}, header = {}) => sign(claims, header, current.privateKey),
    forged: async (claims = {}) => sign(claims, {}, (await newKey(current.kid)).privateKey),
    signedWithPublicKey: async () =>
      sign({}, { alg: 'HS256' }, new TextEncoder().encode(await exportSPKI(current.publicKey))),
    unsigned: () => `${encoded({ alg: 'none' })}.${encoded(claimsOf({}))}.`,
    async rotate(isPublished = true) {
      current = await newKey(`key-${keys.length}-${isPublished}`);
      if (isPublished) await publish();
    },
    retire() {
      keys = keys.slice(-1);
    },
    setAvailable(value) {
      isAvailable = value;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const newKey = async (kid: string): Promise<IssuerKey> => ({
  kid,
  ...(await generateKeyPair('RS256', { extractable: true })),
});
