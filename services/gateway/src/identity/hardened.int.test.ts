import { type RunningGateway, startGateway } from '../../test/gateway-fixture.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ 'svc.security.profile': 'hardened' });
});
afterAll(() => gateway.close());

// Asserts contract/decisions.md#55.
test('the hardened profile takes no token from a URL, and still keeps it from the service', async () => {
  const refused = await fetch(`${gateway.url}/rest/userInfo?access_token=opaque-clerk`);
  expect(refused.status).toBe(401);
  expect(gateway.upstreams.data.seen).toEqual([]);
  const header = { authorization: 'Bearer opaque-clerk' };
  expect((await fetch(`${gateway.url}/rest/userInfo`, { headers: header })).status).toBe(200);
});

test('the hardened profile leaves a token in the URL of a logout to auth, which refuses it', async () => {
  let seen: { readonly url: string | undefined; readonly authorization: string | undefined } | undefined;
  gateway.upstreams.auth.handle = (request, response) => {
    seen = { url: request.url, authorization: request.headers.authorization };
    response.writeHead(400).end();
  };
  expect((await fetch(`${gateway.url}/logout?access_token=opaque-clerk`)).status).toBe(400);
  expect(seen).toEqual({ url: '/logout?access_token=opaque-clerk', authorization: undefined });
});

// Asserts contract/decisions.md#55.
test('the hardened profile answers scripts of named origins only', async () => {
  const headers = { authorization: 'Bearer opaque-clerk', origin: 'https://app.example' };
  expect((await fetch(`${gateway.url}/rest/userInfo`, { headers })).status).toBe(403);
  const named = await startGateway({
    'svc.security.profile': 'hardened',
    'svc.cors.allowed-origins': 'https://app.example',
  });
  try {
    expect((await fetch(`${named.url}/rest/userInfo`, { headers })).status).toBe(200);
  } finally {
    await named.close();
  }
});
