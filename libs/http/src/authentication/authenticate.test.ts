import { type AccessClaims, AUDIENCE_REST, createUrlMatcher, type Session } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createLogger } from '@lintel/telemetry';
import { bearerToken } from '../requests/context/bearer-token.ts';
import { contextOf } from '../requests/context/request-context.ts';
import { sendJson } from '../responses/send-error.ts';
import { listen, type RunningServer } from '../server/listen.ts';
import { createServiceApp } from '../server/service-app.ts';
import { authenticate } from './authenticate.ts';

const sessions: Readonly<Record<string, Session>> = Object.fromEntries(
  ['clerk', 'anonymous'].map((username) => [
    `s-${username}`,
    {
      id: `s-${username}`,
      username,
      userId: null,
      clientId: 'client',
      kind: username === 'anonymous' ? 'anonymous' : 'user',
      resourceRoles: ['rest-minimal'],
      rowLevelRoles: [],
      locale: 'de',
      acr: 'urn:lintel:acr:1fa',
      authTime: 1,
      attributes: { country: 'DE' },
      createdAt: '2026-11-21T00:00:00Z',
    },
  ]),
);

let server: RunningServer;
beforeAll(async () => {
  const app = createServiceApp({
    service: 'test',
    internalSecret: undefined,
    logger: createLogger({ service: 'test', level: 'silent' }),
    readiness: {},
    configure(app) {
      app.use(
        authenticate({
          audience: AUDIENCE_REST,
          scope: 'rest-api',
          isAnonymousUrl: createUrlMatcher(['/rest/public/**']),
          async loadSession(id) {
            if (id === 's-away') throw new PlatformError('DATA_UNAVAILABLE', 'The session store does not respond');
            return sessions[id];
          },
          verifier: {
            async verify(token) {
              if (token === 'expired') throw new PlatformError('AUTH_INVALID_TOKEN', 'Access token expired');
              const [sub = '', sid = `s-${sub}`, scope = 'openid rest-api'] = token.split('/');
              return {
                sub,
                sid,
                scope,
                act: { sub: 'reports' },
                acr: 'urn:lintel:acr:2fa',
                auth_time: 7,
              } as AccessClaims;
            },
          },
        }),
      );
      app.get('/{*path}', (request, response) => {
        const { principal, acceptLanguage, traceId } = contextOf(request, response);
        sendJson(response, 200, { principal, acceptLanguage, traceId });
      });
    },
  });
  server = await listen(app, { host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());

const get = (path: string, authorization?: string) =>
  fetch(server.url + path, {
    headers: { 'accept-language': 'de', ...(authorization === undefined ? {} : { authorization }) },
  });
const errorOf = async (path: string, authorization?: string) => {
  const response = await get(path, authorization);
  return [response.status, await response.json()];
};
const UNAUTHORIZED = [
  401,
  { error: 'unauthorized', error_description: 'Full authentication is required to access this resource' },
];
const INVALID = [401, { error: 'invalid_token', error_description: 'Invalid access token' }];

test('the principal holds the session of the token and the acting service', async () => {
  const response = (await (await get('/rest/x', 'bEaReR clerk')).json()) as Record<string, unknown>;
  expect(response).toMatchObject({
    acceptLanguage: 'de',
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    principal: {
      username: 'clerk',
      sessionId: 's-clerk',
      resourceRoles: ['rest-minimal'],
      locale: 'de',
      actingService: 'reports',
    },
  });
});

// Asserts contract/tokens.md#external-tokens.
test('how the user was authenticated is what the token says, not its session', async () => {
  const { principal } = (await (await get('/rest/x', 'Bearer clerk')).json()) as { principal: object };
  expect(principal).toMatchObject({ acr: 'urn:lintel:acr:2fa', authTime: 7 });
});

test('no token, another scheme and an access_token parameter return 401 unauthorized', async () => {
  expect(await errorOf('/rest/x')).toEqual(UNAUTHORIZED);
  expect(await errorOf('/rest/x?access_token=clerk')).toEqual(UNAUTHORIZED);
  expect(await errorOf('/rest/x', 'Basic clerk')).toEqual(UNAUTHORIZED);
  expect(await errorOf('/rest/x', 'Bearer ')).toEqual(UNAUTHORIZED);
});

// Asserts contract/tokens.md#invalidation.
test('an ended session, or one of another user, returns 401 invalid_token', async () => {
  expect(await errorOf('/rest/x', 'Bearer clerk/s-gone')).toEqual(INVALID);
  expect(await errorOf('/rest/x', 'Bearer manager/s-clerk')).toEqual(INVALID);
  expect(await errorOf('/rest/public/x', 'Bearer clerk/s-gone')).toEqual(INVALID);
});

// Asserts contract/tokens.md#guessing.
test('a token without the scope of the API returns 403 insufficient_scope', async () => {
  for (const scope of ['openid', '', 'rest-api-2']) {
    const response = await get('/rest/x', `Bearer clerk/s-clerk/${scope}`);
    expect([response.status, await response.json(), response.headers.get('www-authenticate')]).toEqual([
      403,
      { error: 'insufficient_scope', error_description: 'The access token needs the scope rest-api' },
      'Bearer realm="oauth2-resource", error="insufficient_scope", error_description="The access token needs the scope rest-api", scope="rest-api"',
    ]);
  }
  expect((await get('/rest/x', 'Bearer clerk/s-clerk/rest-api')).status).toBe(200);
  expect((await get('/rest/public/x', 'Bearer anonymous/s-anonymous/')).status).toBe(200);
});

test('a session that cannot be looked up now returns 503 in the shape of the API, and says when to come again', async () => {
  const response = await get('/rest/x', 'Bearer clerk/s-away');
  expect([response.status, await response.json(), response.headers.get('retry-after')]).toEqual([
    503,
    { error: 'Service unavailable', details: 'The session store does not respond' },
    '1',
  ]);
});

// Asserts contract/tokens.md#unauthorized.
test('the header repeats error and description after the realm', async () => {
  const response = await get('/rest/x', 'Bearer expired');
  expect(response.headers.get('www-authenticate')).toBe(
    'Bearer realm="oauth2-resource", error="invalid_token", error_description="Access token expired"',
  );
});

// Asserts contract/tokens.md#anonymous.
test('the anonymous user passes on listed URLs only', async () => {
  expect((await get('/rest/public/x?y=1', 'Bearer anonymous')).status).toBe(200);
  expect(await errorOf('/rest/x', 'Bearer anonymous')).toEqual(UNAUTHORIZED);
  expect(await errorOf('/rest/publicx', 'Bearer anonymous')).toEqual(UNAUTHORIZED);
});

// Asserts contract/tokens.md#token-location.
test.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc ', 'abc'],
  ['BEARER abc, Basic x', 'abc'],
  ['Bearer', undefined],
  ['Bearer a b', undefined],
  ['Basic abc', undefined],
  ['Bearerabc', undefined],
  [undefined, undefined],
])('the header %j holds the token %j', (header, token) => {
  expect(bearerToken(header)).toBe(token);
});
