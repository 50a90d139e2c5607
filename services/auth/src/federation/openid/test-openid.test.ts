import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { openIdProviderSchema } from './provider-settings.ts';
import { testOpenId } from './test-openid.ts';

type Reply = (response: ServerResponse) => void;
const json =
  (value: unknown, status = 200): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

let server: Server;
let issuer: string;
let key: JWK;
let metadata: Reply;
let keys: Reply;
const requests: string[] = [];
beforeAll(async () => {
  const { publicKey } = await generateKeyPair('RS256');
  key = { ...(await exportJWK(publicKey)), kid: 'first', alg: 'RS256', use: 'sig' };
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    (request.url === '/keys' ? keys : metadata)(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const document = () => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
});
beforeEach(() => {
  metadata = json(document());
  keys = json({ keys: [{ kty: 'oct', k: 'AA' }, key] });
  requests.length = 0;
});

const settingsOf = (given: Readonly<Record<string, string>> = {}) =>
  openIdProviderSchema.parse({ issuer, 'client-id': 'lintel', 'client-secret': 'the secret', ...given });
const problems = (given?: Readonly<Record<string, string>>) => testOpenId(settingsOf(given));
const codes = async (given?: Readonly<Record<string, string>>) => (await problems(given)).map(({ code }) => code);

test('a provider with all addresses and a key has no problem', async () => {
  expect(await problems()).toEqual([]);
});

test('metadata of another issuer are named, with both', async () => {
  metadata = json({ ...document(), issuer: 'https://other.example' });
  expect(await problems()).toEqual([
    {
      code: 'issuer',
      message: `The metadata are not those of the issuer ${issuer}, but https://other.example`,
    },
  ]);
});

test('each address that a login needs is named', async () => {
  const { authorization_endpoint: _a, jwks_uri: _k, ...rest } = document();
  metadata = json({ ...rest, token_endpoint: 'http://token.example/' });
  expect(await problems({ 'user-info': 'true' })).toEqual([
    { code: 'endpoints', message: 'The metadata have no authorization_endpoint' },
    { code: 'insecure', message: 'token_endpoint of the metadata has no TLS' },
    { code: 'endpoints', message: 'The metadata have no jwks_uri' },
    { code: 'endpoints', message: 'The metadata have no userinfo_endpoint' },
  ]);
});

test.each<[string, () => Reply]>([
  ['an empty set', () => json({ keys: [] })],
  ['no set', () => json({})],
  ['a set of secrets and broken keys', () => json({ keys: [{ kty: 'oct', k: 'AA' }, { kty: 'RSA', n: 'x' }, null] })],
  ['a key for encryption', () => json({ keys: [{ ...key, use: 'enc' }] })],
  ['a page', () => (response) => response.end('<html>')],
])('without a key that verifies signatures: %s', async (_case, reply) => {
  keys = reply();
  expect(await codes()).toEqual(['keys']);
});

test('keys without TLS elsewhere are not requested, and redirects are not followed', async () => {
  metadata = json({ ...document(), jwks_uri: 'http://keys.example/' });
  expect(await codes()).toEqual(['insecure']);
  metadata = json(document());
  keys = (response) => response.writeHead(302, { location: `${issuer}/elsewhere` }).end();
  expect(await codes()).toEqual(['other']);
  expect(requests).not.toContain('/elsewhere');
});

test('keys that are too large are not read', async () => {
  keys = (response) => response.end('x'.repeat(1024 * 1024 + 1));
  expect(await codes()).toEqual(['other']);
});

test('a response that is no metadata document, or an error', async () => {
  metadata = (response) => response.end('<html>');
  expect(await codes()).toEqual(['document']);
  metadata = json({ error: 'the secret of the provider' }, 404);
  expect(await problems()).toEqual([{ code: 'status', message: `${new URL(issuer).host} responds with status 404` }]);
});

test('a server without TLS, and one that ends the connection', async () => {
  expect(await codes({ issuer: 'http://login.example' })).toEqual(['insecure']);
  expect(await codes({ issuer: issuer.replace('http:', 'https:') })).toEqual(['tls']);
  metadata = (response) => response.destroy();
  expect(await codes()).toEqual(['connection']);
});
