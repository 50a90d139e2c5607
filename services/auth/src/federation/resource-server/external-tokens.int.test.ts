import { AUDIENCE_REST } from '@lintel/contracts';
import { EXTERNAL_AUDIENCE, type ExternalIssuer, startExternalIssuer } from '@lintel/federation/testing';
import type { TestDatabase } from '@lintel/testkit';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';

let issuer: ExternalIssuer;
let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  [issuer, testDatabase] = await Promise.all([startExternalIssuer(), createAuthDatabase()]);
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.resource-server.issuer': issuer.issuer,
      'svc.resource-server.audience': EXTERNAL_AUDIENCE,
      'svc.resource-server.first-login': 'link,create',
      'svc.resource-server.resource-roles': '*=rest-minimal, sales=sales-manager',
      'svc.resource-server.required-claims': 'tenant=a',
      'svc.resource-server.acr-values': 'gold=urn:lintel:acr:2fa',
    },
  });
  await auth.addUser('clerk', { roles: ['by-hand', 'sales-manager'] });
  await auth.addUser('locked', { active: false });
});
afterAll(async () => {
  await auth.close();
  await testDatabase.drop();
  await issuer.close();
});

const token = (claims: Record<string, unknown> = {}) => issuer.token({ tenant: 'a', ...claims });
const exchange = async (value: string) => (await auth.internal('/exchange', { token: value })).json;
const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

async function rolesOf(username: string): Promise<readonly string[]> {
  const rows = await testDatabase.query<{ role_code: string }>(
    'SELECT role_code FROM sec.role_assignment WHERE username = $1 ORDER BY role_code',
    [username],
  );
  return rows.map(({ role_code }) => role_code);
}

const INVALID = { reason: 'invalid' };

// Asserts contract/tokens.md#external-tokens.
test('a token of the issuer becomes our JWT for a session of its user', async () => {
  const { jwt, sessionId, expiresAt } = await exchange(await token({ groups: [] }));
  const { payload } = await jwtVerify(jwt, createRemoteJWKSet(new URL(`${auth.url}/oauth2/jwks`)), {
    audience: AUDIENCE_REST,
  });
  expect(payload).toMatchObject({ sub: 'clerk', client_id: 'external:portal', sid: sessionId, scope: 'rest-api' });
  expect(expiresAt - Date.now() / 1000).toBeLessThanOrEqual(60);
  const session = await auth.sessions.load(sessionId);
  expect(session).toMatchObject({ kind: 'user', username: 'clerk' });
  expect(session?.resourceRoles).toEqual(['by-hand', 'rest-minimal', 'sales-manager']);
  expect((await exchange(await token())).sessionId).toBe(sessionId);
});

// Asserts contract/operations.md#identity-providers.
test('administrators see the issuer and its test', async () => {
  const { json } = await auth.internal('/identity-providers/list', {});
  expect(json.providers).toMatchObject([{ name: 'resource-server', kind: 'token-issuer', title: null, addresses: [] }]);
  expect(json.providers[0].settings).toContainEqual({ name: 'audience', value: EXTERNAL_AUDIENCE });
  const tested = await auth.internal('/identity-providers/test', { name: 'resource-server' });
  expect(tested.json).toMatchObject({ successful: true, problems: [] });
});

// Asserts contract/tokens.md#external-tokens.
test('roles of groups follow with newer tokens and end with the group; manual assignments stay', async () => {
  const as = { sub: 'subject-2', preferred_username: 'grace' };
  await exchange(await token({ ...as, iat: ago(30), groups: ['sales'] }));
  expect(await rolesOf('grace')).toEqual(['rest-minimal', 'sales-manager']);
  const { sessionId } = await exchange(await token({ ...as, iat: ago(20), groups: [] }));
  expect(await rolesOf('grace')).toEqual(['rest-minimal']);
  expect((await auth.sessions.load(sessionId))?.resourceRoles).toEqual(['rest-minimal']);
  // An older token does not bring them back.
  await exchange(await token({ ...as, iat: ago(25), groups: ['sales'] }));
  expect(await rolesOf('grace')).toEqual(['rest-minimal']);
  expect(await rolesOf('clerk')).toEqual(['by-hand', 'rest-minimal', 'sales-manager']);
  const events = await testDatabase.query<{ type: string; data: object; trace: string }>(
    `SELECT type, envelope -> 'data' AS data, envelope ->> 'traceparent' AS trace FROM events.outbox
WHERE subject = 'grace' ORDER BY position`,
  );
  // contract/operations.md#security-events
  const actor = { by: 'provider:resource-server' };
  expect(events).toMatchObject([
    { type: 'data.user.changed.v1', data: { change: 'created', actor } },
    { type: 'data.assignment.changed.v1', data: { role: 'rest-minimal', change: 'given', actor } },
    { type: 'data.assignment.changed.v1', data: { role: 'sales-manager', change: 'given', actor } },
    { type: 'data.assignment.changed.v1', data: { role: 'sales-manager', change: 'taken', actor } },
  ]);
  for (const { trace } of events) expect(trace).toMatch(/^00-\w{32}-/);
});

// Asserts contract/tokens.md#external-tokens.
test('the JWT says how strongly the user of this token was authenticated, also that of a ticket', async () => {
  const as = { sub: 'subject-12', preferred_username: 'emmy' };
  const weak = await token({ ...as, iat: ago(30) });
  const strong = await token({ ...as, iat: ago(20), acr: 'gold', auth_time: ago(25) });
  const first = await exchange(weak);
  const second = await exchange(strong);
  expect(decodeJwt(second.jwt)).toMatchObject({ acr: 'urn:lintel:acr:2fa', auth_time: expect.any(Number) });
  // Both are of one session, and the older token is as weak as before.
  const again = await exchange(weak);
  expect([again.sessionId, second.sessionId]).toEqual([first.sessionId, first.sessionId]);
  for (const { jwt } of [first, again]) expect(decodeJwt(jwt)).not.toHaveProperty('acr');
  const target = { method: 'GET', url: '/rest/files?fileRef=a' };
  const acrOfTicket = async (subjectToken: string): Promise<unknown> => {
    const { ticket } = (await auth.internal('/tickets', { subjectToken, ...target })).json;
    return decodeJwt((await auth.internal('/exchange', { ticket, ...target })).json.jwt)['acr'];
  };
  expect([await acrOfTicket(again.jwt), await acrOfTicket(second.jwt)]).toEqual([undefined, 'urn:lintel:acr:2fa']);
});

// Asserts contract/tokens.md#external-tokens.
test.each(['gold', 'gold=urn:lintel:acr:3fa', '=urn:lintel:acr:2fa'])('%j is no item of acr-values', async (item) => {
  const properties = { 'svc.resource-server.acr-values': item };
  await expect(startAuth(testDatabase, { properties })).rejects.toThrow(/svc\.resource-server\.acr-values/);
});

// Asserts contract/tokens.md#external-tokens.
test('a subject keeps its user when its name changes, and no other subject gets it', async () => {
  await exchange(await token());
  const { jwt } = await exchange(await token({ preferred_username: 'admin', azp: 'other' }));
  expect(JSON.parse(Buffer.from(jwt.split('.')[1], 'base64url').toString()).sub).toBe('clerk');
  expect(await exchange(await token({ sub: 'subject-3' }))).toEqual(INVALID);
  expect(auth.log.join()).toContain('linked-to-another');
});

// Asserts contract/tokens.md#external-tokens.
test.each<[string, () => Promise<string> | string]>([
  ['alg none', () => issuer.unsigned()],
  ['HS256 with the public key', () => issuer.signedWithPublicKey()],
  ['a key that is not of the issuer', () => issuer.forged({ tenant: 'a' })],
  ['an unknown kid', () => issuer.token({ tenant: 'a' }, { kid: 'unknown' })],
  ['another audience', () => token({ aud: 'other' })],
  ['no audience', () => token({ aud: undefined })],
  ['no subject', () => token({ sub: undefined })],
  ['a subject with NUL', () => token({ sub: 'a\0b' })],
  ['no expiry', () => token({ exp: undefined })],
  ['no time of issue', () => token({ iat: undefined })],
  ['issued in the future', () => token({ iat: ago(-120), exp: ago(-240) })],
  ['an expiry beyond all dates', () => token({ exp: 1e15 })],
  ['an expiry beyond the year 9999', () => token({ exp: Date.UTC(10_000, 1) / 1_000 })],
  ['not valid yet', () => token({ nbf: ago(-120) })],
  ['an ID token', () => token({ nonce: 'n' })],
  ['an ID token of Keycloak', () => token({ typ: 'ID' })],
  ['a logout token', () => issuer.token({ tenant: 'a' }, { typ: 'logout+jwt' })],
  ['a token that is bound to a key', () => token({ cnf: { jkt: 'x' } })],
  ['a required claim that is absent', () => issuer.token({ iat: ago(-1) })],
  ['a required claim that is absent from an older token', () => issuer.token({ iat: ago(100) })],
  ['a user that is disabled', () => token({ sub: 'subject-4', preferred_username: 'locked' })],
  ['no name of a user', () => token({ sub: 'subject-5', preferred_username: undefined })],
  ['a built-in user', () => token({ sub: 'subject-6', preferred_username: 'system' })],
])('refuses %s', async (_case, create) => {
  expect(await exchange(await create())).toEqual(INVALID);
});

// Asserts contract/tokens.md#external-tokens.
test('a token of another issuer is refused, even with the same key', async () => {
  expect(await exchange(await token({ iss: `${issuer.issuer}/` }))).toEqual(INVALID);
  expect(await exchange(await token({ iss: 'https://lintel.example' }))).toEqual(INVALID);
});

test('an expired token is reported as expired, and clocks may differ by the tolerance', async () => {
  expect(await exchange(await token({ iat: ago(400), exp: ago(40) }))).toEqual({ reason: 'expired' });
  const { jwt } = await exchange(await token({ iat: ago(400), exp: ago(10) }));
  expect(jwt).toEqual(expect.any(String));
});

// Asserts contract/tokens.md#external-tokens.
test('after a logout the token and older ones are refused, a newer one opens the session again', async () => {
  const as = { sub: 'subject-7', preferred_username: 'mary' };
  const first = await token({ ...as, iat: ago(60) });
  const older = await token({ ...as, iat: ago(90) });
  const { sessionId } = await exchange(first);
  const logout = await fetch(`${auth.url}/logout`, { method: 'POST', headers: { authorization: `Bearer ${first}` } });
  expect(logout.status).toBe(200);
  expect(await auth.sessions.load(sessionId)).toBeUndefined();
  expect([await exchange(first), await exchange(older)]).toEqual([INVALID, INVALID]);
  expect((await exchange(await token(as))).sessionId).toBe(sessionId);
});

test('a user that is disabled here is refused at the next exchange', async () => {
  const value = await token({ sub: 'subject-8', preferred_username: 'hedy' });
  expect((await exchange(value)).jwt).toEqual(expect.any(String));
  await testDatabase.query(`UPDATE sec."user" SET active = false WHERE username = 'hedy'`);
  expect(await exchange(value)).toEqual(INVALID);
  expect(await exchange(await token({ sub: 'subject-8', iat: ago(-1) }))).toEqual(INVALID);
});

test('a session that Redis has lost comes back with the next exchange', async () => {
  const value = await token({ sub: 'subject-9', preferred_username: 'joan' });
  const { sessionId } = await exchange(value);
  await auth.sessions.delete(sessionId);
  expect((await exchange(value)).sessionId).toBe(sessionId);
  expect(await auth.sessions.load(sessionId)).toMatchObject({ username: 'joan' });
});

test('a token that comes again writes nothing', async () => {
  const value = await token({ sub: 'subject-11', preferred_username: 'lise' });
  const { sessionId } = await exchange(value);
  const versions = () =>
    testDatabase.query(
      `SELECT xmin::text FROM auth.federated_login WHERE id = $1
       UNION ALL SELECT xmin::text FROM auth.oidc_model WHERE model = 'Login' AND id = $1`,
      [sessionId],
    );
  const before = await versions();
  expect(before).toHaveLength(2);
  expect((await exchange(value)).sessionId).toBe(sessionId);
  expect(await versions()).toEqual(before);
});

test('tokens of one subject that arrive together open one session', async () => {
  const value = await token({ sub: 'subject-10', preferred_username: 'radia' });
  const results = await Promise.all([1, 2, 3, 4].map(() => exchange(value)));
  expect(new Set(results.map(({ sessionId }) => sessionId)).size).toBe(1);
  expect(results.every(({ jwt }) => typeof jwt === 'string')).toBe(true);
});

test('names and claims of subjects are in no line of the log', () => {
  const lines = auth.log.filter((line) => line.includes('federation.refused'));
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.join()).not.toMatch(/subject-\d|locked|preferred_username/);
});

test('the keys rotate; while the issuer is away known keys stay in use', async () => {
  const other = await startExternalIssuer();
  const second = await startAuth(testDatabase, {
    properties: {
      'svc.resource-server.issuer': other.issuer,
      'svc.resource-server.audience': EXTERNAL_AUDIENCE,
      'svc.resource-server.first-login': 'create',
    },
  });
  try {
    const ask = async (value: string) => (await second.internal('/exchange', { token: value })).status;
    const as = { sub: 'x', preferred_username: 'barbara' };
    other.setAvailable(false);
    expect(await ask(await other.token(as))).toBe(503);
    other.setAvailable(true);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await ask(await other.token(as))).toBe(200);
    expect(other.keyRequests()).toBe(1);
    other.setAvailable(false);
    expect(await ask(await other.token(as))).toBe(200);
    // An existing user is not linked where the rule only creates users.
    expect(await ask(await other.token({ sub: 'y', preferred_username: 'clerk' }))).toBe(401);
  } finally {
    await second.close();
    await other.close();
  }
});

test('the issuer needs an audience', async () => {
  const properties = { 'svc.resource-server.issuer': issuer.issuer };
  await expect(startAuth(testDatabase, { properties })).rejects.toThrow(/svc\.resource-server\.audience/);
});
