import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@lintel/testkit';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';
import { ASSERTION_TYPE } from './client-assertion.ts';

const CLIENT = 'svc.authserver.client';
const ISSUER = 'https://lintel.example';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
let testDatabase: TestDatabase;
let auth: RunningAuth;
let own: Keys;
let others: Keys;

beforeAll(async () => {
  [own, others] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  const jwks = async (keys: Keys) => JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k' }] });
  testDatabase = await createAuthDatabase();
  const clientOf = async (name: string, keys: Keys) => ({
    [`${CLIENT}.${name}.client-id`]: name,
    [`${CLIENT}.${name}.client-authentication-methods`]: 'private_key_jwt',
    [`${CLIENT}.${name}.jwks`]: await jwks(keys),
  });
  auth = await startAuth(testDatabase, {
    properties: { ...(await clientOf('signing', own)), ...(await clientOf('stranger', others)) },
  });
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const now = () => Math.floor(Date.now() / 1_000);
const sign = (claims: JWTPayload = {}, key = own.privateKey, header: object = {}) =>
  new SignJWT({
    iss: 'signing',
    sub: 'signing',
    aud: ISSUER,
    jti: randomUUID(),
    exp: now() + 60,
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', ...header })
    .sign(key);
const post = (assertion: string, form: Record<string, string> = {}, path = '/oauth2/token') =>
  auth.post(
    path,
    {
      grant_type: 'client_credentials',
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: assertion,
      ...form,
    },
    { client: null },
  );

// Asserts contract/tokens.md#private-key-jwt.
test.each([ISSUER, `${ISSUER}/oauth2/token`])('an assertion for %s authenticates its client', async (aud) => {
  const response = await post(await sign({ aud }), { client_id: 'signing' });
  expect([response.status, response.json.token_type]).toEqual([200, 'Bearer']);
  const token = response.json.access_token;
  const { json } = await post(await sign(), { token }, '/oauth2/introspect');
  expect(json).toMatchObject({ active: true, client_id: 'signing' });
});

// Asserts contract/tokens.md#private-key-jwt.
test('an assertion works once', async () => {
  const assertion = await sign();
  expect((await post(assertion)).status).toBe(200);
  const again = await post(assertion);
  expect([again.status, again.json.error]).toEqual([401, 'invalid_client']);
});

// Asserts contract/tokens.md#private-key-jwt.
test.each([
  ['of another server', () => sign({ aud: 'https://evil.example' })],
  ['of several servers', () => sign({ aud: [ISSUER, 'https://evil.example'] })],
  ['without an audience', () => sign({ aud: undefined as never })],
  ['that has expired', () => sign({ exp: now() - 60 })],
  ['without an end', () => sign({ exp: undefined as never })],
  ['for hours', () => sign({ exp: now() + 7_200 })],
  ['without a name', () => sign({ jti: undefined as never })],
  ['that another client has issued', () => sign({ iss: 'stranger' })],
  ['with the key of another client', () => sign({}, others.privateKey)],
  ['of a client without keys', () => sign({ iss: 'client', sub: 'client' })],
  ['of an unknown client', () => sign({ iss: 'nobody', sub: 'nobody' })],
  ['with a key that it names', async () => sign({}, others.privateKey, { jwk: await exportJWK(others.publicKey) })],
  ['without a signature', async () => `${(await sign()).split('.').slice(0, 2).join('.')}.`],
  ['that is none', async () => 'nonsense'],
  ['that is empty', async () => ''],
])('an assertion %s is refused', async (_case, create) => {
  const response = await post(await create());
  expect([response.status, response.json.error]).toEqual([401, 'invalid_client']);
});

// Asserts contract/tokens.md#private-key-jwt.
test('the algorithm none, and a shared secret, are no signatures', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = part({ iss: 'signing', sub: 'signing', aud: ISSUER, jti: randomUUID(), exp: now() + 60 });
  expect((await post(`${part({ alg: 'none' })}.${claims}.`)).status).toBe(401);
  const secret = Buffer.from(JSON.stringify(await exportJWK(own.publicKey)));
  const shared = await new SignJWT({ iss: 'signing', sub: 'signing', aud: ISSUER, jti: randomUUID(), exp: now() + 60 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(secret);
  expect((await post(shared)).status).toBe(401);
});

// Asserts contract/tokens.md#private-key-jwt.
test('one request has one method and one client', async () => {
  expect((await post(await sign(), { client_secret: 'secret' })).status).toBe(401);
  expect((await post(await sign(), { client_id: 'stranger' })).status).toBe(401);
  const secret = { grant_type: 'client_credentials', client_id: 'signing', client_secret: 'x' };
  expect((await auth.post('/oauth2/token', secret, { client: null })).status).toBe(401);
  expect((await auth.post('/oauth2/token', secret, { client: 'signing:' })).status).toBe(401);
});

test('discovery names the method and its algorithms', async () => {
  expect(await (await fetch(`${auth.url}/.well-known/oauth-authorization-server`)).json()).toMatchObject({
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA'],
  });
});

test('assertions are in no log', async () => {
  const assertion = await sign();
  await post(assertion);
  expect(auth.log.join('')).not.toContain(assertion);
});
