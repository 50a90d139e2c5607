import { setTimeout as sleep } from 'node:timers/promises';
import { AUDIENCE_API, AUDIENCE_REST } from '@lintel/contracts';
import type { TestDatabase } from '@lintel/testkit';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { freshLife } from '../../test/fresh-life.ts';
import { CALLBACK, loginPages } from '../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';

const ISSUER = 'http://lintel.example';

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.authserver.issuer': ISSUER,
      'svc.authserver.client.web.client-id': 'web',
      'svc.authserver.client.web.client-secret': 'secret',
      'svc.authserver.client.web.grant-types': 'authorization_code,refresh_token',
      'svc.authserver.client.web.redirect-uris': CALLBACK,
      'svc.authserver.client.web.access-token-format': 'self-contained',
    },
  });
  await auth.addUser('clerk');
});
afterAll(async () => {
  await auth.close();
  await testDatabase.drop();
});

const CLERK = { grant_type: 'password', username: 'clerk', password: 'clerk' };

const login = async (client = 'signed:secret') => (await auth.post('/oauth/token', CLERK, { client })).json;
/** Verifies a JWT with the published keys, as a third-party server does. */
const verify = async (jwt: string): Promise<JWTPayload> => {
  const keys = createRemoteJWKSet(new URL(`${auth.url}/oauth2/jwks`));
  const { payload } = await jwtVerify(jwt, keys, { issuer: ISSUER, audience: AUDIENCE_API, typ: 'at+jwt' });
  return payload;
};
const exchange = (token: string) => auth.internal('/exchange', { token });

describe('a self-contained access token', () => {
  // Asserts contract/decisions.md#55, contract/tokens.md#clients.
  test('has the claims of RFC 9068, which the published keys verify', async () => {
    const tokens = await login();
    expect(decodeProtectedHeader(tokens.access_token)).toEqual({
      alg: 'RS256',
      typ: 'at+jwt',
      kid: expect.any(String),
    });
    const claims = await verify(tokens.access_token);
    expect(claims).toEqual({
      iss: ISSUER,
      aud: AUDIENCE_API,
      acr: 'urn:lintel:acr:1fa',
      amr: ['pwd'],
      auth_time: expect.any(Number),
      sub: 'clerk',
      client_id: 'signed',
      scope: 'rest-api',
      sid: tokens['OAuth2.SESSION_ID'],
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 43200,
    });
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: freshLife(43_200), scope: 'rest-api' });
    expect(tokens.refresh_token).toMatch(/^[\w-]{27}$/);
  });

  // Asserts contract/tokens.md#oauth2-response.
  test('of a client has the client as its subject', async () => {
    const form = { grant_type: 'client_credentials' };
    const { json } = await auth.post('/oauth2/token', form, { client: 'signed-service:secret' });
    expect(Object.keys(json)).toEqual(['access_token', 'token_type', 'expires_in']);
    expect(await verify(json.access_token)).toMatchObject({ sub: 'signed-service', client_id: 'signed-service' });
  });

  // Asserts contract/tokens.md#endpoints, contract/tokens.md#oauth2-errors.
  test('comes of a code and of a refresh too', async () => {
    const { codeFor, redeem } = loginPages(() => auth);
    const { json } = await redeem(await codeFor('clerk'));
    expect(await verify(json.access_token)).toMatchObject({ sub: 'clerk', client_id: 'web' });
    const form = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
    const refreshed = await auth.post('/oauth2/token', form, { client: 'web:secret' });
    expect(await verify(refreshed.json.access_token)).toMatchObject({ sub: 'clerk', client_id: 'web' });
    expect((await exchange(json.access_token)).json).toEqual({ reason: 'invalid' });
    expect((await exchange(refreshed.json.access_token)).status).toBe(200);
  });

  // Asserts contract/decisions.md#55.
  test('is exchanged for the JWT of the services, of another audience and name', async () => {
    const tokens = await login();
    const { status, json } = await exchange(tokens.access_token);
    expect([status, json.sessionId]).toEqual([200, tokens['OAuth2.SESSION_ID']]);
    const inner = decodeJwt(json.jwt);
    expect(inner).toMatchObject({ aud: AUDIENCE_REST, sub: 'clerk' });
    expect(inner.jti).not.toBe(decodeJwt(tokens.access_token).jti);
    expect((await exchange(json.jwt)).json).toEqual({ reason: 'invalid' });
  });

  // Asserts contract/decisions.md#55.
  test('is nothing without its signature, and its name is no token', async () => {
    const { access_token: jwt } = await login();
    const [head, payload] = jwt.split('.');
    for (const token of [`${head}.${payload}.AAAA`, `${head}.${payload}.`, String(decodeJwt(jwt).jti), 'a.b.c'])
      expect((await exchange(token)).json).toEqual({ reason: 'invalid' });
  });

  // Asserts contract/tokens.md#unauthorized.
  test('that has expired says so once', async () => {
    const { access_token: token } = await login('signed-brief:secret');
    await sleep(1_100);
    expect((await exchange(token)).json).toEqual({ reason: 'expired' });
    expect((await exchange(token)).json).toEqual({ reason: 'invalid' });
  });

  // Asserts contract/decisions.md#55.
  test('dies with a change of signing keys that makes the former ones worthless', async () => {
    const { access_token: token } = await login();
    expect((await auth.internal('/keys/rotate', {})).status).toBe(200);
    expect((await exchange(token)).status).toBe(200);
    expect((await auth.internal('/keys/rotate', { retireOthers: true })).status).toBe(200);
    expect((await exchange(token)).json).toEqual({ reason: 'invalid' });
    expect((await exchange((await login()).access_token)).status).toBe(200);
  });
});

// Asserts contract/tokens.md#endpoints.
test('logout takes a token of either format', async () => {
  for (const client of ['client:secret', 'signed:secret']) {
    const { access_token: token } = await login(client);
    const response = await fetch(`${auth.url}/logout`, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    expect((await exchange(token)).json).toEqual({ reason: 'invalid' });
  }
});
