import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExchangeResponse } from '@lintel/contracts';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { claimsOf } from './identity.ts';

/** What the benchmark needs of the auth service: signing keys, and the exchange of an opaque token. */
export interface TokenIssuer {
  readonly url: string;
  /** A signed JWT, for callers that reach a service without a gateway. */
  readonly jwt: string;
  close(): void;
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
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(request.url === '/oauth2/jwks' ? { keys: [key] } : exchange));
    request.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    jwt,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
