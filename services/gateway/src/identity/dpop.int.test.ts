import { createProvingKey, type RunningGateway, startGateway } from '../../test/gateway-fixture.ts';

const ORIGIN = 'http://localhost:8080';
const PATH = '/rest/userInfo';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
beforeEach(() => {
  gateway.upstreams.data.seen.length = 0;
});

const key = await createProvingKey(`${ORIGIN}${PATH}`);
const other = await createProvingKey(`${ORIGIN}${PATH}`);

const get = (authorization: string, proof?: string, path = PATH) =>
  fetch(`${gateway.url}${path}`, { headers: { authorization, ...(proof !== undefined && { dpop: proof }) } });

// Asserts contract/tokens.md#dpop.
test('a bound token is accepted with a proof, which does not reach the service', async () => {
  expect((await get(`DPoP ${key.token}`, await key.proof())).status).toBe(200);
  // The parameters of the query are not part of the proof.
  expect((await get(`dpop ${key.token}`, await key.proof(), `${PATH}?a=1`)).status).toBe(200);
  for (const { headers } of gateway.upstreams.data.seen)
    expect([headers['dpop'], headers.authorization]).toEqual([undefined, expect.stringMatching(/^Bearer eyJ/)]);
});

// Asserts contract/tokens.md#dpop.
test('a proof works once, also for requests that arrive together', async () => {
  const proof = await key.proof();
  const statuses = (await Promise.all([1, 2, 3].map(() => get(`DPoP ${key.token}`, proof)))).map(
    ({ status }) => status,
  );
  expect(statuses.toSorted()).toEqual([200, 401, 401]);
});

// Asserts contract/tokens.md#dpop.
test.each<[string, string, () => Promise<string | undefined>]>([
  ['as a bearer token', `Bearer ${key.token}`, () => key.proof()],
  ['without a proof', `DPoP ${key.token}`, async () => undefined],
  ['with the proof of another key', `DPoP ${key.token}`, () => other.proof()],
  ['with a proof for another token', `DPoP ${key.token}`, () => key.proof({ ath: 'x' })],
  ['with a proof for another path', `DPoP ${key.token}`, () => key.proof({ htu: `${ORIGIN}/rest/entities` })],
  ['with a proof for another host', `DPoP ${key.token}`, () => key.proof({ htu: `https://evil.example${PATH}` })],
  ['with an old proof', `DPoP ${key.token}`, () => key.proof({ iat: 1_700_000_000 })],
])('a bound token is refused %s', async (_case, authorization, proof) => {
  const response = await get(authorization, await proof());
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ error: 'invalid_token' });
  expect(response.headers.get('www-authenticate')).toMatch(
    /^DPoP realm="oauth2-resource", error="invalid_(token|dpop_proof)", .*algs="ES256 /,
  );
  expect(gateway.upstreams.data.seen).toEqual([]);
});

// Asserts contract/tokens.md#dpop.
test('a bearer token is refused with the scheme DPoP; a bound one in the URL as well', async () => {
  expect((await get('DPoP opaque-clerk', await key.proof())).status).toBe(401);
  expect((await fetch(`${gateway.url}${PATH}?access_token=${key.token}`)).status).toBe(401);
  expect((await get('Bearer opaque-clerk')).status).toBe(200);
});

// Asserts contract/tokens.md#dpop.
test('the cache does not remember that a token was proven', async () => {
  expect((await get(`DPoP ${key.token}`, await key.proof())).status).toBe(200);
  expect((await get(`DPoP ${key.token}`)).status).toBe(401);
  expect((await get(`Bearer ${key.token}`)).status).toBe(401);
});

// Asserts contract/tokens.md#dpop.
test('a proof is checked on anonymous URLs, too', async () => {
  expect((await get(`DPoP ${key.token}`, undefined, '/rest/public/x')).status).toBe(401);
  const proof = await key.proof({ htu: `${ORIGIN}/rest/public/x` });
  expect((await get(`DPoP ${key.token}`, proof, '/rest/public/x')).status).toBe(200);
});
