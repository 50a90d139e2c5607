import { createHash } from 'node:crypto';
import { AUDIENCE_API, AUDIENCE_INTERNAL, AUDIENCE_REST } from '@lintel/contracts';
import { type RunningGateway, startGateway } from '../../test/gateway-fixture.ts';

const REALM = 'Bearer realm="oauth2-resource", ';
const UNAUTHORIZED = 'Full authentication is required to access this resource';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
beforeEach(() => {
  for (const upstream of Object.values(gateway.upstreams)) upstream.seen.length = 0;
  gateway.exchanged.length = 0;
  gateway.lines.length = 0;
});

const get = (path: string, token?: string) =>
  fetch(gateway.url + path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

const claimsSeen = () => {
  const header = gateway.upstreams.data.seen.at(-1)?.headers.authorization ?? '';
  return JSON.parse(Buffer.from(header.split('.')[1] ?? '', 'base64url').toString('utf8')) as { sub: string };
};

// Asserts contract/tokens.md#token-location.
test('an opaque token reaches the service as a JWT and is exchanged once', async () => {
  expect((await get('/rest/entities/sales_Order', 'opaque-clerk')).status).toBe(200);
  expect(claimsSeen().sub).toBe('clerk');
  await Promise.all([1, 2, 3].map(() => get('/rest/userInfo', 'opaque-clerk')));
  expect(gateway.exchanged).toEqual([{ token: 'opaque-clerk', address: '127.0.0.1' }]);
});

test('requests that arrive together exchange their token once', async () => {
  await Promise.all([1, 2, 3, 4, 5].map(() => get('/rest/userInfo', 'opaque-together')));
  expect(gateway.exchanged).toHaveLength(1);
});

// Asserts contract/tokens.md#settings, contract/tokens.md#token-location.
test('a token in the URL never reaches the URL of the service nor the log', async () => {
  const response = await get('/rest/files?a=1&access_token=opaque-urlsecret&fileRef=fs%3A%2F%2Fx');
  expect(response.status).toBe(200);
  expect(gateway.upstreams.files.seen[0]?.url).toBe('/rest/files?a=1&fileRef=fs%3A%2F%2Fx');
  expect(gateway.upstreams.files.seen[0]?.headers.authorization).toMatch(/^Bearer eyJ/);
  expect((await get('/rest/userInfo?access%5Ftoken=opaque-urlsecret')).status).toBe(200);
  expect(gateway.upstreams.data.seen[0]?.url).toBe('/rest/userInfo');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(gateway.lines.join()).not.toMatch(/opaque-urlsecret|access_token|fileRef/);
});

// Asserts contract/user.md#api-keys.
test('an API key is accepted in the header, and never in the URL', async () => {
  expect((await get('/rest/userInfo', 'lk_key')).status).toBe(200);
  gateway.upstreams.data.seen.length = 0;
  expect((await get('/rest/userInfo?access_token=lk_key')).status).toBe(401);
  expect(gateway.upstreams.data.seen).toEqual([]);
});

test('of the paths of auth only the logout takes a token from the URL; none keeps it there', async () => {
  const paths = ['/logout', '/scim/v2/Users', '/oauth2/register/x', '/oauth2/userinfo', '/oauth2/password'];
  for (const path of paths) await get(`${path}?access_token=opaque-clerk`);
  expect(gateway.upstreams.auth.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual(
    paths.map((path) => [path, path === '/logout' ? 'Bearer opaque-clerk' : undefined]),
  );
});

// Asserts contract/tokens.md#token-location.
test('the header wins over the parameter', async () => {
  await get('/rest/userInfo?access_token=garbage', 'opaque-header');
  expect(claimsSeen().sub).toBe('header');
});

test('a token that is given twice in the URL returns 400, at the API and at auth', async () => {
  for (const path of ['/rest/userInfo', '/oauth/revoke']) {
    const response = await get(`${path}?access_token=opaque-a&access_token=opaque-a`, 'opaque-header');
    expect([path, response.status, await response.text()]).toEqual([
      path,
      400,
      expect.stringContaining("Parameter 'access_token' must be given once"),
    ]);
  }
  expect([...gateway.upstreams.data.seen, ...gateway.upstreams.auth.seen]).toEqual([]);
});

// Asserts contract/decisions.md#37, contract/tokens.md#token-location.
test('a GET of a service method with a token in the URL returns 401, a POST is accepted', async () => {
  const refused = await get('/rest/services/s/m?access_token=opaque-clerk&a=1');
  expect(refused.status).toBe(401);
  expect(gateway.upstreams.data.seen).toHaveLength(0);
  const post = await fetch(`${gateway.url}/rest/services/s/m?access_token=opaque-clerk`, { method: 'POST' });
  expect(post.status).toBe(200);
});

// Asserts contract/tokens.md#discovery.
test('the challenge of a 401 names the metadata of the API where the setting says so, or in the hardened profile', async () => {
  const named = `resource_metadata="http://localhost:8080/.well-known/oauth-protected-resource"`;
  for (const [properties, isNamed] of [
    [{ 'svc.resource-server.metadata-in-challenge': 'true' }, true],
    [{ 'svc.security.profile': 'hardened' }, true],
    [{ 'svc.security.profile': 'hardened', 'svc.resource-server.metadata-in-challenge': 'false' }, false],
  ] as const) {
    const other = await startGateway(properties);
    try {
      for (const headers of [{}, { authorization: 'Bearer garbage' }]) {
        const response = await fetch(`${other.url}/rest/userInfo`, { headers });
        const [error, text] =
          'authorization' in headers ? ['invalid_token', 'Invalid access token'] : ['unauthorized', UNAUTHORIZED];
        const challenge = `${REALM}error="${error}", error_description="${text}"`;
        expect(response.headers.get('www-authenticate')).toBe(isNamed ? `${challenge}, ${named}` : challenge);
      }
    } finally {
      await other.close();
    }
  }
});

// Asserts contract/tokens.md#unauthorized.
test.each([
  ['no token', undefined, 'unauthorized', UNAUTHORIZED],
  ['an unknown token', 'garbage', 'invalid_token', 'Invalid access token'],
  ['an expired token', 'expired', 'invalid_token', 'Access token expired'],
  ['a JWT with a bad signature', 'eyJhbGciOiJSUzI1NiJ9.e30.AAAA', 'invalid_token', 'Invalid access token'],
])('%s returns 401 in the form of the contract', async (_case, token, error, description) => {
  const response = await get('/rest/entities/sales_Order', token);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe(`${REALM}error="${error}", error_description="${description}"`);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('pragma')).toBe('no-cache');
  expect(await response.json()).toEqual({ error, error_description: description });
  expect(gateway.upstreams.data.seen).toHaveLength(0);
});

test('another scheme counts as no token', async () => {
  const response = await fetch(`${gateway.url}/rest/userInfo`, { headers: { authorization: 'Basic eDp5' } });
  expect(((await response.json()) as { error: string }).error).toBe('unauthorized');
});

// Asserts contract/decisions.md#38, contract/tokens.md#unauthorized, contract/tokens.md#url-patterns.
test('an unknown path below the prefix returns 401 without a token, and is forwarded with one', async () => {
  expect((await get('/rest/whatever')).status).toBe(401);
  expect((await get('/rest/whatever', 'opaque-clerk')).status).toBe(200);
});

// Asserts contract/decisions.md#38, contract/tokens.md#url-patterns.
test('a request without a token to an anonymous URL runs as anonymous, with a bad token it returns 401', async () => {
  expect((await get('/rest/public/x?filter=1')).status).toBe(200);
  expect(claimsSeen().sub).toBe('anonymous');
  expect((await get('/rest/public/x', 'garbage')).status).toBe(401);
  await get('/rest/public/x', 'opaque-clerk');
  expect(claimsSeen().sub).toBe('clerk');
});

// Asserts contract/controllers.md#controllers, contract/tokens.md#url-patterns.
test('a URL in both lists is anonymous, under either name of the lists; a URL in only one is not', async () => {
  for (const path of ['/rest/public/x', '/rest/docs/x']) expect([path, (await get(path)).status]).toEqual([path, 200]);
  expect((await get('/rest/sample/x')).status).toBe(401);
  expect((await get('/rest/sample/x', 'opaque-clerk')).status).toBe(200);
});

// Asserts contract/tokens.md#url-patterns.
test('traversal and encoded slashes never count as anonymous', async () => {
  const { request } = await import('node:http');
  const raw = (path: string) =>
    new Promise<number>((resolve, reject) => {
      request({ host: '127.0.0.1', port: gateway.port, path }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
  expect(await raw('/rest/public/../entities/sales_Order')).toBe(401);
  expect(await raw('/rest/public/..%2Fentities')).toBe(401);
  expect(await raw('/rest/public/%2e%2e/entities')).toBe(401);
});

// Asserts contract/decisions.md#55.
test('a JWT of a client is exchanged as an opaque token is; the service never sees it', async () => {
  const jwt = await gateway.sign('integration', 's-1', 3600, AUDIENCE_API, 'name-1');
  for (const _ of [1, 2]) expect((await get('/rest/userInfo', jwt)).status).toBe(200);
  expect(gateway.exchanged).toMatchObject([{ token: jwt }]);
  expect(gateway.upstreams.data.seen.map(({ headers }) => headers.authorization)).not.toContain(`Bearer ${jwt}`);
  expect(claimsSeen()).toMatchObject({ sub: 'integration', aud: AUDIENCE_REST });
});

// Asserts contract/decisions.md#56.
test('a JWT that was revoked, by its id or with its session, is checked again and refused', async () => {
  const jwt = await gateway.sign('integration', 's-1', 3600, AUDIENCE_API, 'name-2');
  const ask = async () => {
    gateway.exchanged.length = 0;
    const { status } = await get('/rest/userInfo', jwt);
    return [status, gateway.exchanged.length];
  };
  expect([await ask(), await ask()]).toEqual([
    [200, 1],
    [200, 0],
  ]);
  await gateway.bus.deliver('auth.session.ended.v1', { sessionId: 'session-integration', username: 'integration' });
  expect(await ask()).toEqual([200, 1]);
  gateway.revokedJwts.add('name-2');
  await gateway.bus.deliver('auth.token.revoked.v1', { tokenHash: 'name-2', sessionId: 'session-integration' });
  expect(await ask()).toEqual([401, 1]);
});

// Asserts contract/decisions.md#55.
test('a JWT of our own key for a service, or for an unknown audience, is refused and not forwarded', async () => {
  for (const audience of [AUDIENCE_REST, AUDIENCE_INTERNAL, 'other']) {
    const jwt = await gateway.sign('admin', 's-4', 60, audience);
    for (const path of ['/rest/userInfo', '/rest/public/x']) {
      const response = await get(path, jwt);
      expect([response.status, await response.json()]).toEqual([
        401,
        { error: 'invalid_token', error_description: 'Invalid access token' },
      ]);
    }
  }
  expect(gateway.exchanged).toEqual([]);
  expect(gateway.upstreams.data.seen).toEqual([]);
});

// Asserts contract/tokens.md#unauthorized.
test('an expired JWT of a client is sent to auth once, and the response says that it has expired', async () => {
  const response = await get('/rest/userInfo', await gateway.sign('clerk', 's-5', -1, AUDIENCE_API));
  expect([response.status, await response.json()]).toEqual([
    401,
    { error: 'invalid_token', error_description: 'Access token expired' },
  ]);
  expect(gateway.exchanged).toHaveLength(1);
});

test('a token that cannot be checked now returns 503 in the form of the API, with Retry-After, and is not forwarded', async () => {
  const response = await get('/rest/userInfo', 'opaque-unknowable');
  expect([response.status, await response.json(), response.headers.get('retry-after')]).toEqual([
    503,
    { error: 'Service unavailable', details: 'The token cannot be checked now' },
    '1',
  ]);
  expect(gateway.upstreams.data.seen).toEqual([]);
});

// Asserts contract/decisions.md#55.
test('after a change of the signing keys every token is exchanged again', async () => {
  await get('/rest/userInfo', 'opaque-keys');
  await gateway.bus.deliver('auth.keys.rotated.v1', { kid: 'k2' });
  gateway.exchanged.length = 0;
  expect((await get('/rest/userInfo', 'opaque-keys')).status).toBe(200);
  expect(gateway.exchanged).toHaveLength(1);
});

// Asserts contract/decisions.md#56, contract/roles.md#combination.
test('after a revocation, the end of a session and a reconnect, the next request exchanges its token again', async () => {
  const ask = async () => {
    gateway.exchanged.length = 0;
    await get('/rest/userInfo', 'opaque-revoke');
    return gateway.exchanged.length;
  };
  expect([await ask(), await ask()]).toEqual([1, 0]);
  const tokenHash = createHash('sha256').update('opaque-revoke').digest('base64url');
  await gateway.bus.deliver('auth.token.revoked.v1', { tokenHash, sessionId: 'session-revoke' });
  expect([await ask(), await ask()]).toEqual([1, 0]);
  await gateway.bus.deliver('auth.session.ended.v1', { sessionId: 'session-revoke', username: 'revoke' });
  expect([await ask(), await ask()]).toEqual([1, 0]);
  gateway.bus.setConnected(false);
  expect(await ask()).toBe(0);
  gateway.bus.setConnected(true);
  expect([await ask(), await ask()]).toEqual([1, 0]);
});

// Asserts contract/tokens.md#external-tokens.
test('a JWT of the external issuer is verified by auth; without the setting the gateway refuses it', async () => {
  const claims = Buffer.from(JSON.stringify({ iss: 'https://sso.example/realms/a' })).toString('base64url');
  const jwt = `eyJhbGciOiJSUzI1NiJ9.${claims}.AAAA`;
  expect((await get('/rest/userInfo', jwt)).status).toBe(401);
  expect(gateway.exchanged).toEqual([]);
  const open = await startGateway({ 'svc.resource-server.issuer': 'https://sso.example/realms/a' });
  try {
    const ask = (token: string) =>
      fetch(`${open.url}/rest/userInfo`, { headers: { authorization: `Bearer ${token}` } });
    await ask(jwt);
    expect(open.exchanged).toMatchObject([{ token: jwt }]);
    for (const foreign of [`eyJhbGciOiJSUzI1NiJ9.${claims}x.AAAA`, 'eyJhbGciOiJSUzI1NiJ9.bnVsbA.AAAA'])
      expect((await ask(foreign)).status).toBe(401);
    expect(open.exchanged).toHaveLength(1);
  } finally {
    await open.close();
  }
});
