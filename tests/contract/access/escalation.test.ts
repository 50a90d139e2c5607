import { as, basic, query, send, tokenOf, tokenRequest, unique } from '../api.ts';
import { closeRaw, type RawResponse, sendRaw } from '../send-raw.ts';
import { forgedTokens } from './forged-tokens.ts';
import { createHiddenData, type HiddenData } from './hidden-data.ts';

const CUSTOMERS = '/rest/entities/sales_Customer';

let data: HiddenData;
let forged: Readonly<Record<string, string>>;
beforeAll(async () => {
  [data, forged] = await Promise.all([createHiddenData(), forgedTokens()]);
});
afterAll(closeRaw);

const raw = async (target: string, user?: string, headers: Readonly<Record<string, string | readonly string[]>> = {}) =>
  sendRaw({
    method: 'GET',
    target,
    headers: { ...(user === undefined ? {} : { authorization: `Bearer ${await tokenOf(user)}` }), ...headers },
  });

const bearer = (token: string, path = CUSTOMERS) =>
  send('GET', path, { headers: { authorization: `Bearer ${token}` } });

describe('tokens', () => {
  test.each([
    ...['no algorithm', 'no algorithm in another case', 'no signature', 'a signature of nothing'],
    ...['another key under the known id', 'another key under another id', 'another key that it brings'],
    ...['another key that it names', 'the public key as a secret', 'the modulus as a secret', 'an empty secret'],
    ...['a key id that is a path', 'a critical header', 'an expired one', 'the audience of internal listeners'],
    ...['an ID token', 'no claims', 'prototype claims', 'five parts', 'a very long one'],
  ])('a forged token is refused: %s', async (kind) => {
    const token = forged[kind] ?? '';
    expect(token).not.toBe('');
    for (const path of [CUSTOMERS, '/rest/files?fileRef=x', '/rest/reports/report', '/rest/entities/sales_Product']) {
      const response = await bearer(token, path);
      expect([path, response.status, response.json().error]).toEqual([path, 401, 'invalid_token']);
    }
    const inUrl = await send('GET', `/rest/userInfo${query({ access_token: token })}`);
    expect(inUrl.status).toBe(401);
  });

  test('the list of forged tokens is asked for as a whole', () => {
    expect(Object.keys(forged)).toHaveLength(20);
  });

  test('a token that was changed in any position is another one', async () => {
    const token = await tokenOf('admin');
    const flipped = token.startsWith('A') ? `B${token.slice(1)}` : `A${token.slice(1)}`;
    const others = [flipped, token.slice(0, -1), `${token}A`, `${token}%00`, `${token}=`];
    for (const other of others) expect([other, (await bearer(other)).status]).toEqual([other, 401]);
  });

  test('a refresh token opens nothing, an access token refreshes nothing', async () => {
    const form = { grant_type: 'password', username: 'admin', password: 'admin' };
    const tokens = (await tokenRequest('/oauth/token', form)).json();
    expect((await bearer(tokens.refresh_token)).status).toBe(401);
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.access_token };
    expect((await tokenRequest('/oauth/token', refresh)).status).toBe(400);
    expect((await bearer(tokens['OAuth2.SESSION_ID'])).status).toBe(401);
  });

  test('no parameter of a token request gives more than the user or the client has', async () => {
    const more = {
      scope: 'rest-api admin',
      roles: 'system-full-access',
      resource_roles: 'system-full-access',
      sub: 'admin',
    };
    const user = await tokenRequest('/oauth/token', {
      grant_type: 'password',
      username: 'viewer',
      password: 'viewer',
      ...more,
    });
    if (user.status === 200) {
      const token = String(user.json().access_token);
      expect((await bearer(token)).status).toBe(403);
      expect((await bearer(token, '/rest/userInfo')).json().username).toBe('viewer');
    } else expect(user.status).toBe(400);
    const client = await tokenRequest(
      '/oauth2/token',
      { grant_type: 'client_credentials', username: 'admin', roles: 'system-full-access', sub: 'admin' },
      { authorization: basic('integration', 'secret') },
    );
    const token = String(client.json().access_token);
    expect((await bearer(token, '/rest/userInfo')).json().username).not.toBe('admin');
    expect((await bearer(token, '/rest/entities/sec_User')).status).toBe(403);
  });
});

describe('headers', () => {
  const CLAIMS = Buffer.from(JSON.stringify({ sub: 'admin', username: 'admin' })).toString('base64');
  const SMUGGLED = {
    ...{ 'x-user': 'admin', 'x-username': 'admin', 'x-remote-user': 'admin', 'remote-user': 'admin' },
    ...{ 'x-forwarded-user': 'admin', 'x-auth-request-user': 'admin', 'x-authenticated-userid': 'admin' },
    ...{ 'x-session-id': 'forged', 'x-roles': 'system-full-access', 'x-jwt-claims': CLAIMS, 'x-claims': CLAIMS },
    ...{ 'x-internal-secret': 'internal', 'x-lintel-user': 'admin', 'x-principal': CLAIMS },
    ...{ 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', 'x-real-ip': '127.0.0.1' },
    ...{ 'x-original-url': '/rest/docs/openapi.json', 'x-rewrite-url': '/rest/docs/openapi.json' },
    ...{ 'x-forwarded-prefix': '/rest/docs', 'x-forwarded-uri': '/rest/docs/openapi.json' },
  };

  test('identity in headers counts for nothing', async () => {
    expect((await raw(CUSTOMERS, undefined, SMUGGLED)).status).toBe(401);
    expect((await raw(CUSTOMERS, 'viewer', SMUGGLED)).status).toBe(403);
    expect((await raw(CUSTOMERS, 'nobody', SMUGGLED)).status).toBe(403);
    const who = await raw('/rest/userInfo', 'viewer', SMUGGLED);
    expect(JSON.parse(who.text)).toMatchObject({ username: 'viewer' });
  });

  // Asserts contract/tokens.md#token-location.
  test('of two authorizations none is the better one', async () => {
    const [viewer, admin] = await Promise.all(['viewer', 'admin'].map(async (user) => `Bearer ${await tokenOf(user)}`));
    const both = await raw(CUSTOMERS, undefined, { authorization: [viewer ?? '', admin ?? ''] });
    expect([400, 401, 403]).toContain(both.status);
    // The value ends at the first comma (contract/tokens.md#token-location).
    const joined = await raw(CUSTOMERS, undefined, { authorization: `${viewer}, ${admin}` });
    expect(joined.status).toBe(403);
    const inUrl = await raw(`${CUSTOMERS}?access_token=${admin?.slice(7)}`, 'viewer');
    expect(inUrl.status).toBe(403);
  });

  test('the token cannot be dropped on the way, nor the method replaced', async () => {
    expect((await raw(CUSTOMERS, 'viewer', { connection: 'authorization' })).status).toBe(403);
    const override = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' };
    const path = `${CUSTOMERS}/${data.shownCustomer}`;
    expect((await raw(`${path}?_method=DELETE`, 'admin', override)).status).toBe(200);
    expect((await raw(path, 'admin')).status).toBe(200);
  });
});

describe('paths', () => {
  const CUSTOMER = 'sales_Customer';
  const TRICKS = [
    ...[
      `//rest/entities/${CUSTOMER}`,
      `/rest//entities/${CUSTOMER}`,
      `/rest/entities//${CUSTOMER}`,
      `/rest/entities/${CUSTOMER}//`,
    ],
    ...[`/./rest/entities/${CUSTOMER}`, `/rest/./entities/${CUSTOMER}`, `/rest/entities/./${CUSTOMER}`],
    ...[`/rest/entities/sales_Product/../${CUSTOMER}`, `/rest/entities/sales_Product/%2e%2e/${CUSTOMER}`],
    ...[`/rest/entities/sales_Product/.%2e/${CUSTOMER}`, `/rest/entities/sales_Product/%2E./${CUSTOMER}`],
    ...[`/rest/entities/sales_Product%2f..%2f${CUSTOMER}`, `/rest/entities/sales_Product/..%2f${CUSTOMER}`],
    ...[`/rest/entities/sales_Product/..%5c${CUSTOMER}`, `/rest/entities/sales_Product/..\\${CUSTOMER}`],
    ...[`/rest/entities/sales_Product/..;/${CUSTOMER}`, `/rest/entities/sales_Product;/../${CUSTOMER}`],
    ...[`/rest/entities/${CUSTOMER};a=/rest/docs/x`, `/rest/entities;x/${CUSTOMER}`, `/rest;x/entities/${CUSTOMER}`],
    ...[
      `/rest/docs/../entities/${CUSTOMER}`,
      `/rest/docs/%2e%2e/entities/${CUSTOMER}`,
      `/rest/docs/..;/entities/${CUSTOMER}`,
    ],
    ...[
      `/rest/docs/x/../../entities/${CUSTOMER}`,
      `/rest/docs%2f..%2fentities/${CUSTOMER}`,
      `/rest/docs/%252e%252e/entities/${CUSTOMER}`,
    ],
    ...[
      `/rest/sales/public/../../entities/${CUSTOMER}`,
      '/rest/sales/public/../whoami',
      '/rest/sales/public/ping/../../whoami',
    ],
    ...[
      `/REST/entities/${CUSTOMER}`,
      `/rest/ENTITIES/${CUSTOMER}`,
      `/Rest/Entities/${CUSTOMER}`,
      '/rest/entities/SALES_CUSTOMER',
    ],
    ...[
      `/%72est/entities/${CUSTOMER}`,
      `/rest/%65ntities/${CUSTOMER}`,
      '/rest/entities/sales%5FCustomer',
      '/rest/entities/%73ales_Customer',
    ],
    ...[
      `/rest%2fentities%2f${CUSTOMER}`,
      `/rest/entities%2f${CUSTOMER}`,
      `/rest/entities/${CUSTOMER}%00`,
      `/rest/entities/${CUSTOMER}%20`,
    ],
    ...[
      `/rest/entities/${CUSTOMER}/search%2fcount?filter={}`,
      `/rest/entities/${CUSTOMER}#/rest/docs/x`,
      `/rest/entities/${CUSTOMER}?/rest/docs/x`,
    ],
    ...[`http://other.example/rest/entities/${CUSTOMER}`, `http://other.example//rest/docs/../entities/${CUSTOMER}`],
    ...[
      '/internal/datasets',
      '/rest/../internal/datasets',
      '/rest/%2e%2e/internal/datasets',
      '//internal/datasets',
      '/rest/internal/datasets',
    ],
    ...[
      '/rest/entities/sales_Product/%2e%2e%2fsec_User',
      '/rest/entities/sales_Product%2f%2e%2e/sec_User',
      '/rest/entities/sec_User%3b',
    ],
  ];

  /** The values of customers that a response contains. */
  const revealed = ({ text, headers }: RawResponse, values: readonly string[]): readonly string[] =>
    values.filter((value) => `${JSON.stringify(headers)} ${text}`.includes(value));

  test.each(TRICKS)('%s opens nothing', async (target) => {
    const all = [...data.hiddenValues, ...data.shownValues];
    for (const user of [undefined, 'nobody', 'viewer']) {
      const response = await raw(target, user);
      expect([user, response.status >= 400 && response.status < 500, response.status]).toEqual([
        user,
        true,
        response.status,
      ]);
      expect(revealed(response, all)).toEqual([]);
    }
    const limited = await raw(target, 'clerk');
    expect([limited.status < 500, limited.status]).toEqual([true, limited.status]);
    expect(revealed(limited, data.hiddenValues)).toEqual([]);
    expect(limited.text).not.toContain('creditLimit');
  });
});

describe('rights', () => {
  // Asserts contract/roles.md#definition.
  test.each(['viewer', 'clerk', 'manager'])('%s cannot give rights to any user', async (user) => {
    const grant = { username: user, roleCode: 'system-full-access', roleType: 'resource' };
    const attempts = [
      await as(user, 'POST', '/entities/sec_RoleAssignment', { body: grant }),
      await as(user, 'POST', '/entities/sec_ResourceRole', { body: { code: unique('role'), name: 'x' } }),
      await as(user, 'POST', '/entities/sec_User', { body: { username: unique('user'), password: 'x' } }),
      await as(user, 'PUT', '/entities/sec_User', { body: [{ id: data.shownCustomer, username: 'admin' }] }),
      await as(user, 'GET', '/entities/sec_User'),
      await as(user, 'GET', '/entities/sec_RoleAssignment'),
      await as(user, 'DELETE', '/entities/sec_RoleAssignment', { body: [data.shownCustomer] }),
    ];
    expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 403));
    expect((await as(user, 'GET', '/entities/sec_User')).status).toBe(403);
  });

  test('rights are not reached through what may be written', async () => {
    const order = { manager: { username: 'root', password: 'x', roleCode: 'system-full-access' } };
    const nested = await as('manager', 'PUT', `/entities/sales_Order/${data.shownOrder}`, { body: order });
    expect(nested.status).toBeLessThan(500);
    const users = await as('admin', 'GET', '/entities/sec_User?limit=1000');
    expect(users.text).not.toContain('"root"');
    const systemAttributes = {
      createdBy: 'admin',
      version: 99,
      deletedBy: 'admin',
      _entityName: 'sec_User',
      phone: '1',
    };
    const changed = await as('clerk', 'PUT', `/entities/sales_Customer/${data.shownCustomer}`, {
      body: systemAttributes,
    });
    expect(changed.status).toBeLessThan(500);
    const stored = (await as('admin', 'GET', `/entities/sales_Customer/${data.shownCustomer}`)).json();
    expect(stored).toMatchObject({ _entityName: 'sales_Customer', createdBy: 'admin' });
    expect(stored).not.toHaveProperty('deletedBy');
  });
});
