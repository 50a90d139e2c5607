import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExchangeResponse } from '@lintel/contracts';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { claimsOf } from './identity.ts';

interface StandIn {
  readonly url: string;
  close(): void;
}

/** What the benchmark needs of the auth service: signing keys, and the exchange of an opaque token. */
export interface TokenIssuer extends StandIn {
  /** A signed JWT, for callers that reach a service without a gateway. */
  readonly jwt: string;
}

/** Serves the keys and exchanges every token for the same JWT of the session. */
export async function startTokenIssuer(sessionId: string): Promise<TokenIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' };
  const claims = claimsOf(sessionId);
  const jwt = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: 'bench', typ: 'at+jwt' })
    .sign(privateKey);
  const exchange: ExchangeResponse = { jwt, expiresAt: claims.exp, sessionId };
  const standIn = await serve((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(request.url === '/oauth2/jwks' ? { keys: [key] } : exchange));
    request.resume();
  });
  return { ...standIn, jwt };
}

/** Stands in for a collector of traces: takes what it is sent, and keeps nothing. */
export const startTraceSink = (): Promise<StandIn> =>
  serve((request, response) => {
    request.resume();
    request.once('end', () => response.end());
  });

async function serve(handle: RequestListener): Promise<StandIn> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
