import { type IssuerOfTests, json, type Reply, startIssuerOfTests } from '../../test/issuer-of-tests.ts';
import { testTokenIssuer } from './test-token-issuer.ts';

let server: IssuerOfTests;
let issuer: string;
beforeAll(async () => {
  server = await startIssuerOfTests();
  issuer = server.issuer;
});
afterAll(() => server.close());
beforeEach(() => {
  server.metadata = json({ issuer, jwks_uri: `${issuer}/keys` });
  server.keys = json({ keys: [server.key] });
  server.requests.length = 0;
});

const problems = (jwksUrl?: string) => testTokenIssuer({ issuer, jwksUrl });

// Asserts contract/operations.md#identity-providers.
test('an issuer with metadata and a key has no problem', async () => {
  expect(await problems()).toEqual([]);
  expect(server.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
});

// Asserts contract/operations.md#identity-providers.
test('with an address of the keys there is no discovery', async () => {
  expect(await problems(`${issuer}/keys`)).toEqual([]);
  expect(server.requests).toEqual(['/keys']);
});

// Asserts contract/operations.md#identity-providers.
test.each<[string, string, () => Reply]>([
  ['issuer', 'but https://other.example', () => json({ issuer: 'https://other.example', jwks_uri: `${issuer}/keys` })],
  ['issuer', 'not those of the issuer', () => json({})],
  ['endpoints', 'have no jwks_uri', () => json({ issuer })],
  ['insecure', 'must both have TLS', () => json({ issuer, jwks_uri: 'https://keys.example/' })],
  ['document', 'is no metadata document', () => (response) => response.end('<html>')],
  ['document', 'is no metadata document', () => json(null)],
  ['status', 'responds with status 404', () => json({ error: 'secret text' }, 404)],
  ['connection', 'There is no connection', () => (response) => response.destroy()],
])('what is wrong with the metadata is named: %s, %s', async (code, words, reply) => {
  server.metadata = reply();
  expect(await problems()).toEqual([{ code, message: expect.stringContaining(words) }]);
  expect(server.requests).not.toContain('/keys');
});

// Asserts contract/operations.md#identity-providers.
test.each<[string, () => Reply]>([
  ['keys', () => json({ keys: [] })],
  ['keys', () => json({ keys: [{ ...server.key, use: 'enc' }] })],
  ['status', () => json({}, 500)],
  ['other', () => (response) => response.writeHead(302, { location: `${issuer}/elsewhere` }).end()],
])('what is wrong with the keys is named: %s', async (code, reply) => {
  server.keys = reply();
  const found = await problems();
  expect(found.map((problem) => problem.code)).toEqual([code]);
  expect(server.requests).not.toContain('/elsewhere');
});
