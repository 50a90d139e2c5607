import { createRedisStore } from '@lintel/cache';
import { createLogger } from '@lintel/telemetry';
import { type TestDatabase, testEnvironment, uniqueName } from '@lintel/testkit';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';
import { createTickets } from './create-tickets.ts';

let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase);
  await auth.addUser('clerk', { roles: ['rest-minimal'] });
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const URL_OF_FILE = '/rest/files?fileRef=fs%3A%2F%2Fa';
const login = async (): Promise<{ jwt: string; sessionId: string; token: string }> => {
  const form = { grant_type: 'password', username: 'clerk', password: 'clerk' };
  const { json } = await auth.post('/oauth/token', form);
  const exchanged = (await auth.internal('/exchange', { token: json.access_token })).json;
  return { jwt: exchanged.jwt, sessionId: exchanged.sessionId, token: json.access_token };
};
const issue = (subjectToken: string, more: object = {}) =>
  auth.internal('/tickets', { subjectToken, method: 'GET', url: URL_OF_FILE, ...more });
const redeem = (ticket: string, more: object = {}) =>
  auth.internal('/exchange', { ticket, method: 'GET', url: URL_OF_FILE, ...more });

describe('tickets (contract/tokens.md#tickets)', () => {
  test('a ticket is exchanged for a JWT of its caller, once', async () => {
    const { jwt, sessionId } = await login();
    const issued = await issue(jwt);
    expect([issued.status, issued.json, issued.headers.get('cache-control')]).toEqual([
      200,
      { ticket: expect.stringMatching(/^[\w-]{43}$/), expiresIn: 60 },
      'no-store',
    ]);
    const { status, json } = await redeem(issued.json.ticket);
    expect([status, json.sessionId]).toEqual([200, sessionId]);
    const keys = createRemoteJWKSet(new URL(`${auth.url}/oauth2/jwks`));
    const { payload } = await jwtVerify(json.jwt, keys, { audience: 'lintel:rest' });
    expect(payload).toMatchObject({ sub: 'clerk', client_id: 'client', sid: sessionId, scope: 'rest-api' });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60);
    const again = await redeem(issued.json.ticket);
    expect([again.status, again.json]).toEqual([401, { reason: 'invalid' }]);
  });

  // Asserts contract/tokens.md#file-tickets.
  test('one for a file of application code is exchanged for a JWT that opens this file and nothing else', async () => {
    const { jwt } = await login();
    const file = 'fs://2026/11/29/a.txt';
    const { ticket } = (await issue(jwt, { file })).json;
    const granted = (await redeem(ticket)).json.jwt;
    const keys = createRemoteJWKSet(new URL(`${auth.url}/oauth2/jwks`));
    const { payload } = await jwtVerify(granted, keys);
    expect(payload).toMatchObject({ aud: 'lintel:file', file, sub: 'clerk', scope: 'rest-api' });
    // It stands for its caller nowhere: no ticket, no service token, no token.
    expect((await issue(granted)).json).toEqual({ reason: 'invalid' });
    for (const actor of ['files', 'data', 'reports'])
      expect((await auth.internal('/service-tokens', { subjectToken: granted, actor, run: 'r' })).status).toBe(401);
    expect((await auth.internal('/exchange', { token: granted })).json).toEqual({ reason: 'invalid' });
    expect((await redeem(ticket)).json).toEqual({ reason: 'invalid' });
    const wrong = (await issue(jwt, { file })).json.ticket;
    expect((await redeem(wrong, { url: `${URL_OF_FILE}b` })).json).toEqual({ reason: 'invalid' });
  });

  // Asserts contract/tokens.md#tickets.
  test('it ends with the session, whichever token of it was revoked', async () => {
    const { jwt, token } = await login();
    const { ticket } = (await issue(jwt)).json;
    await auth.post('/oauth/revoke', { token });
    expect((await redeem(ticket)).json).toEqual({ reason: 'invalid' });
    expect((await issue(jwt)).json).toEqual({ reason: 'invalid' });
  });

  test('only a JWT that the gateway forwards is exchanged for one, and not that of calls without a token', async () => {
    const { token } = await login();
    const anonymous = (await auth.internal('/exchange', { anonymous: true })).json.jwt;
    for (const subjectToken of [token, 'x', anonymous])
      expect((await issue(subjectToken)).json).toEqual({ reason: 'invalid' });
    expect((await issue(token, { method: 'POST' })).status).toBe(400);
    expect((await auth.internal('/tickets', {}, 'wrong')).status).toBe(401);
    expect((await fetch(`${auth.url}/internal/tickets`, { method: 'POST' })).status).toBe(404);
  });

  test('a session can be checked without a token', async () => {
    const { sessionId, token } = await login();
    expect((await auth.internal('/sessions/check', { sessionId })).status).toBe(204);
    await auth.post('/oauth/revoke', { token });
    expect((await auth.internal('/sessions/check', { sessionId })).status).toBe(404);
  });

  test('of requests at the same time at two replicas, which share Redis, one gets the caller', async () => {
    const logger = createLogger({ service: 'auth', level: 'silent' });
    const address = { url: testEnvironment('LINTEL_TEST_REDIS_URL') };
    const keyPrefix = `${uniqueName('tickets')}:`;
    const stores = [1, 2].map(() => createRedisStore({ address, keyPrefix, logger, commandTimeoutMs: 30_000 }));
    try {
      const [one, other] = stores.map((store) => createTickets(store, 60_000));
      const caller = { sub: 'clerk', client_id: 'client', sid: 's' };
      const target = { method: 'GET', url: URL_OF_FILE };
      for (let round = 0; round < 5; round += 1) {
        const ticket = (await one?.issue(caller, target)) ?? '';
        const attempts = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? one : other)?.redeem(ticket, target));
        expect((await Promise.all(attempts)).filter((found) => found !== undefined)).toEqual([caller]);
      }
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });

  // Asserts contract/tokens.md#tickets.
  test('the lifetime is a property', async () => {
    const brief = await startAuth(testDatabase, { properties: { 'svc.authserver.ticket-time-to-live': '5s' } });
    try {
      const form = { grant_type: 'password', username: 'clerk', password: 'clerk' };
      const { json } = await brief.post('/oauth/token', form);
      const { jwt } = (await brief.internal('/exchange', { token: json.access_token })).json;
      const issued = await brief.internal('/tickets', { subjectToken: jwt, method: 'GET', url: URL_OF_FILE });
      expect(issued.json.expiresIn).toBe(5);
    } finally {
      await brief.close();
    }
    const properties = { 'svc.authserver.ticket-time-to-live': '1h' };
    await expect(startAuth(testDatabase, { properties })).rejects.toThrow(/svc\.authserver\.ticket-time-to-live/);
  });
});
