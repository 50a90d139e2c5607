import { as, basic, send, tokenOf, tokenRequest } from '../api.ts';

const client = { authorization: basic('client', 'secret') };
const CLERK = { grant_type: 'password', username: 'clerk', password: 'clerk' };

describe('where tokens are dealt with (contract/tokens.md#endpoints, contract/decisions.md#24)', () => {
  test.each([
    '/oauth/check_token',
    '/oauth/token_key',
    '/oauth/authorize',
    '/oauth/confirm_access',
    '/oauth/introspect',
    '/oauth2/register',
  ])('%s is nowhere', async (path) => {
    for (const method of ['GET', 'POST']) {
      const response = await send(method, path, { headers: client });
      expect([response.status, Object.keys(response.json())]).toEqual([404, ['error', 'error_description']]);
    }
  });

  // Asserts contract/tokens.md#endpoints.
  test.each(['/rest/oauth/token', '/rest/oauth2/token', '/rest/logout'])('%s is no path of the API', async (path) => {
    expect((await tokenRequest(path, CLERK)).status).toBe(401);
    expect((await as('clerk', 'POST', path.slice('/rest'.length))).status).toBe(404);
  });

  // Asserts contract/tokens.md#endpoints.
  test.each(['openid-configuration', 'oauth-authorization-server'])('/.well-known/%s describes all', async (name) => {
    const metadata = (await send('GET', `/.well-known/${name}`)).json();
    const { issuer } = metadata;
    expect(metadata).toMatchObject({
      authorization_endpoint: `${issuer}/oauth2/authorize`,
      token_endpoint: `${issuer}/oauth2/token`,
      revocation_endpoint: `${issuer}/oauth2/revoke`,
      introspection_endpoint: `${issuer}/oauth2/introspect`,
      jwks_uri: `${issuer}/oauth2/jwks`,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
      code_challenge_methods_supported: ['S256'],
    });
    expect(metadata.grant_types_supported).toEqual(
      expect.arrayContaining(['authorization_code', 'client_credentials', 'password', 'refresh_token']),
    );
  });

  // Asserts contract/tokens.md#discovery.
  test('/.well-known/oauth-protected-resource describes the API', async () => {
    const metadata = (await send('GET', '/.well-known/oauth-protected-resource')).json();
    expect(metadata).toMatchObject({ authorization_servers: [metadata.resource], scopes_supported: ['rest-api'] });
  });

  // Asserts contract/tokens.md#endpoints.
  test('the keys are public ones', async () => {
    const { keys } = (await send('GET', '/oauth2/jwks')).json();
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  // Asserts contract/tokens.md#endpoints.
  test('an authorization request without a known client gets a page, not a redirect', async () => {
    const response = await send('GET', '/oauth2/authorize?client_id=nobody&redirect_uri=https://evil.example/');
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  });
});

describe('across origins (contract/conventions.md#cors)', () => {
  const origin = 'https://app.example';

  test.each(['/oauth/token', '/oauth2/token', '/oauth/revoke'])('a preflight on %s returns 200', async (path) => {
    const headers = { origin, 'access-control-request-method': 'POST' };
    const response = await send('OPTIONS', path, { headers });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  });

  // Asserts contract/conventions.md#cors.
  test('a token is given', async () => {
    const response = await tokenRequest('/oauth/token', CLERK, { ...client, origin });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  });

  // Asserts contract/tokens.md#response.
  test('its response has the type that clients compare with, to the letter', async () => {
    const response = await tokenRequest('/oauth/token', CLERK, { ...client, accept: 'application/json;charset=UTF-8' });
    expect(response.headers.get('content-type')).toBe('application/json;charset=UTF-8');
  });

  // Asserts contract/conventions.md#cors.
  test('OPTIONS of an entity that is no preflight returns 200 with a token', async () => {
    const response = await as('clerk', 'OPTIONS', '/entities/sales_Order', { headers: { origin } });
    expect(response.status).toBe(200);
  });
});

describe('a token in the URL (contract/tokens.md#token-location)', () => {
  const parameter = async () => `access_token=${await tokenOf('clerk')}`;

  test('counts with any method', async () => {
    const path = `/rest/entities/sales_Order/search?${await parameter()}`;
    expect((await send('POST', path, { body: { filter: { conditions: [] }, limit: 1 } })).status).toBe(200);
    expect((await send('PUT', `/rest/user-session/locale?${await parameter()}`)).status).toBe(422);
    expect((await send('HEAD', `/rest/userInfo?${await parameter()}`)).status).toBe(200);
  });

  // Asserts contract/tokens.md#token-location.
  test('counts for queries and files, which do not see it', async () => {
    const list = await send('GET', `/rest/queries/sales_Order/all?limit=1&${await parameter()}`);
    expect([list.status, list.json().length]).toEqual([200, 1]);
    expect((await send('GET', `/rest/files?fileRef=fs%3A%2F%2Fnone&${await parameter()}`)).status).not.toBe(401);
  });

  // Asserts contract/tokens.md#token-location.
  test('counts for no GET of a service method (contract/decisions.md#37)', async () => {
    const response = await send('GET', `/rest/services/sales_OrderService/any?${await parameter()}`);
    expect([response.status, response.json().error]).toEqual([401, 'unauthorized']);
  });

  // Asserts contract/tokens.md#token-location.
  test('is not looked for in forms: the body belongs to the service', async () => {
    const body = new URLSearchParams(await parameter());
    const response = await send('POST', '/rest/userInfo', { body });
    expect([response.status, response.json().error]).toEqual([401, 'unauthorized']);
  });

  // Asserts contract/tokens.md#token-location.
  test('gives way to the header, and is none where it is empty', async () => {
    const headers = { authorization: `Bearer ${await tokenOf('manager')}` };
    const info = await send('GET', `/rest/userInfo?${await parameter()}`, { headers });
    expect(info.json().username).toBe('manager');
    expect((await send('GET', '/rest/userInfo?access_token=')).json().error).toBe('unauthorized');
    expect((await send('GET', '/rest/userInfo?access_token=garbage')).json().error).toBe('invalid_token');
  });
});
