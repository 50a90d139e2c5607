import { as, basic, send, tokenRequest } from '../api.ts';

describe('the current user (contract/user.md#user, #permissions, #user-info)', () => {
  // Asserts contract/user.md#user-info.
  test('userInfo has name, locale and attributes, and no password', async () => {
    const response = await as('clerk', 'GET', '/userInfo');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(response.json()).toMatchObject({
      username: 'clerk',
      locale: 'de',
      attributes: { username: 'clerk', country: 'DE', active: true },
    });
    expect(response.text).not.toMatch(/password|argon2/);
  });

  // Asserts contract/user.md#user-info.
  test('userInfo has all local attributes of the user but secret ones, empty ones as null', async () => {
    const { attributes } = (await as('clerk', 'GET', '/userInfo')).json();
    expect(attributes).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: expect.any(Number),
      createdDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
      createdBy: 'system',
      lastModifiedDate: expect.any(String),
      lastModifiedBy: null,
      username: 'clerk',
      firstName: 'Claus',
      lastName: 'Berger',
      email: 'clerk@example.com',
      active: true,
      locale: 'de',
      timeZoneId: null,
      country: 'DE',
    });
  });

  // Asserts contract/user.md#user-info.
  test('userInfo of a client has no attributes', async () => {
    const form = { grant_type: 'client_credentials' };
    const token = (await tokenRequest('/oauth2/token', form, { authorization: basic('integration', 'secret') })).json();
    const response = await send('GET', '/rest/userInfo', {
      headers: { authorization: `Bearer ${token.access_token}` },
    });
    expect([response.status, response.json()]).toEqual([
      200,
      { username: 'integration', locale: 'en', attributes: {} },
    ]);
  });

  // Asserts contract/decisions.md#39, contract/roles.md#rest-enabled.
  test.each([
    ['GET', '/userInfo'],
    ['GET', '/permissions'],
    ['PUT', '/user-session/locale'],
  ])('%s %s needs a token and the API permission (contract/decisions.md#39)', async (method, path) => {
    expect((await send(method, `/rest${path}`)).status).toBe(401);
    const response = await as('nobody', method, path, { headers: { 'accept-language': 'de' } });
    expect([response.status, response.json()]).toEqual([
      403,
      { error: 'Forbidden', details: 'User is not allowed to use the REST API' },
    ]);
  });

  // Asserts contract/conventions.md#locale, contract/user.md#user-info.
  test('Accept-Language chooses an available locale (contract/decisions.md#27)', async () => {
    const locale = async (language: string): Promise<string> =>
      (await as('clerk', 'GET', '/userInfo', { headers: { 'accept-language': language } })).json().locale;
    expect(await locale('zh-cn')).toBe('zh_CN');
    expect(await locale('fr, en;q=0.5')).toBe('en');
    expect(await locale('xx')).toBe('de');
  });

  // Asserts contract/user.md#permissions.
  test('permissions list every target, denied ones with 0 (contract/decisions.md#20)', async () => {
    const response = await as('clerk', 'GET', '/permissions');
    expect(response.status).toBe(200);
    const { authorities, entities, entityAttributes, specifics } = response.json();
    expect(authorities).toEqual(expect.arrayContaining(['rest-minimal', 'sales-clerk']));
    const permissionValue = (list: { target: string; value: number }[], target: string) =>
      list.find((entry) => entry.target === target)?.value;
    expect(permissionValue(entities, 'sales_Order:read')).toBe(1);
    expect(permissionValue(entities, 'sales_Order:create')).toBe(0);
    expect(permissionValue(entityAttributes, 'sales_Order:status')).toBe(2);
    expect(permissionValue(entityAttributes, 'sales_Order:number')).toBe(1);
    expect(permissionValue(entityAttributes, 'sales_Customer:creditLimit')).toBe(0);
    expect(permissionValue(specifics, 'rest.enabled')).toBe(1);
    expect(permissionValue(specifics, 'rest.fileUpload.enabled')).toBe(0);
  });

  // Asserts contract/user.md#permissions.
  test('permissions are complete: four actions of every entity in order, every attribute, the roles of both kinds', async () => {
    const [{ authorities, entities, entityAttributes, specifics }, texts] = await Promise.all([
      as('clerk', 'GET', '/permissions').then((response) => response.json()),
      as('clerk', 'GET', '/messages/entities').then((response) => response.json()),
    ]);
    const names = Object.keys(texts).filter((key) => !key.includes('.'));
    const attributes = Object.keys(texts).filter((key) => key.includes('.'));
    const targets = (list: { target: string }[]): string[] => list.map(({ target }) => target);
    expect(targets(entities).sort()).toEqual(
      names.flatMap((name) => ['create', 'read', 'update', 'delete'].map((action) => `${name}:${action}`)).sort(),
    );
    expect(
      targets(entities)
        .slice(0, 4)
        .map((target) => target.split(':')[1]),
    ).toEqual(['create', 'read', 'update', 'delete']);
    expect(targets(entityAttributes).sort()).toEqual(attributes.map((key) => key.replace('.', ':')).sort());
    expect(authorities).toEqual(['rest-minimal', 'sales-clerk', 'row_level_role:own-region']);
    const { general = [], entity = [] } = Object.groupBy(specifics as { target: string }[], ({ target }) =>
      /_/.test(target) ? 'entity' : 'general',
    );
    expect(entity).toEqual(
      expect.arrayContaining([
        { target: 'history.read.sales_Customer', value: 1 },
        { target: 'bin.restore.sales_Order', value: 0 },
      ]),
    );
    expect(targets(entity).filter((target) => target.startsWith('history.'))).toEqual(['history.read.sales_Customer']);
    expect(general).toEqual([
      { target: 'rest.enabled', value: 1 },
      { target: 'rest.fileUpload.enabled', value: 0 },
      { target: 'rest.fileDownload.enabled', value: 0 },
      { target: 'reports.rest.enabled', value: 0 },
      { target: 'reports.sql.edit', value: 0 },
      { target: 'sessions.manage', value: 0 },
      { target: 'sessions.see-as', value: 0 },
      { target: 'second-factors.manage', value: 0 },
      { target: 'passwords.manage', value: 0 },
      { target: 'clients.manage', value: 0 },
      { target: 'api-keys.create', value: 0 },
      { target: 'api-keys.manage', value: 0 },
      { target: 'health.view', value: 0 },
      { target: 'configuration.view', value: 0 },
      { target: 'statements.view', value: 0 },
      { target: 'schema.view', value: 0 },
      { target: 'security-events.view', value: 0 },
      { target: 'identity-providers.view', value: 0 },
      { target: 'identity-providers.test', value: 0 },
      { target: 'dead-letters.view', value: 0 },
      { target: 'dead-letters.content.view', value: 0 },
      { target: 'dead-letters.manage', value: 0 },
      { target: 'rights.view', value: 0 },
      { target: 'rights.preview', value: 0 },
      { target: 'views.share', value: 0 },
      { target: 'history.read', value: 0 },
      { target: 'personal.read', value: 0 },
      { target: 'access-log.read', value: 0 },
      { target: 'bin.read', value: 0 },
      { target: 'bin.restore', value: 0 },
      { target: 'bin.purge', value: 0 },
      { target: 'files.manage', value: 0 },
      { target: 'jobs.read', value: 0 },
      { target: 'jobs.manage', value: 0 },
      { target: 'event-handlers.manage', value: 0 },
      { target: 'events.read', value: 0 },
      { target: 'mailbox.view', value: 0 },
      { target: 'webhooks.owner.choose', value: 0 },
      { target: 'jobs.read.payment-reminders', value: 0 },
      { target: 'jobs.manage.payment-reminders', value: 0 },
      { target: 'jobs.read.payment-reminder', value: 0 },
      { target: 'jobs.manage.payment-reminder', value: 0 },
      { target: 'events.read.sales.order-status-changed.v1', value: 0 },
      { target: 'events.read.sales.order-complained.v1', value: 0 },
      { target: 'events.read.sales.order-complained.v2', value: 0 },
    ]);
  });

  // Asserts contract/roles.md#predefined, contract/roles.md#rest-enabled, contract/user.md#permissions.
  test('full access is written out for every target: wildcards are no targets', async () => {
    const { entities, entityAttributes, specifics } = (await as('admin', 'GET', '/permissions')).json();
    const valuesOf = (list: { value: number }[]): number[] => [...new Set(list.map(({ value }) => value))];
    expect([valuesOf(entities), valuesOf(entityAttributes), valuesOf(specifics)]).toEqual([[1], [2], [1]]);
    expect(entities.concat(entityAttributes).some(({ target }: { target: string }) => target.includes('*'))).toBe(
      false,
    );
  });

  // Asserts contract/user.md#permissions.
  test('unknown query parameters on permissions are accepted (contract/decisions.md#34)', async () => {
    expect((await as('clerk', 'GET', '/permissions?entities=true')).status).toBe(200);
  });
});

describe('the API about itself', () => {
  // Asserts contract/decisions.md#39, contract/decisions.md#57, contract/metadata.md#version.
  test('version is text, with any Accept (contract/decisions.md#35, #57)', async () => {
    const response = await as('nobody', 'GET', '/version', { headers: { accept: 'application/json' } });
    expect(response.status).toBe(200);
    expect(response.text).toMatch(/^\d+\.\d+\.\d+/);
    expect(Number(response.text.split('.')[0])).toBeGreaterThanOrEqual(7);
  });

  // Asserts contract/fetch-plans.md#fetch-plans.
  test('capabilities show whether inline plans are taken', async () => {
    expect((await as('viewer', 'GET', '/capabilities')).json()).toEqual({ inlineFetchPlans: true });
  });
});

describe('CORS (contract/conventions.md#cors)', () => {
  test('a preflight needs no token', async () => {
    const response = await send('OPTIONS', '/rest/entities/sales_Order', {
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/app\.example\.com)$/);
  });
});
