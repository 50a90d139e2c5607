import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AUDIENCE_API } from '@lintel/contracts';
import type { TestDatabase } from '@lintel/testkit';
import { decodeJwt } from 'jose';
import { createAuthDatabase, type RunningAuth, startAuth, type TestResponse } from '../../../test/start-auth.ts';

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase);
  await auth.addUser('clerk');
});
afterAll(async () => {
  await auth.close();
  await testDatabase.drop();
});

describe.each([
  ['reference', 'client', 'integration', 'brief'],
  ['self-contained', 'signed', 'signed-service', 'signed-brief'],
])('tokens of the format %s', (format, id, serviceId, briefId) => {
  const [client, service, briefClient] = [`${id}:secret`, `${serviceId}:secret`, `${briefId}:secret`];
  const post = (path: string, form: Record<string, string>) => auth.post(path, form, { client });
  /** The name of an access token in events and introspection. */
  const nameOf = (token: string): string =>
    format === 'reference' ? createHash('sha256').update(token).digest('base64url') : String(decodeJwt(token).jti);

  const login = async (): Promise<TestResponse['json']> =>
    (await post('/oauth/token', { grant_type: 'password', username: 'clerk', password: 'clerk' })).json;
  const clientToken = async (): Promise<string> =>
    (await auth.post('/oauth2/token', { grant_type: 'client_credentials' }, { client: service })).json.access_token;
  const isAccepted = async (token: string): Promise<boolean> =>
    (await auth.internal('/exchange', { token })).status === 200;
  const canRefresh = async (token: string): Promise<boolean> =>
    (await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token })).status === 200;

  describe('/oauth/revoke', () => {
    // Asserts contract/tokens.md#clients, contract/tokens.md#revoke.
    test.each(['access_token', 'refresh_token'])('ends both tokens and the session, given the %s', async (kind) => {
      const tokens = await login();
      const response = await post('/oauth/revoke', { token: tokens[kind] });
      expect([response.status, response.text]).toEqual([200, '']);
      expect(await isAccepted(tokens.access_token)).toBe(false);
      expect(await canRefresh(tokens.refresh_token)).toBe(false);
      const sessionId = tokens['OAuth2.SESSION_ID'];
      expect(await auth.sessions.load(sessionId)).toBeUndefined();
      const tokenHash = nameOf(tokens.access_token);
      const data = auth.published.filter(({ subject }) => subject === sessionId).map((event) => event.data);
      expect(data).toEqual(
        expect.arrayContaining([
          { tokenHash, sessionId },
          { sessionId, username: 'clerk' },
        ]),
      );
    });

    // Asserts contract/tokens.md#revoke.
    test('a wrong hint does no harm', async () => {
      const tokens = await login();
      await post('/oauth/revoke', { token: tokens.access_token, token_type_hint: 'refresh_token' });
      expect(await isAccepted(tokens.access_token)).toBe(false);
    });

    test('leaves other logins of the user alone', async () => {
      const [first, second] = [await login(), await login()];
      await post('/oauth/revoke', { token: first.access_token });
      expect(await isAccepted(second.access_token)).toBe(true);
    });
  });

  describe('/oauth2/revoke', () => {
    // Asserts contract/tokens.md#oauth2-revoke.
    test('an access token leaves the refresh token and the session', async () => {
      const tokens = await login();
      expect((await post('/oauth2/revoke', { token: tokens.access_token })).status).toBe(200);
      expect(await isAccepted(tokens.access_token)).toBe(false);
      expect(await auth.sessions.load(tokens['OAuth2.SESSION_ID'])).toBeDefined();
      expect(await canRefresh(tokens.refresh_token)).toBe(true);
    });

    // Asserts contract/tokens.md#oauth2-revoke.
    test('a refresh token ends its access token', async () => {
      const tokens = await login();
      await post('/oauth2/revoke', { token: tokens.refresh_token });
      expect(await isAccepted(tokens.access_token)).toBe(false);
      expect(await canRefresh(tokens.refresh_token)).toBe(false);
    });

    // Asserts contract/tokens.md#oauth2-revoke.
    test('a client-credentials token ends with its session', async () => {
      const token = await clientToken();
      const { sessionId } = (await auth.internal('/exchange', { token })).json;
      await auth.post('/oauth2/revoke', { token }, { client: service });
      expect(await isAccepted(token)).toBe(false);
      expect(await auth.sessions.load(sessionId)).toBeUndefined();
    });
  });

  describe.each(['/oauth/revoke', '/oauth2/revoke'])('refusals of %s', (path) => {
    // Asserts contract/tokens.md#oauth2-revoke, contract/tokens.md#revoke.
    test('an unknown token is 200 with an empty body', async () => {
      const response = await post(path, { token: 'unknown' });
      expect([response.status, response.text]).toEqual([200, '']);
    });

    // Asserts contract/tokens.md#oauth2-revoke, contract/tokens.md#revoke.
    test('no token is 400 invalid_request', async () => {
      const response = await post(path, {});
      expect([response.status, response.json.error]).toEqual([400, 'invalid_request']);
      if (path === '/oauth2/revoke')
        expect(response.json).toEqual({
          error: 'invalid_request',
          error_description: 'OAuth 2.0 Token Revocation Parameter: token',
          error_uri: 'https://datatracker.ietf.org/doc/html/rfc7009#section-2.1',
        });
    });

    // Asserts contract/decisions.md#41, contract/tokens.md#revoke.
    test('without client authentication it is 401, and the token still works', async () => {
      const tokens = await login();
      const response = await auth.post(path, { token: tokens.access_token }, { client: null });
      expect([response.status, response.json.error]).toEqual([401, 'invalid_client']);
      expect(await isAccepted(tokens.access_token)).toBe(true);
    });

    // Asserts contract/tokens.md#oauth2-revoke, contract/tokens.md#revoke.
    test('the token of another client is 400 invalid_client, and still works', async () => {
      const tokens = await login();
      const response = await auth.post(path, { token: tokens.access_token }, { client: 'other:other-secret' });
      expect([response.status, response.json.error]).toEqual([400, 'invalid_client']);
      expect(await isAccepted(tokens.access_token)).toBe(true);
    });

    test('GET is 405', async () => {
      expect((await auth.post(path, '', { method: 'GET' })).status).toBe(405);
    });
  });

  describe('/oauth2/introspect', () => {
    // Asserts contract/tokens.md#oauth2-revoke.
    test('describes an active token to its client', async () => {
      const tokens = await login();
      const { status, json } = await post('/oauth2/introspect', { token: tokens.access_token });
      expect(status).toBe(200);
      expect(json).toMatchObject({
        active: true,
        sub: 'clerk',
        aud: [format === 'reference' ? id : AUDIENCE_API],
        iss: 'https://lintel.example',
        client_id: id,
        token_type: 'Bearer',
        scope: 'rest-api',
      });
      expect(json.exp - json.iat).toBe(43200);
      expect(json.nbf).toBe(json.iat);
      expect(json.jti).toBe(nameOf(tokens.access_token));
    });

    // Asserts contract/tokens.md#oauth2-revoke.
    test('says how the user was authenticated, and when, as the session has it', async () => {
      const tokens = await login();
      const { acr, amr, authTime } = (await auth.sessions.load(tokens['OAuth2.SESSION_ID'])) ?? {};
      expect(acr).toBe('urn:lintel:acr:1fa');
      for (const kind of ['access_token', 'refresh_token']) {
        const { json } = await post('/oauth2/introspect', { token: tokens[kind], token_type_hint: kind });
        expect(json).toMatchObject({ active: true, acr, amr, auth_time: authTime });
      }
      const ofClient = await auth.post('/oauth2/introspect', { token: await clientToken() }, { client: service });
      expect(ofClient.json).not.toHaveProperty('acr');
    });

    test('no token is 400 invalid_request, named as a parameter of the introspection (contract/tokens.md#oauth2-revoke)', async () => {
      const { status, json } = await post('/oauth2/introspect', {});
      expect(status).toBe(400);
      expect(json).toEqual({
        error: 'invalid_request',
        error_description: 'OAuth 2.0 Token Introspection Parameter: token',
        error_uri: 'https://datatracker.ietf.org/doc/html/rfc7662#section-2.1',
      });
    });

    // Asserts contract/tokens.md#oauth2-revoke.
    test('an access token whose session is lost is not active, its refresh token is', async () => {
      const tokens = await login();
      await auth.sessions.delete(tokens['OAuth2.SESSION_ID']);
      const activeOf = async (token: string) => (await post('/oauth2/introspect', { token })).json.active;
      expect([await activeOf(tokens.access_token), await activeOf(tokens.refresh_token)]).toEqual([false, true]);
      expect(await isAccepted(tokens.access_token)).toBe(false);
      expect(await canRefresh(tokens.refresh_token)).toBe(true);
    });

    // Asserts contract/tokens.md#oauth2-revoke.
    test('describes tokens of a client and refresh tokens', async () => {
      const ofClient = await auth.post('/oauth2/introspect', { token: await clientToken() }, { client: service });
      expect(ofClient.json).toMatchObject({ active: true, sub: serviceId, client_id: serviceId });
      const { refresh_token: token } = await login();
      const { json } = await post('/oauth2/introspect', { token, token_type_hint: 'refresh_token' });
      expect(json).toMatchObject({ active: true, sub: 'clerk', client_id: id });
      expect(json.token_type).toBeUndefined();
    });

    // Asserts contract/tokens.md#oauth2-revoke.
    test('wants a token, by POST, of a client', async () => {
      expect((await post('/oauth2/introspect', {})).json.error).toBe('invalid_request');
      expect((await auth.post('/oauth2/introspect', '', { client, method: 'GET' })).status).toBe(405);
      expect((await auth.post('/oauth2/introspect', { token: 'x' }, { client: null })).status).toBe(401);
    });

    // Asserts contract/tokens.md#oauth2-revoke.
    test.each([
      ['an unknown token', async () => 'unknown', client],
      [
        'an expired token',
        async () => {
          const form = { grant_type: 'password', username: 'clerk', password: 'clerk' };
          const { json } = await auth.post('/oauth/token', form, { client: briefClient });
          await sleep(1_100);
          return json.access_token;
        },
        briefClient,
      ],
      ['a foreign token', async () => (await login()).access_token, 'other:other-secret'],
      [
        'a revoked token',
        async () => {
          const tokens = await login();
          await post('/oauth/revoke', { token: tokens.refresh_token });
          return tokens.access_token;
        },
        client,
      ],
    ])('says of %s only that it is not active', async (_kind, token, asking) => {
      const { status, json } = await auth.post('/oauth2/introspect', { token: await token() }, { client: asking });
      expect([status, json]).toEqual([200, { active: false }]);
    });
  });
});
