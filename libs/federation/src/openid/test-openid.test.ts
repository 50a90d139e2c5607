import { type IssuerOfTests, json, type Reply, startIssuerOfTests } from '../../test/issuer-of-tests.ts';
import { openIdProviderSchema } from './provider-settings.ts';
import { testOpenId } from './test-openid.ts';

let server: IssuerOfTests;
let issuer: string;
beforeAll(async () => {
  server = await startIssuerOfTests();
  issuer = server.issuer;
});
afterAll(() => server.close());

const document = () => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
});
beforeEach(() => {
  server.metadata = json(document());
  server.keys = json({ keys: [{ kty: 'oct', k: 'AA' }, server.key] });
  server.requests.length = 0;
});

const settingsOf = (given: Readonly<Record<string, string>> = {}) =>
  openIdProviderSchema.parse({ issuer, 'client-id': 'lintel', 'client-secret': 'the secret', ...given });
const problems = (given?: Readonly<Record<string, string>>) => testOpenId(settingsOf(given));
const codes = async (given?: Readonly<Record<string, string>>) => (await problems(given)).map(({ code }) => code);

// Asserts contract/operations.md#identity-providers.
test('a provider with all addresses and a key has no problem', async () => {
  expect(await problems()).toEqual([]);
});

// Asserts contract/operations.md#identity-providers.
test('metadata of another issuer are named, with both', async () => {
  server.metadata = json({ ...document(), issuer: 'https://other.example' });
  expect(await problems()).toEqual([
    {
      code: 'issuer',
      message: `The metadata are not those of the issuer ${issuer}, but https://other.example`,
    },
  ]);
});

// Asserts contract/operations.md#identity-providers.
test('each address that a login needs is named', async () => {
  const { authorization_endpoint: _a, jwks_uri: _k, ...rest } = document();
  server.metadata = json({ ...rest, token_endpoint: 'http://token.example/' });
  expect(await problems({ 'user-info': 'true' })).toEqual([
    { code: 'endpoints', message: 'The metadata have no authorization_endpoint' },
    { code: 'insecure', message: 'token_endpoint of the metadata has no TLS' },
    { code: 'endpoints', message: 'The metadata have no jwks_uri' },
    { code: 'endpoints', message: 'The metadata have no userinfo_endpoint' },
  ]);
});

// Asserts contract/operations.md#identity-providers.
test.each<[string, () => Reply]>([
  ['an empty set', () => json({ keys: [] })],
  ['no set', () => json({})],
  ['a set of secrets and broken keys', () => json({ keys: [{ kty: 'oct', k: 'AA' }, { kty: 'RSA', n: 'x' }, null] })],
  ['a key for encryption', () => json({ keys: [{ ...server.key, use: 'enc' }] })],
  ['a page', () => (response) => response.end('<html>')],
])('without a key that verifies signatures: %s', async (_case, reply) => {
  server.keys = reply();
  expect(await codes()).toEqual(['keys']);
});

// Asserts contract/operations.md#identity-providers.
test('keys without TLS elsewhere are not requested, and redirects are not followed', async () => {
  server.metadata = json({ ...document(), jwks_uri: 'http://keys.example/' });
  expect(await codes()).toEqual(['insecure']);
  server.metadata = json(document());
  server.keys = (response) => response.writeHead(302, { location: `${issuer}/elsewhere` }).end();
  expect(await codes()).toEqual(['other']);
  expect(server.requests).not.toContain('/elsewhere');
});

// Asserts contract/operations.md#identity-providers.
test('keys that are too large are not read', async () => {
  server.keys = (response) => response.end('x'.repeat(1024 * 1024 + 1));
  expect(await codes()).toEqual(['other']);
});

// Asserts contract/operations.md#identity-providers.
test('a response that is no metadata document, or an error', async () => {
  server.metadata = (response) => response.end('<html>');
  expect(await codes()).toEqual(['document']);
  server.metadata = json({ error: 'the secret of the provider' }, 404);
  expect(await problems()).toEqual([{ code: 'status', message: `${new URL(issuer).host} responds with status 404` }]);
});

// Asserts contract/operations.md#identity-providers.
test('a server without TLS, and one that ends the connection', async () => {
  expect(await codes({ issuer: 'http://login.example' })).toEqual(['insecure']);
  expect(await codes({ issuer: issuer.replace('http:', 'https:') })).toEqual(['tls']);
  server.metadata = (response) => response.destroy();
  expect(await codes()).toEqual(['connection']);
});
