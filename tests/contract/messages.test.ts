import { as, query, type Response, send, tokenRequest, unique } from './api.ts';

const inLanguage = (language: string) => ({ headers: { 'accept-language': language } });

describe('messages (contract/messages.md#messages)', () => {
  // Asserts contract/messages.md#bundles.
  test('captions of one entity: its name and all attributes, flat and sorted', async () => {
    const response = await as('manager', 'GET', '/messages/entities/sales_Order', inLanguage('en'));
    expect([response.status, response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
      200,
      'application/json',
      'Authorization, Accept-Language',
    ]);
    const texts = response.json();
    expect(texts).toMatchObject({
      sales_Order: 'Order',
      'sales_Order.number': 'Number',
      'sales_Order.lineCount': 'Number of lines',
      'sales_Order.createdDate': 'Created date',
    });
    expect(Object.keys(texts)).toEqual(Object.keys(texts).sort());
    expect(Object.keys(texts).every((key) => key === 'sales_Order' || key.startsWith('sales_Order.'))).toBe(true);
  });

  // Asserts contract/conventions.md#endpoints, contract/conventions.md#locale, contract/decisions.md#27.
  test.each([
    ['de', 'Auftrag', 'Nummer'],
    ['zh-cn', '订单', '编号'],
    ['zh-CN', '订单', '编号'],
    ['fr, de;q=0.1', 'Auftrag', 'Nummer'],
    ['fr', 'Order', 'Number'],
  ])('Accept-Language %s chooses the language', async (language, entity, attribute) => {
    const texts = (await as('manager', 'GET', '/messages/entities/sales_Order', inLanguage(language))).json();
    expect([texts.sales_Order, texts['sales_Order.number']]).toEqual([entity, attribute]);
  });

  // Asserts contract/conventions.md#locale.
  test("without the header the language is the user's", async () => {
    expect((await as('clerk', 'GET', '/messages/entities/sales_Order')).json().sales_Order).toBe('Auftrag');
    expect((await as('manager', 'GET', '/messages/entities/sales_Order')).json().sales_Order).toBe('Order');
  });

  // Asserts contract/messages.md#messages.
  test('captions of all entities: embeddables, DTOs, abstract entities and those of the platform too', async () => {
    const texts = (await as('viewer', 'GET', '/messages/entities', inLanguage('en'))).json();
    expect(texts).toMatchObject({
      sales_Address: 'Address',
      sales_PriceQuote: 'Price quote',
      sales_Party: 'Party',
      'sales_Company.name': 'Name',
      sec_User: 'User',
    });
    expect(Object.keys(texts)).toEqual(Object.keys(texts).sort());
  });

  // Asserts contract/messages.md#messages.
  test.each(['sales_Address', 'sales_PriceQuote', 'sales_Party', 'sec_User'])(
    'every entity of the list has captions of its own, embeddables and DTOs included: %s',
    async (name) => {
      const all = (await as('viewer', 'GET', '/messages/entities', inLanguage('en'))).json();
      const one = await as('viewer', 'GET', `/messages/entities/${name}`, inLanguage('en'));
      const ofName = ([key]: readonly [string, unknown]) => key === name || key.startsWith(`${name}.`);
      expect([one.status, one.json()]).toEqual([200, Object.fromEntries(Object.entries(all).filter(ofName))]);
    },
  );

  // Asserts contract/messages.md#bundles, contract/messages.md#messages.
  test('captions of enums and their constants', async () => {
    const status = {
      'sales.OrderStatus': 'Auftragsstatus',
      'sales.OrderStatus.CLOSED': 'Abgeschlossen',
      'sales.OrderStatus.CONFIRMED': 'Bestätigt',
      'sales.OrderStatus.NEW': 'Neu',
      'sales.OrderStatus.SHIPPED': 'Versandt',
    };
    expect((await as('viewer', 'GET', '/messages/enums/sales.OrderStatus', inLanguage('de'))).json()).toEqual(status);
    const all = (await as('viewer', 'GET', '/messages/enums', inLanguage('de'))).json();
    expect(all).toMatchObject({ ...status, 'sales.CustomerGrade.GOLD': 'Gold' });
    expect(Object.keys(all)).toEqual(Object.keys(all).sort());
  });

  // Asserts contract/errors.md#catalogue, contract/messages.md#messages.
  test.each([
    ['/messages/entities/sales_None', 'Entity not found', 'Entity sales_None not found'],
    ['/messages/enums/sales.None', 'Enum not found', 'Enum with class name sales.None not found'],
  ])('%s: 404 with its text', async (path, error, details) => {
    const response = await as('admin', 'GET', path);
    expect([response.status, response.json()]).toEqual([404, { error, details }]);
  });

  // Asserts contract/conventions.md#endpoints, contract/roles.md#rest-enabled.
  test('callers without a token: 401; without the API permission: 403', async () => {
    expect((await send('GET', '/rest/messages/enums')).status).toBe(401);
    expect((await as('nobody', 'GET', '/messages/enums')).status).toBe(403);
  });
});

describe('texts of validation (contract/writing.md#validation)', () => {
  const closed = { number: 'x', date: '2026-02-03', status: 'CLOSED' };
  const create = async (language: string) => {
    const customer = { id: 'c0000000-0000-4000-8000-000000000001' };
    const body = { ...closed, number: unique('V'), customer };
    const response = await as('admin', 'POST', '/entities/sales_Order', { ...inLanguage(language), body });
    expect(response.status).toBe(400);
    return response.json()[0];
  };

  // Asserts contract/conventions.md#locale, contract/writing.md#validation.
  test.each([
    ['en', 'Closed order must have lines'],
    ['de', 'Ein abgeschlossener Auftrag braucht Positionen'],
    ['zh-CN', '已关闭的订单必须有订单行'],
  ])('a rule of the application in %s, with its template', async (language, message) => {
    expect(await create(language)).toEqual({
      message,
      messageTemplate: '{msg://closedOrderNeedsLines}',
      path: '',
      invalidValue: null,
    });
  });

  // Asserts contract/conventions.md#locale.
  test.each([
    ['en', 'may not be null'],
    ['de', 'darf nicht leer sein'],
    ['zh-CN', '不能为空'],
  ])('a rule of the platform in %s', async (language, message) => {
    const response = await as('admin', 'POST', '/entities/sales_ProductTag', { ...inLanguage(language), body: {} });
    expect([response.status, response.json()]).toEqual([
      400,
      [
        {
          message,
          messageTemplate: '{jakarta.validation.constraints.NotNull.message}',
          path: 'name',
          invalidValue: null,
        },
      ],
    ]);
  });
});

describe('the locale of a session (contract/user.md#session-locale, contract/decisions.md#36)', () => {
  /** A session of its own, so that no other test sees its locale. */
  async function login() {
    const token = (
      await tokenRequest('/oauth/token', { grant_type: 'password', username: 'viewer', password: 'viewer' })
    ).json();
    const call = (method: string, path: string, language?: string): Promise<Response> =>
      send(method, `/rest${path}`, {
        headers: {
          authorization: `Bearer ${token.access_token}`,
          ...(language === undefined ? {} : { 'accept-language': language }),
        },
      });
    return { call, refreshToken: String(token.refresh_token) };
  }

  // Asserts contract/decisions.md#36, contract/user.md#session-locale.
  test('is remembered for its later calls, a header still wins, and a refresh keeps it', async () => {
    const { call, refreshToken } = await login();
    const response = await call('PUT', '/user-session/locale', 'zh-cn');
    expect([response.status, response.text]).toEqual([200, '']);
    const locale = async (language?: string) => (await call('GET', '/userInfo', language)).json().locale;
    expect(await locale()).toBe('zh_CN');
    expect(await locale('de')).toBe('de');
    expect((await call('GET', '/messages/enums')).json()['sales.OrderStatus']).toBe('订单状态');
    const refreshed = await tokenRequest('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken });
    const headers = { authorization: `Bearer ${refreshed.json().access_token}` };
    expect((await send('GET', '/rest/userInfo', { headers })).json().locale).toBe('zh_CN');
  });

  // Asserts contract/user.md#session-locale.
  test('another session of the same user keeps its own', async () => {
    const [one, other] = [await login(), await login()];
    expect((await one.call('PUT', '/user-session/locale', 'de')).status).toBe(200);
    expect((await other.call('GET', '/userInfo')).json().locale).toBe('en');
  });

  // Asserts contract/decisions.md#36, contract/user.md#session-locale.
  test.each([['fr'], ['*'], ['x']])('an unavailable one (%s): 422, and nothing changes', async (language) => {
    const { call } = await login();
    const response = await call('PUT', '/user-session/locale', language);
    expect([response.status, response.json()]).toEqual([
      422,
      { error: 'Could not change user session locale', details: expect.any(String) },
    ]);
    expect((await call('GET', '/userInfo')).json().locale).toBe('en');
  });

  // Asserts contract/user.md#session-locale.
  test('without a token: 401; another method: 405 with Allow', async () => {
    expect((await send('PUT', '/rest/user-session/locale', inLanguage('de'))).status).toBe(401);
    const response = await as('admin', 'GET', '/user-session/locale');
    // DELETE is that of a session by its id.
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'DELETE, OPTIONS, PUT']);
  });
});

describe('texts of the database', () => {
  const created: string[] = [];
  afterAll(async () => {
    for (const path of created) await as('admin', 'DELETE', path);
  });
  const caption = async (language: string): Promise<string> =>
    (await as('admin', 'GET', '/messages/entities/sales_Delivery', inLanguage(language))).json()[
      'sales_Delivery.window'
    ];

  test('replace those of the files at once, and are gone with their row', async () => {
    const values = { key: 'sales/Delivery.window', locale: 'de', text: 'Lieferfenster' };
    const response = await as('admin', 'POST', '/entities/sys_Message', { body: values });
    expect([response.status, response.json()._instanceName]).toEqual([201, 'sales/Delivery.window (de)']);
    const path = `/entities/sys_Message/${response.json().id}`;
    created.push(path);
    expect(await caption('de')).toBe('Lieferfenster');
    expect(await caption('en')).toBe('Time window');
    expect((await as('admin', 'DELETE', path)).status).toBe(204);
    expect(await caption('de')).toBe('Zeitfenster');
  });

  test('are one for each key and locale', async () => {
    const values = { key: `test/${unique('k')}`, locale: 'de', text: 'x' };
    const first = await as('admin', 'POST', '/entities/sys_Message', { body: values });
    created.push(`/entities/sys_Message/${first.json().id}`);
    const second = await as('admin', 'POST', '/entities/sys_Message', { body: values });
    expect([second.status, second.json().error]).toEqual([409, 'Unique constraint violation']);
  });

  test('cannot be changed without the permission', async () => {
    const body = { key: 'sales/Order', text: 'x' };
    expect((await as('manager', 'POST', '/entities/sys_Message', { body })).status).toBe(403);
    const list = await as('manager', 'GET', `/entities/sys_Message${query({ limit: '1' })}`);
    expect(list.status).toBe(403);
  });

  test('need a key, a text and a locale in underscore form', async () => {
    const response = await as('admin', 'POST', '/entities/sys_Message', { body: { key: ' ', locale: 'zh-CN' } });
    expect([
      response.status,
      response
        .json()
        .map(({ path }: { path: string }) => path)
        .sort(),
    ]).toEqual([400, expect.arrayContaining(['key', 'locale', 'text'])]);
  });
});
