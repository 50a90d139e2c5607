import { as, basic, send, tokenRequest } from './api.ts';

const password = { grant_type: 'password', username: 'clerk', password: 'clerk' };

describe('POST /oauth/token, password (specification 2.5, contract security §1.2)', () => {
  test('answers the six members of the specification', async () => {
    const answer = await tokenRequest('/oauth/token', password);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]{20,}$/),
      token_type: 'bearer',
      refresh_token: expect.stringMatching(/^[\w-]{20,}$/),
      expires_in: expect.any(Number),
      scope: 'rest-api',
      'OAuth2.SESSION_ID': expect.stringMatching(/^[0-9A-F]{32}$/),
    });
    // 43199, or a little less where the answer took its time.
    expect(answer.json().expires_in).toBeCloseTo(43_194.5, -1);
  });

  test('answers the same at /oauth2/token (decisions 24, 45)', async () => {
    const answer = await tokenRequest('/oauth2/token', password);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ token_type: 'bearer', 'OAuth2.SESSION_ID': expect.any(String) });
  });

  test('gives a new pair for every login, and both work', async () => {
    const [first, second] = [
      await tokenRequest('/oauth/token', password),
      await tokenRequest('/oauth/token', password),
    ];
    expect(first.json().access_token).not.toBe(second.json().access_token);
    for (const answer of [first, second]) {
      const info = await send('GET', '/rest/userInfo', {
        headers: { authorization: `Bearer ${answer.json().access_token}` },
      });
      expect(info.status).toBe(200);
    }
  });

  test.each([
    ['wrong password', { ...password, password: 'wrong' }],
    ['unknown user', { ...password, username: 'no-such-user' }],
    ['missing password', { grant_type: 'password', username: 'clerk' }],
    ['a user without a password', { ...password, username: 'anonymous', password: '' }],
  ])('%s: 400 invalid_grant', async (_case, form) => {
    const answer = await tokenRequest('/oauth/token', form);
    expect(answer.status).toBe(400);
    expect(answer.json()).toEqual({ error: 'invalid_grant', error_description: 'Bad credentials' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('a missing grant type: 400 invalid_request', async () => {
    const answer = await tokenRequest('/oauth/token', { username: 'clerk' });
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'Missing grant type' },
    ]);
  });

  test('an unknown grant type: 400 unsupported_grant_type', async () => {
    const answer = await tokenRequest('/oauth/token', { grant_type: 'magic' });
    expect([answer.status, answer.json().error]).toEqual([400, 'unsupported_grant_type']);
  });

  test.each([
    ['no client', {}],
    ['an unknown client', { authorization: basic('nobody', 'secret') }],
    ['a wrong secret', { authorization: basic('client', 'wrong') }],
    ['a malformed header', { authorization: 'Basic !!!' }],
  ] as const)('%s: 401 invalid_client (decision 41)', async (_case, headers) => {
    const answer = await tokenRequest('/oauth/token', password, headers);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="oauth2/client"');
    expect(answer.json()).toEqual({ error: 'invalid_client', error_description: expect.any(String) });
  });

  test('GET: 405 with Allow', async () => {
    const answer = await send('GET', '/oauth/token', { headers: { authorization: basic('client', 'secret') } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('refresh (contract security §1.2.5, decision 42)', () => {
  test('answers the same refresh token and a new access token; the old access token dies', async () => {
    const login = (await tokenRequest('/oauth/token', password)).json();
    const answer = await tokenRequest('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: login.refresh_token,
    });
    expect(answer.status).toBe(200);
    const fresh = answer.json();
    expect(fresh).toMatchObject({ token_type: 'bearer', refresh_token: login.refresh_token, scope: 'rest-api' });
    expect(fresh.access_token).not.toBe(login.access_token);
    const info = (token: string) => send('GET', '/rest/userInfo', { headers: { authorization: `Bearer ${token}` } });
    expect((await info(fresh.access_token)).status).toBe(200);
    expect((await info(login.access_token)).status).toBe(401);
  });

  test('an unknown refresh token: 400 invalid_grant', async () => {
    const answer = await tokenRequest('/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x'.repeat(30) });
    expect([answer.status, answer.json().error]).toEqual([400, 'invalid_grant']);
  });

  test('a missing refresh token: 400 invalid_request', async () => {
    const answer = await tokenRequest('/oauth/token', { grant_type: 'refresh_token' });
    expect([answer.status, answer.json().error]).toEqual([400, 'invalid_request']);
  });
});

describe('POST /oauth2/token, client credentials (specification 2.5)', () => {
  const integration = { authorization: basic('integration', 'secret') };

  test('answers exactly three members, and the token acts as the client', async () => {
    const answer = await tokenRequest('/oauth2/token', { grant_type: 'client_credentials' }, integration);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: expect.any(Number),
    });
    const headers = { authorization: `Bearer ${answer.json().access_token}` };
    const info = await send('GET', '/rest/userInfo', { headers });
    expect(info.json()).toMatchObject({ username: 'integration', attributes: {} });
    expect((await send('GET', '/rest/entities/sales_Order?limit=1', { headers })).status).toBe(200);
  });

  test('a client without the grant: 400 unauthorized_client', async () => {
    const answer = await tokenRequest('/oauth2/token', { grant_type: 'client_credentials' });
    expect([answer.status, answer.json().error]).toEqual([400, 'unauthorized_client']);
  });
});

describe('revocation (contract security §§1.2.6, 1.3.4)', () => {
  test('a revoked access token is refused at once', async () => {
    const login = (await tokenRequest('/oauth/token', password)).json();
    const headers = { authorization: `Bearer ${login.access_token}` };
    expect((await send('GET', '/rest/userInfo', { headers })).status).toBe(200);
    const revoked = await tokenRequest('/oauth/revoke', { token: login.access_token });
    expect([revoked.status, revoked.text]).toEqual([200, '']);
    const deadline = Date.now() + 1000;
    let status = 200;
    while (status === 200 && Date.now() < deadline) status = (await send('GET', '/rest/userInfo', { headers })).status;
    expect(status).toBe(401);
  });

  test('without client authentication: 401, and the token still works', async () => {
    const login = (await tokenRequest('/oauth/token', password)).json();
    expect((await tokenRequest('/oauth/revoke', { token: login.access_token }, {})).status).toBe(401);
    const headers = { authorization: `Bearer ${login.access_token}` };
    expect((await send('GET', '/rest/userInfo', { headers })).status).toBe(200);
  });
});

describe('bearer tokens (specification 5.5, 7; contract security §2)', () => {
  const unauthorized = 'Full authentication is required to access this resource';

  test.each(['/rest/entities/sales_Order', '/rest/userInfo', '/rest/no/such/path', '/rest/permissions'])(
    'no token on %s: 401 unauthorized',
    async (path) => {
      const answer = await send('GET', path);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer realm="oauth2-resource", error="unauthorized", error_description="${unauthorized}"`,
      );
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.json()).toEqual({ error: 'unauthorized', error_description: unauthorized });
    },
  );

  test('another scheme counts as no token', async () => {
    const answer = await send('GET', '/rest/userInfo', { headers: { authorization: basic('clerk', 'clerk') } });
    expect([answer.status, answer.json().error]).toEqual([401, 'unauthorized']);
  });

  test('a garbage token: 401 invalid_token', async () => {
    const answer = await send('GET', '/rest/userInfo', { headers: { authorization: 'Bearer garbage' } });
    expect(answer.status).toBe(401);
    expect(answer.json()).toEqual({ error: 'invalid_token', error_description: 'Invalid access token' });
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="oauth2-resource", error="invalid_token", error_description="Invalid access token"',
    );
  });

  test('the token may be sent as the parameter access_token', async () => {
    const token = (await tokenRequest('/oauth/token', password)).json().access_token;
    const answer = await send('GET', `/rest/entities/sales_Order?limit=1&access_token=${token}`);
    expect([answer.status, answer.json()]).toEqual([200, [expect.any(Object)]]);
  });

  test('the scheme is not case-sensitive', async () => {
    const token = (await tokenRequest('/oauth/token', password)).json().access_token;
    expect((await send('GET', '/rest/userInfo', { headers: { authorization: `bearer ${token}` } })).status).toBe(200);
  });

  test('an unknown path with a token: 404 with error and details', async () => {
    const answer = await as('admin', 'GET', '/no/such/path');
    expect(answer.status).toBe(404);
    expect(Object.keys(answer.json()).sort()).toEqual(['details', 'error']);
  });
});

describe('anonymous URLs (specification 5.8, contract security §2.3–2.4)', () => {
  test('an open URL is read as the user anonymous', async () => {
    const answer = await send('GET', '/rest/entities/sales_Product?limit=2');
    expect(answer.status).toBe(200);
    expect(answer.json()).toHaveLength(2);
  });

  test('a bad token on an open URL is refused', async () => {
    const answer = await send('GET', '/rest/entities/sales_Product', { headers: { authorization: 'Bearer garbage' } });
    expect(answer.status).toBe(401);
  });

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

  test('a deeper path than the pattern is closed', async () => {
    expect((await send('GET', '/rest/entities/sales_Product/x/y')).status).toBe(401);
  });
});
