import type { Settled } from '@lintel/testkit';
import { type RunningGateway, startGateway } from '../../test/gateway-fixture.ts';
import { createCors } from './cors.ts';

const DEFAULTS = { allowedMethods: ['*'], allowedHeaders: ['*'], exposedHeaders: [] };

let gateway: RunningGateway;
const start = async (properties: Settled) => {
  gateway = await startGateway(properties);
};
afterEach(() => gateway.close());

const call = (path: string, headers: Record<string, string>, method = 'GET') =>
  fetch(gateway.url + path, { method, headers });

const PREFLIGHT = {
  origin: 'https://shop.test',
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization, content-type',
};

// Asserts contract/controllers.md#controllers, contract/conventions.md#cors.
test('by default every origin is allowed and a preflight needs no token, also on the token endpoint', async () => {
  await start({});
  for (const path of ['/rest/entities/sales_Order', '/oauth/token', '/oauth2/token']) {
    const response = await call(path, PREFLIGHT, 'OPTIONS');
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toBe('POST');
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization, content-type');
  }
  expect(gateway.upstreams.auth.seen).toHaveLength(0);
  const actual = await call('/rest/userInfo', { origin: 'https://shop.test', authorization: 'Bearer opaque-clerk' });
  expect([actual.status, actual.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
});

// Asserts contract/conventions.md#cors, contract/reading.md#count.
test('a 401 can be read across origins, with the headers that clients need', async () => {
  await start({});
  const response = await call('/rest/userInfo', { origin: 'https://shop.test' });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, '*']);
  const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
  expect(exposed).toEqual(
    expect.arrayContaining([
      ...['ETag', 'Link', 'Location', 'X-Total-Count', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Server-Timing'],
      ...['Accept-Patch', 'Preference-Applied', 'X-Error-Code', 'X-Needed-Policy'],
      ...['Upload-Offset', 'Upload-Length', 'Upload-Metadata', 'Upload-Expires', 'Tus-Resumable', 'Tus-Version'],
    ]),
  );
});

// Asserts contract/controllers.md#controllers, contract/conventions.md#cors, contract/reading.md#count.
test('a request of a foreign origin returns 403 with any method, with a valid token too; one of the own or of no origin is accepted', async () => {
  await start({ 'svc.cors.allowed-origins': 'https://shop.test', 'svc.cors.exposed-headers': 'X-Total-Count,ETag' });
  const token = { authorization: 'Bearer opaque-clerk' };
  const foreign = await call('/rest/userInfo', { ...token, origin: 'https://evil.test' });
  expect(foreign.status).toBe(403);
  expect(await foreign.json()).toEqual({ error: 'Forbidden', details: 'Invalid CORS request' });
  expect((await call('/rest/userInfo', { ...PREFLIGHT, origin: 'https://evil.test' }, 'OPTIONS')).status).toBe(403);
  expect((await call('/oauth/token', { origin: 'https://evil.test' }, 'POST')).status).toBe(403);
  expect(gateway.upstreams.data.seen).toHaveLength(0);
  const allowed = await call('/rest/userInfo', { ...token, origin: 'https://shop.test' });
  expect(allowed.status).toBe(200);
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://shop.test');
  expect(allowed.headers.get('access-control-expose-headers')).toBe('X-Total-Count, ETag');
  expect(allowed.headers.get('vary')).toBe('Origin');
  expect((await call('/rest/userInfo', { ...token, origin: gateway.url })).status).toBe(200);
  expect((await call('/rest/userInfo', token)).status).toBe(200);
});

// Asserts contract/conventions.md#cors.
test('methods and headers that are not listed are refused', async () => {
  await start({ 'svc.cors.allowed-methods': 'GET', 'svc.cors.allowed-headers': 'authorization' });
  const origin = 'https://shop.test';
  expect((await call('/rest/userInfo', PREFLIGHT, 'OPTIONS')).status).toBe(403);
  const allowed = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'Authorization' };
  expect((await call('/rest/userInfo', allowed, 'OPTIONS')).status).toBe(200);
  expect(
    (await call('/rest/userInfo', { ...allowed, 'access-control-request-headers': 'x-other' }, 'OPTIONS')).status,
  ).toBe(403);
});

// Asserts contract/conventions.md#cors.
test('an OPTIONS that is no preflight goes to the service like any request', async () => {
  await start({});
  expect((await call('/rest/userInfo', { origin: 'https://shop.test' }, 'OPTIONS')).status).toBe(401);
  expect(
    (await call('/rest/userInfo', { origin: 'https://shop.test', authorization: 'Bearer opaque-a' }, 'OPTIONS')).status,
  ).toBe(200);
  expect(gateway.upstreams.data.seen[0]?.method).toBe('OPTIONS');
});

// Asserts contract/controllers.md#controllers, contract/conventions.md#cors.
test('rules apply to the URL patterns that are configured, and to no other path', async () => {
  await start({
    'svc.cors.url-patterns': '/rest/public/**, /oauth/*',
    'svc.cors.allowed-origins': 'https://shop.test',
  });
  const foreign = { origin: 'https://evil.test' };
  expect((await call('/rest/public/x', foreign)).status).toBe(403);
  expect((await call('/oauth/token', foreign, 'POST')).status).toBe(403);
  const other = await call('/rest/userInfo', { ...foreign, authorization: 'Bearer opaque-clerk' });
  expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([200, null]);
});

// Asserts contract/conventions.md#cors.
test('credentials are allowed to named origins only, and a preflight may be kept for half an hour', async () => {
  await start({
    'svc.cors.allow-credentials': 'true',
    'svc.cors.allowed-origins': 'https://shop.test/',
  });
  const response = await call('/rest/userInfo', PREFLIGHT, 'OPTIONS');
  expect(response.headers.get('access-control-allow-credentials')).toBe('true');
  expect(response.headers.get('access-control-allow-origin')).toBe('https://shop.test');
  expect(response.headers.get('access-control-max-age')).toBe('1800');
  const config = { allowCredentials: true, allowedOrigins: ['*'], urlPatterns: ['/**'] };
  expect(() =>
    createCors({ ...DEFAULTS, ...config }, () => ({ address: '', for: '', proto: 'http', host: '' })),
  ).toThrow('svc.cors.allow-credentials needs svc.cors.allowed-origins to name the origins');
});

test('a refusal for its size can be read across origins', async () => {
  await start({ maxUrlLength: 100 });
  const response = await call(`/rest/x?${'a'.repeat(200)}`, { origin: 'https://shop.test' });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([414, '*']);
});
