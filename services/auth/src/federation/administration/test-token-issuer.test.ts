import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { testTokenIssuer } from './test-token-issuer.ts';

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
  key = { ...(await exportJWK((await generateKeyPair('RS256')).publicKey)), alg: 'RS256', use: 'sig' };
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    (request.url === '/keys' ? keys : metadata)(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  metadata = json({ issuer, jwks_uri: `${issuer}/keys` });
  keys = json({ keys: [key] });
  requests.length = 0;
});

const problems = (jwksUrl?: string) => testTokenIssuer({ issuer, jwksUrl });

test('an issuer with metadata and a key has no problem', async () => {
  expect(await problems()).toEqual([]);
  expect(requests).toEqual(['/.well-known/openid-configuration', '/keys']);
});

test('with an address of the keys there is no discovery', async () => {
  expect(await problems(`${issuer}/keys`)).toEqual([]);
  expect(requests).toEqual(['/keys']);
});

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
  metadata = reply();
  expect(await problems()).toEqual([{ code, message: expect.stringContaining(words) }]);
  expect(requests).not.toContain('/keys');
});

test.each<[string, () => Reply]>([
  ['keys', () => json({ keys: [] })],
  ['keys', () => json({ keys: [{ ...key, use: 'enc' }] })],
  ['status', () => json({}, 500)],
  ['other', () => (response) => response.writeHead(302, { location: `${issuer}/elsewhere` }).end()],
])('what is wrong with the keys is named: %s', async (code, reply) => {
  keys = reply();
  const found = await problems();
  expect(found.map((problem) => problem.code)).toEqual([code]);
  expect(requests).not.toContain('/elsewhere');
});
