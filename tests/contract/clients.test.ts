import { as, basic, send, tokenRequest, unique, withinASecond } from './api.ts';

interface CreatedClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly secrets: readonly { readonly id: string }[];
}

const SERVICE = { resourceRoles: ['rest-minimal'] };

async function create(client: object = {}): Promise<CreatedClient> {
  const response = await as('admin', 'POST', '/clients', { body: { clientId: unique('c'), ...SERVICE, ...client } });
  expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store']);
  return response.json();
}

const tokenOf = ({ clientId }: CreatedClient, secret: string) =>
  tokenRequest('/oauth2/token', { grant_type: 'client_credentials' }, { authorization: basic(clientId, secret) });
const userInfo = (token: string) => send('GET', '/rest/userInfo', { headers: { authorization: `Bearer ${token}` } });

describe('clients of the database (contract/clients.md#clients)', () => {
  test('are created with a secret, which later responses do not have, and use the API with their roles', async () => {
    const client = await create({ name: 'Billing' });
    const { access_token } = (await tokenOf(client, client.clientSecret)).json();
    expect((await userInfo(access_token)).json()).toMatchObject({ username: client.clientId });
    const read = await as('admin', 'GET', `/clients/${client.clientId}`);
    expect(read.json()).toEqual({
      clientId: client.clientId,
      source: 'database',
      name: 'Billing',
      authenticationMethods: ['client_secret_basic'],
      grantTypes: ['client_credentials'],
      redirectUris: [],
      postLogoutRedirectUris: [],
      requireAuthorizationConsent: true,
      ...SERVICE,
      rowLevelRoles: [],
      accessTokenFormat: 'reference',
      enabled: true,
      expiresAt: null,
      secrets: [{ ...client.secrets[0], expiresAt: null }],
      createdAt: expect.any(String),
      createdBy: 'admin',
      updatedAt: expect.any(String),
      updatedBy: 'admin',
    });
    const list = (await as('admin', 'GET', '/clients?limit=1000')).json();
    expect(list).toEqual(expect.arrayContaining([{ clientId: 'client', name: 'client', source: 'configuration' }]));
    expect(list).toContainEqual(read.json());
  });

  // Asserts contract/clients.md#clients.
  test('have two secrets while one replaces the other', async () => {
    const client = await create();
    const path = `/clients/${client.clientId}/secrets`;
    const second = await as('admin', 'POST', path);
    expect([second.status, second.json()]).toEqual([
      201,
      { id: expect.any(String), clientSecret: expect.any(String), expiresAt: null },
    ]);
    expect((await as('admin', 'POST', path)).status).toBe(400);
    expect((await as('admin', 'DELETE', `${path}/${client.secrets[0]?.id}`)).status).toBe(204);
    expect((await tokenOf(client, client.clientSecret)).status).toBe(401);
    expect((await tokenOf(client, second.json().clientSecret)).status).toBe(200);
  });

  // Asserts contract/clients.md#clients.
  test.each([
    ['disabled', 'PUT', { enabled: false }, 200],
    ['removed', 'DELETE', undefined, 204],
  ])(
    'that are %s get no token any more, and end within a second with their tokens',
    async (_case, method, body, status) => {
      const client = await create();
      const { access_token } = (await tokenOf(client, client.clientSecret)).json();
      expect((await userInfo(access_token)).status).toBe(200);
      expect((await as('admin', method, `/clients/${client.clientId}`, { body })).status).toBe(status);
      expect((await tokenOf(client, client.clientSecret)).status).toBe(401);
      const refused = await withinASecond(
        () => userInfo(access_token),
        (response) => response.status === 401,
      );
      expect(refused.status).toBe(401);
    },
  );

  test('are what a response acknowledges in the next request for a token', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const client = await create();
      const path = `/clients/${client.clientId}`;
      const { clientSecret } = (await as('admin', 'POST', `${path}/secrets`)).json();
      await as('admin', 'DELETE', `${path}/secrets/${client.secrets[0]?.id}`);
      for (const secret of [client.clientSecret, clientSecret]) statuses.push((await tokenOf(client, secret)).status);
      for (const enabled of [false, true]) {
        await as('admin', 'PUT', path, { body: { ...SERVICE, enabled } });
        statuses.push((await tokenOf(client, clientSecret)).status);
      }
      await as('admin', 'DELETE', path);
      statuses.push((await tokenOf(client, clientSecret)).status);
    }
    expect(statuses).toEqual(Array.from({ length: 5 }, () => [401, 200, 401, 200, 401]).flat());
  });

  test('get the same tokens for refreshes with one rotated token (contract/decisions.md#86)', async () => {
    const { clientId, clientSecret } = await create({
      grantTypes: ['password', 'refresh_token'],
      reuseRefreshTokens: false,
    });
    const post = (form: Record<string, string>) =>
      tokenRequest('/oauth2/token', form, { authorization: basic(clientId, clientSecret) });
    const login = (await post({ grant_type: 'password', username: 'admin', password: 'admin' })).json();
    const refresh = () => post({ grant_type: 'refresh_token', refresh_token: login.refresh_token });
    const responses = await Promise.all(Array.from({ length: 6 }, refresh));
    responses.push(await refresh());
    const tokens = responses.map((response) => ({ ...response.json(), expires_in: 0 }));
    for (const token of tokens) expect(token).toEqual(tokens[0]);
    expect(tokens[0].refresh_token).not.toBe(login.refresh_token);
    expect((await userInfo(tokens[0].access_token)).status).toBe(200);
  });

  // Asserts contract/clients.md#clients.
  test.each([
    ['POST', '', { redirectUris: ['http://evil.example'] }, 400, /^redirectUris\.0: /],
    ['POST', '', { clientId: 'admin' }, 400, /^clientId: /],
    ['POST', '', { clientId: 'client' }, 409, /^clientId: there is a client client$/],
    ['POST', '', [], 400, /./],
    ['POST', '', '{', 400, /./],
    ['POST', '', `${'{"a":'.repeat(21)}1${'}'.repeat(21)}`, 400, /more than 20 levels/],
    ['PUT', '/client', { enabled: false }, 403, /part of the configuration/],
    ['DELETE', '/client', undefined, 403, /part of the configuration/],
    ['GET', '/none', undefined, 404, /There is no such client/],
    ['GET', '/a%00b', undefined, 404, /There is no such client/],
    ['GET', '?limit=0', undefined, 400, /^limit /],
  ])('%s /clients%s with %j is %s', async (method, path, body, status, details) => {
    const response = await as('admin', method, `/clients${path}`, body === undefined ? {} : { body });
    expect([response.status, response.json().details]).toEqual([status, expect.stringMatching(details)]);
  });

  // Asserts contract/clients.md#clients.
  test('with members of thousands of levels, or longer than the service accepts, are refused', async () => {
    const deep = `{"jwks":${'['.repeat(15_000)}${']'.repeat(15_000)}}`;
    expect((await as('admin', 'POST', '/clients', { body: deep })).status).toBe(400);
    const long = `{"redirectUris":[${Array.from({ length: 4_000 }, () => '1e20').join()}]}`;
    expect((await as('admin', 'POST', '/clients', { body: long })).status).toBe(413);
  });

  // Asserts contract/clients.md#clients.
  test('need clients.manage, without regard to existence', async () => {
    for (const path of ['/clients', '/clients/client', '/clients/none']) {
      const response = await as('manager', 'GET', path);
      expect([response.status, response.json().details]).toEqual([403, 'User is not allowed to manage clients']);
    }
  });
});
