import { as, basic, send, tokenRequest, withinASecond } from '../api.ts';

const password = { grant_type: 'password', username: 'clerk', password: 'clerk' };

describe('POST /oauth/token, password (contract/tokens.md#response, #password)', () => {
  // Asserts contract/tokens.md#endpoints, contract/tokens.md#settings.
  test('returns the six members of the contract', async () => {
    const response = await tokenRequest('/oauth/token', password);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('pragma')).toBe('no-cache');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]{20,}$/),
      token_type: 'bearer',
      refresh_token: expect.stringMatching(/^[\w-]{20,}$/),
      expires_in: expect.any(Number),
      scope: 'rest-api',
      'OAuth2.SESSION_ID': expect.stringMatching(/^[0-9A-F]{32}$/),
    });
    // 43199, or up to a minute less where the response took its time.
    expect(response.json().expires_in).toBeCloseTo(43_150, -2);
  });

  // Asserts contract/decisions.md#45, contract/tokens.md#endpoints, contract/tokens.md#oauth2-response.
  test('returns the same at /oauth2/token (contract/decisions.md#24, #45)', async () => {
    const response = await tokenRequest('/oauth2/token', password);
    expect(response.status).toBe(200);
    expect(response.json()).toMatchObject({ token_type: 'bearer', 'OAuth2.SESSION_ID': expect.any(String) });
  });

  // Asserts contract/tokens.md#response.
  test('gives a new pair for every login, and both work', async () => {
    const [first, second] = [
      await tokenRequest('/oauth/token', password),
      await tokenRequest('/oauth/token', password),
    ];
    expect(first.json().access_token).not.toBe(second.json().access_token);
    for (const response of [first, second]) {
      const info = await send('GET', '/rest/userInfo', {
        headers: { authorization: `Bearer ${response.json().access_token}` },
      });
      expect(info.status).toBe(200);
    }
  });

  // Asserts contract/tokens.md#oauth-errors.
  test.each([
    ['wrong password', { ...password, password: 'wrong' }],
    ['unknown user', { ...password, username: 'no-such-user' }],
    ['missing password', { grant_type: 'password', username: 'clerk' }],
    ['a user without a password', { ...password, username: 'anonymous', password: '' }],
  ])('%s: 400 invalid_grant', async (_case, form) => {
    const response = await tokenRequest('/oauth/token', form);
    expect(response.status).toBe(400);
    expect(response.json()).toEqual({ error: 'invalid_grant', error_description: 'Bad credentials' });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  // Asserts contract/tokens.md#oauth-errors.
  test('a missing grant type: 400 invalid_request', async () => {
    const response = await tokenRequest('/oauth/token', { username: 'clerk' });
    expect([response.status, response.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'Missing grant type' },
    ]);
  });

  // Asserts contract/tokens.md#oauth-errors.
  test('an unknown grant type: 400 unsupported_grant_type', async () => {
    const response = await tokenRequest('/oauth/token', { grant_type: 'magic' });
    expect([response.status, response.json().error]).toEqual([400, 'unsupported_grant_type']);
  });

  // Asserts contract/decisions.md#41, contract/tokens.md#oauth-errors.
  test.each([
    ['no client', {}],
    ['an unknown client', { authorization: basic('nobody', 'secret') }],
    ['a wrong secret', { authorization: basic('client', 'wrong') }],
    ['a malformed header', { authorization: 'Basic !!!' }],
  ] as const)('%s: 401 invalid_client (contract/decisions.md#41)', async (_case, headers) => {
    const response = await tokenRequest('/oauth/token', password, headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="oauth2/client"');
    expect(response.json()).toEqual({ error: 'invalid_client', error_description: expect.any(String) });
  });

  // Asserts contract/tokens.md#endpoints, contract/tokens.md#oauth-errors.
  test('GET: 405 with Allow', async () => {
    const response = await send('GET', '/oauth/token', { headers: { authorization: basic('client', 'secret') } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
  });
});

describe('refresh (contract/tokens.md#refresh, contract/decisions.md#42)', () => {
  test('returns the same refresh token and a new access token; the old access token dies', async () => {
    const login = (await tokenRequest('/oauth/token', password)).json();
    const response = await tokenRequest('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: login.refresh_token,
    });
    expect(response.status).toBe(200);
    const fresh = response.json();
    expect(fresh).toMatchObject({ token_type: 'bearer', refresh_token: login.refresh_token, scope: 'rest-api' });
    expect(fresh.access_token).not.toBe(login.access_token);
    const info = (token: string) => send('GET', '/rest/userInfo', { headers: { authorization: `Bearer ${token}` } });
    expect((await info(fresh.access_token)).status).toBe(200);
    expect((await info(login.access_token)).status).toBe(401);
  });

  test('an unknown refresh token: 400 invalid_grant', async () => {
    const response = await tokenRequest('/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x'.repeat(30) });
    expect([response.status, response.json().error]).toEqual([400, 'invalid_grant']);
  });

  test('a missing refresh token: 400 invalid_request', async () => {
    const response = await tokenRequest('/oauth/token', { grant_type: 'refresh_token' });
    expect([response.status, response.json().error]).toEqual([400, 'invalid_request']);
  });
});

describe('POST /oauth2/token, client credentials (contract/tokens.md#response)', () => {
  const integration = { authorization: basic('integration', 'secret') };

  // Asserts contract/decisions.md#45, contract/roles.md#predefined, contract/tokens.md#clients,
  // contract/tokens.md#oauth2-response.
  test('returns exactly three members, and the token acts as the client', async () => {
    const response = await tokenRequest('/oauth2/token', { grant_type: 'client_credentials' }, integration);
    expect(response.status).toBe(200);
    expect(response.json()).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: expect.any(Number),
    });
    const headers = { authorization: `Bearer ${response.json().access_token}` };
    const info = await send('GET', '/rest/userInfo', { headers });
    expect(info.json()).toMatchObject({ username: 'integration', attributes: {} });
    expect((await send('GET', '/rest/entities/sales_Order?limit=1', { headers })).status).toBe(200);
  });

  // Asserts contract/tokens.md#oauth2-errors.
  test('a client without the grant: 400 unauthorized_client', async () => {
    const response = await tokenRequest('/oauth2/token', { grant_type: 'client_credentials' });
    expect([response.status, response.json().error]).toEqual([400, 'unauthorized_client']);
  });
});

describe('revocation (contract/tokens.md#revoke, #oauth2-revoke)', () => {
  test('a revoked access token is refused at once', async () => {
    const login = (await tokenRequest('/oauth/token', password)).json();
    const headers = { authorization: `Bearer ${login.access_token}` };
    expect((await send('GET', '/rest/userInfo', { headers })).status).toBe(200);
    const revoked = await tokenRequest('/oauth/revoke', { token: login.access_token });
    expect([revoked.status, revoked.text]).toEqual([200, '']);
    const { status } = await withinASecond(
      () => send('GET', '/rest/userInfo', { headers }),
      (response) => response.status !== 200,
    );
    expect(status).toBe(401);
  });

  // Asserts contract/decisions.md#41, contract/tokens.md#revoke.
  test('without client authentication: 401, and the token still works', async () => {
    const login = (await tokenRequest('/oauth/token', password)).json();
    expect((await tokenRequest('/oauth/revoke', { token: login.access_token }, {})).status).toBe(401);
    const headers = { authorization: `Bearer ${login.access_token}` };
    expect((await send('GET', '/rest/userInfo', { headers })).status).toBe(200);
  });
});

describe('bearer tokens (contract/tokens.md#token-location, #unauthorized; contract/tokens.md#bearer)', () => {
  const unauthorized = 'Full authentication is required to access this resource';

  // Asserts contract/decisions.md#23, contract/decisions.md#38, contract/tokens.md#authentication,
  // contract/tokens.md#unauthorized, contract/tokens.md#url-patterns.
  test.each(['/rest/entities/sales_Order', '/rest/userInfo', '/rest/no/such/path', '/rest/permissions'])(
    'no token on %s: 401 unauthorized',
    async (path) => {
      const response = await send('GET', path);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer realm="oauth2-resource", error="unauthorized", error_description="${unauthorized}"`,
      );
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.json()).toEqual({ error: 'unauthorized', error_description: unauthorized });
    },
  );

  // Asserts contract/tokens.md#unauthorized.
  test('another scheme counts as no token', async () => {
    const response = await send('GET', '/rest/userInfo', { headers: { authorization: basic('clerk', 'clerk') } });
    expect([response.status, response.json().error]).toEqual([401, 'unauthorized']);
  });

  // Asserts contract/tokens.md#unauthorized.
  test('a garbage token: 401 invalid_token', async () => {
    const response = await send('GET', '/rest/userInfo', { headers: { authorization: 'Bearer garbage' } });
    expect(response.status).toBe(401);
    expect(response.json()).toEqual({ error: 'invalid_token', error_description: 'Invalid access token' });
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer realm="oauth2-resource", error="invalid_token", error_description="Invalid access token"',
    );
  });

  // Asserts contract/tokens.md#token-location.
  test('the token may be sent as the parameter access_token', async () => {
    const token = (await tokenRequest('/oauth/token', password)).json().access_token;
    const response = await send('GET', `/rest/entities/sales_Order?limit=1&access_token=${token}`);
    expect([response.status, response.json()]).toEqual([200, [expect.any(Object)]]);
  });

  // Asserts contract/tokens.md#token-location.
  test('the scheme is not case-sensitive', async () => {
    const token = (await tokenRequest('/oauth/token', password)).json().access_token;
    expect((await send('GET', '/rest/userInfo', { headers: { authorization: `bearer ${token}` } })).status).toBe(200);
  });

  // Asserts contract/tokens.md#unauthorized.
  test('an unknown path with a token: 404 with error and details', async () => {
    const response = await as('admin', 'GET', '/no/such/path');
    expect(response.status).toBe(404);
    expect(Object.keys(response.json()).sort()).toEqual(['details', 'error']);
  });
});

describe('anonymous URLs (contract/tokens.md#url-patterns, #anonymous)', () => {
  // Asserts contract/decisions.md#39, contract/roles.md#rest-enabled, contract/tokens.md#anonymous.
  test('an open URL is read as the user anonymous', async () => {
    const response = await send('GET', '/rest/entities/sales_Product?limit=2');
    expect(response.status).toBe(200);
    expect(response.json()).toHaveLength(2);
  });

  // Asserts contract/tokens.md#url-patterns.
  test('a bad token on an open URL is refused', async () => {
    const response = await send('GET', '/rest/entities/sales_Product', {
      headers: { authorization: 'Bearer garbage' },
    });
    expect(response.status).toBe(401);
  });

  // Asserts contract/tokens.md#anonymous.
  test('an open URL gives no rights that the user anonymous has not', async () => {
    const creating = await send('POST', '/rest/entities/sales_Product', { body: { name: 'x' } });
    expect([creating.status, creating.json()]).toEqual([
      403,
      { error: 'Creation forbidden', details: 'Creation of the sales_Product is forbidden' },
    ]);
    // The tags are of an entity that it may not read.
    const plan = encodeURIComponent(JSON.stringify({ entity: 'sales_Product', properties: ['name', 'tags'] }));
    const [product] = (await send('GET', `/rest/entities/sales_Product?limit=1&fetchPlan=${plan}`)).json();
    expect(Object.keys(product).sort()).toEqual(['_entityName', '_instanceName', 'id', 'name']);
  });

  // Asserts contract/tokens.md#anonymous.
  test('a deeper path than the pattern is closed', async () => {
    expect((await send('GET', '/rest/entities/sales_Product/x/y')).status).toBe(401);
  });
});
