import { AUDIENCE_INTERNAL, AUDIENCE_REST, AUDIENCE_WAITING_RUN } from '@lintel/contracts';
import { eventually, type TestDatabase } from '@lintel/testkit';
import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { createAuthDatabase, type RunningAuth, startAuth, type TestResponse } from '../../test/start-auth.ts';

let testDatabase: TestDatabase;
let auth: RunningAuth;
const ISSUER = 'https://lintel.example';

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase);
  await auth.addUser('clerk', { roles: ['rest-minimal'] });
});
afterAll(async () => {
  await auth.close();
  await testDatabase.drop();
});

const login = async (): Promise<TestResponse['json']> =>
  (await auth.post('/oauth/token', { grant_type: 'password', username: 'clerk', password: 'clerk' })).json;
const exchange = async (token: string): Promise<TestResponse['json']> =>
  (await auth.internal('/exchange', { token })).json;
const verify = async (jwt: string, audience: string): Promise<JWTPayload> => {
  const keys = createRemoteJWKSet(new URL(`${auth.url}/oauth2/jwks`));
  const { payload } = await jwtVerify(jwt, keys, { audience, issuer: ISSUER, typ: 'at+jwt', algorithms: ['RS256'] });
  return payload;
};

describe('/internal/exchange', () => {
  // Asserts contract/decisions.md#55.
  test('gives a JWT of at most 60 seconds that the published keys verify', async () => {
    const tokens = await login();
    const { jwt, expiresAt, sessionId } = await exchange(tokens.access_token);
    expect(sessionId).toBe(tokens['OAuth2.SESSION_ID']);
    const claims = await verify(jwt, AUDIENCE_REST);
    expect(claims).toMatchObject({
      sub: 'clerk',
      client_id: 'client',
      sid: sessionId,
      scope: 'rest-api',
      exp: expiresAt,
    });
    expect(claims.jti).toEqual(expect.any(String));
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(60);
    expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
  });

  // Asserts contract/tokens.md#sessions.
  test('remembers when the session was last seen', async () => {
    const tokens = await login();
    const id = tokens['OAuth2.SESSION_ID'];
    expect(await auth.sessions.lastSeenMs(id)).toBeUndefined();
    const before = Date.now();
    await exchange(tokens.access_token);
    expect(await auth.sessions.lastSeenMs(id)).toBeGreaterThanOrEqual(before);
    await auth.post('/oauth/revoke', { token: tokens.access_token });
    expect(await auth.sessions.lastSeenMs(id)).toBeUndefined();
  });

  // Asserts contract/decisions.md#55.
  test('never gives a JWT that outlives its token', async () => {
    const form = { grant_type: 'password', username: 'clerk', password: 'clerk' };
    // Lifetimes begin and end at whole seconds: a token with a lifetime of one second may expire at once.
    const claims = await eventually(async () => {
      const { json } = await auth.post('/oauth/token', form, { client: 'brief:secret' });
      return verify((await exchange(json.access_token)).jwt, AUDIENCE_REST);
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBeLessThanOrEqual(1);
  });

  // Asserts contract/tokens.md#invalidation.
  test('refuses an unknown token, a refresh token and a token whose session has ended', async () => {
    const tokens = await login();
    await auth.sessions.delete(tokens['OAuth2.SESSION_ID']);
    for (const token of ['unknown', tokens.refresh_token, tokens.access_token]) {
      const response = await auth.internal('/exchange', { token });
      expect([response.status, response.json]).toEqual([401, { reason: 'invalid' }]);
    }
  });

  // Asserts contract/decisions.md#55.
  test('compares the session with its user while there is no broker', async () => {
    await auth.addUser('leaver', { roles: ['rest-minimal', 'sales-manager'] });
    const form = { grant_type: 'password', username: 'leaver', password: 'leaver' };
    const { access_token: token, 'OAuth2.SESSION_ID': id } = (await auth.post('/oauth/token', form)).json;
    const remove = `DELETE FROM sec.role_assignment WHERE username = 'leaver' AND role_code = 'sales-manager'`;
    await auth.testDatabase.query(remove);
    await exchange(token);
    expect((await auth.sessions.load(id))?.resourceRoles).toContain('sales-manager');

    const { isConnected } = auth.bus;
    auth.bus.isConnected = () => false;
    try {
      expect(await exchange(token)).toMatchObject({ sessionId: id });
      expect((await auth.sessions.load(id))?.resourceRoles).toEqual(['rest-minimal']);
      await auth.testDatabase.query(`UPDATE sec."user" SET active = false WHERE username = 'leaver'`);
      expect(await exchange(token)).toEqual({ reason: 'invalid' });
      expect(await auth.sessions.load(id)).toBeUndefined();
    } finally {
      auth.bus.isConnected = isConnected;
    }
  });

  test('gives callers without a token a JWT of anonymous', async () => {
    const { status, json } = await auth.internal('/exchange', { anonymous: true });
    expect(status).toBe(200);
    expect(await verify(json.jwt, AUDIENCE_REST)).toMatchObject({ sub: 'anonymous', sid: json.sessionId });
  });

  test('is closed to callers without the shared secret', async () => {
    for (const path of ['/exchange', '/service-tokens']) {
      const response = await auth.internal(path, { anonymous: true }, 'wrong');
      expect(response.status).toBe(401);
      expect(response.json.reason).toBeUndefined();
    }
  });

  test.each([
    ['an empty object', {}],
    ['a number for the token', { token: 1 }],
    ['anonymous: false', { anonymous: false }],
    ['an array', []],
  ])('answers 400 to %s', async (_body, body) => {
    const response = await auth.internal('/exchange', body);
    expect([response.status, response.json.error]).toEqual([400, 'Invalid parameter value']);
  });

  test('is not on the public listener', async () => {
    expect((await fetch(`${auth.url}/internal/exchange`, { method: 'POST' })).status).toBe(404);
  });
});

describe('/internal/service-tokens', () => {
  const serviceToken = (subjectToken: string, run = 'run-1', actor = 'reports') =>
    auth.internal('/service-tokens', { subjectToken, actor, run });

  test('gives a service a token of at most five minutes to act for the user', async () => {
    const { jwt, sessionId } = await exchange((await login()).access_token);
    const response = await serviceToken(jwt);
    expect(response.status).toBe(200);
    const claims = await verify(response.json.jwt, AUDIENCE_INTERNAL);
    expect(claims).toMatchObject({ sub: 'clerk', sid: sessionId, act: { sub: 'reports' }, run: 'run-1' });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300);
  });

  test('renews a service token for its own run and service only', async () => {
    const { jwt } = await exchange((await login()).access_token);
    const { json } = await serviceToken(jwt);
    expect((await serviceToken(json.jwt)).status).toBe(200);
    expect((await serviceToken(json.jwt, 'run-2')).json).toEqual({ reason: 'invalid' });
    expect((await serviceToken(json.jwt, 'run-1', 'files')).json).toEqual({ reason: 'invalid' });
  });

  test('gives a run that waits a token of a day, good for its service tokens and nothing else', async () => {
    const { jwt } = await exchange((await login()).access_token);
    const ask = (subjectToken: string, more: object = {}) =>
      auth.internal('/service-tokens', { subjectToken, actor: 'reports', run: 'run-1', ...more });
    const waiting = (await ask(jwt, { use: 'later' })).json.jwt;
    const claims = await verify(waiting, AUDIENCE_WAITING_RUN);
    expect(claims).toMatchObject({ sub: 'clerk', act: { sub: 'reports' }, run: 'run-1' });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(24 * 60 * 60);
    await expect(verify(waiting, AUDIENCE_INTERNAL)).rejects.toThrow();
    await verify((await ask(waiting)).json.jwt, AUDIENCE_INTERNAL);
    expect((await ask(waiting, { run: 'run-2' })).json).toEqual({ reason: 'invalid' });
    expect((await ask(waiting, { actor: 'data' })).json).toEqual({ reason: 'invalid' });
    expect((await ask(jwt, { use: 'ever' })).status).toBe(400);
  });

  test('is refused for a token that is not ours, an ended session and a disabled user', async () => {
    const { jwt } = await exchange((await login()).access_token);
    const [head, payload] = jwt.split('.');
    expect((await serviceToken(`${head}.${payload}.AAAA`)).json).toEqual({ reason: 'invalid' });
    expect((await serviceToken('no token')).json).toEqual({ reason: 'invalid' });
    const ended = await login();
    const { jwt: endedJwt } = await exchange(ended.access_token);
    await auth.post('/oauth/revoke', { token: ended.access_token });
    expect((await serviceToken(endedJwt)).json).toEqual({ reason: 'invalid' });
    await testDatabase.query(`UPDATE sec."user" SET active = false WHERE username = 'clerk'`);
    expect((await serviceToken(jwt)).json).toEqual({ reason: 'invalid' });
    await testDatabase.query(`UPDATE sec."user" SET active = true WHERE username = 'clerk'`);
  });
});

describe('keys and discovery', () => {
  test('only public members of the keys are published', async () => {
    const { keys } = (await (await fetch(`${auth.url}/oauth2/jwks`)).json()) as { keys: Record<string, unknown>[] };
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {}).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  test('private keys are stored encrypted', async () => {
    const [row] = await testDatabase.query<{ text: string }>(
      `SELECT encode(private_jwk_encrypted, 'escape') || public_jwk::text AS text FROM auth.signing_key`,
    );
    expect(row?.text).not.toContain('"d":');
  });

  test('replicas that start together share one key', async () => {
    const other = await createAuthDatabase();
    try {
      const replicas = await Promise.all([startAuth(other), startAuth(other)]);
      const kids = await Promise.all(
        replicas.map(async ({ url }) => ((await (await fetch(`${url}/oauth2/jwks`)).json()) as { keys: unknown }).keys),
      );
      expect(kids[0]).toEqual(kids[1]);
      for (const replica of replicas) await replica.close();
      const properties = { 'svc.authserver.key-encryption-secret': 'another secret of the test' };
      await expect(startAuth(other, { properties })).rejects.toThrow(/svc\.authserver\.key-encryption-secret/);
    } finally {
      await other.drop();
    }
  });

  test.each(['openid-configuration', 'oauth-authorization-server'])('%s names the endpoints', async (name) => {
    const response = await fetch(`${auth.url}/.well-known/${name}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      issuer: ISSUER,
      token_endpoint: `${ISSUER}/oauth2/token`,
      revocation_endpoint: `${ISSUER}/oauth2/revoke`,
      introspection_endpoint: `${ISSUER}/oauth2/introspect`,
      jwks_uri: `${ISSUER}/oauth2/jwks`,
    });
  });
});
