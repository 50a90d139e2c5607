import { request } from 'node:http';
import { as, baseUrl, demo, query, send, tokenOf, unique } from './api.ts';

const orders = '/entities/sales_Order';
const where = (property: string, operator: string, value: unknown) => ({
  conditions: [{ property, operator, value }],
});

/** A request with exactly the given headers: none that a client library would add. */
const bare = (path: string, headers: Readonly<Record<string, string>>): Promise<{ status: number; type: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(`${baseUrl}/rest${path}`, { headers }, (response) => {
      response.resume().on('end', () => {
        resolve({ status: response.statusCode ?? 0, type: String(response.headers['content-type']) });
      });
    });
    sent.on('error', reject).end();
  });

describe('conventions of every endpoint (contract/conventions.md#endpoints)', () => {
  test('a path with a trailing slash is the same path (contract/decisions.md#34)', async () => {
    const response = await as('admin', 'GET', `/entities/sales_Warehouse/?sort=code`);
    expect(response.json()).toEqual((await as('admin', 'GET', '/entities/sales_Warehouse?sort=code')).json());
  });

  // Asserts contract/conventions.md#endpoints.
  test.each(['text/plain', 'application/json', 'application/xml', 'text/plain; charset=utf-8', ''])(
    'a body is JSON whatever its Content-Type says: %j',
    async (type) => {
      const filter = where('number', '=', 'A-00001');
      const body = new TextEncoder().encode(JSON.stringify({ filter }));
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
      const response = await as('admin', 'POST', `${orders}/search/count`, { body, headers });
      expect([response.status, response.text]).toEqual([200, '1']);
    },
  );

  // Asserts contract/conventions.md#endpoints.
  test('a body without a charset is UTF-8; other bytes are refused', async () => {
    const name = `Ünïcode 日本 😀 ${unique('u')}`;
    const body = new TextEncoder().encode(JSON.stringify({ name }));
    const created = await as('admin', 'POST', '/entities/sales_Customer?responseFetchPlan=_local', { body });
    expect(created.json().name).toBe(name);
    const latin1 = await as('admin', 'POST', `${orders}/search`, { body: Uint8Array.of(0x7b, 0x22, 0xfc, 0x22, 0x7d) });
    expect([latin1.status, Object.keys(latin1.json()).sort()]).toEqual([400, ['details', 'error']]);
  });

  // Asserts contract/conventions.md#endpoints.
  test('a byte order mark before the JSON is ignored by every endpoint', async () => {
    const bom = '\ufeff';
    const created = await as('admin', 'POST', '/entities/sales_Customer', { body: `${bom}{"name":"${unique('b')}"}` });
    expect(created.status).toBe(201);
    const count = await as('admin', 'POST', `${orders}/search/count`, { body: `${bom}{"filter":{}}` });
    expect(count.status).toBe(200);
    const total = await as('admin', 'POST', '/services/sales_OrderService/calculateTotal', {
      body: `${bom}{"orderId":"${demo.order(1)}"}`,
    });
    expect(total.status).toBe(200);
  });

  // Asserts contract/conventions.md#endpoints.
  test('entity JSON is exactly application/json, without a charset', async () => {
    for (const path of [orders, `${orders}/${demo.order(1)}`, `${orders}/search/count${query({ filter: {} })}`]) {
      const response = await as('admin', 'GET', `${path}${path === orders ? '?limit=1' : ''}`);
      expect(response.headers.get('content-type')).toBe('application/json');
    }
  });

  // Asserts contract/errors.md#form.
  test('a client whose Accept names application/problem+json gets errors as RFC 9457 describes', async () => {
    const headers = { accept: 'application/problem+json' };
    expect((await as('admin', 'GET', `${orders}?limit=1`, { headers })).status).toBe(200);
    for (const [method, path, status, body] of [
      ['GET', `${orders}?sort=none`, 400, undefined],
      ['GET', `${orders}/${demo.order(0)}`, 404, undefined],
      ['GET', '/nothing', 404, undefined],
      ['POST', '/entities/sales_ProductTag', 400, {}],
    ] as const) {
      const response = await as('admin', method, path, { headers, body });
      expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
      const code = response.headers.get('x-error-code');
      expect(response.json()).toMatchObject({ type: `urn:lintel:error:${code}`, status, code });
      const [, help = ''] = /<([^>]+)>; rel="help"/.exec(response.headers.get('link') ?? '') ?? [];
      const page = await fetch(new URL(help, `${baseUrl}/rest${path}`));
      expect([page.status, help.split('#')[1]]).toEqual([200, code]);
      expect(await page.text()).toContain(`<dt id="${code}">`);
    }
    const invalid = await as('admin', 'POST', '/entities/sales_ProductTag', { headers, body: {} });
    expect(invalid.json().errors).toMatchObject([{ message: 'may not be null', path: 'name' }]);
    const noToken = await send('GET', `/rest${orders}`, { headers });
    expect([noToken.status, noToken.json().code]).toEqual([401, 'AUTH_UNAUTHORIZED']);
  });

  // Asserts contract/conventions.md#endpoints, contract/conventions.md#general-rules.
  test('without Accept the response is JSON; an Accept that excludes it is refused with 406', async () => {
    const authorization = `Bearer ${await tokenOf('admin')}`;
    expect(await bare(`${orders}?limit=1`, { authorization })).toEqual({ status: 200, type: 'application/json' });
    const refused = await as('admin', 'GET', `${orders}?limit=1`, { headers: { accept: 'text/html' } });
    expect([refused.status, Object.keys(refused.json()).sort()]).toEqual([406, ['details', 'error']]);
    for (const accept of ['application/*', 'text/html, */*;q=0.1', 'application/json;charset=UTF-8'])
      expect((await as('admin', 'GET', `${orders}?limit=1`, { headers: { accept } })).status).toBe(200);
  });

  // Asserts contract/conventions.md#endpoints, contract/conventions.md#general-rules.
  test.each([
    ['unquoted keys', '{filter: {"conditions": []}}'],
    ['single quotes', "{'filter': {'conditions': []}}"],
    ['an unquoted value', '{"filter": {"conditions": []}, "sort": number}'],
    ['a trailing comma', '{"filter": {"conditions": [,]}}'],
    ['a comment', '{"filter": {"conditions": []} /* all */}'],
  ])('JSON is strict: %s', async (_case, body) => {
    const response = await as('admin', 'POST', `${orders}/search`, { body });
    expect([response.status, response.json().error]).toEqual([400, 'Malformed request JSON data structure']);
  });

  // Asserts contract/conventions.md#endpoints, contract/instances.md#values.
  test('characters that HTML knows come back as they were sent', async () => {
    const name = `<b>&'="</b> ${unique('h')}`;
    const created = await as('admin', 'POST', '/entities/sales_Customer', { body: { name } });
    const read = await as('admin', 'GET', `/entities/sales_Customer/${created.json().id}`);
    expect(read.json().name).toBe(name);
  });

  // Asserts contract/conventions.md#endpoints.
  test.each([
    ['true', true],
    ['ON', true],
    ['yes', true],
    ['1', true],
    ['false', false],
    ['Off', false],
    ['no', false],
    ['0', false],
    ['', false],
  ])('a flag may be %j', async (flag, isSet) => {
    const response = await as('admin', 'GET', `/entities/sales_Warehouse?limit=1&returnCount=${flag}`);
    expect([response.status, response.headers.get('x-total-count')]).toEqual([200, isSet ? '3' : null]);
  });

  // Asserts contract/conventions.md#endpoints.
  test('empty parameters are absent ones', async () => {
    const response = await as('admin', 'GET', '/entities/sales_Warehouse?limit=&offset=&sort=&fetchPlan=&returnNulls=');
    expect([response.status, response.json()]).toEqual([
      200,
      (await as('admin', 'GET', '/entities/sales_Warehouse')).json(),
    ]);
  });

  // Asserts contract/conventions.md#endpoints, contract/conventions.md#error-form.
  test('an unknown path: 404 in the shape of every error, without a token 401', async () => {
    const response = await as('admin', 'GET', '/no/such/path');
    expect([response.status, Object.keys(response.json()).sort()]).toEqual([404, ['details', 'error']]);
    expect((await send('GET', '/rest/no/such/path')).status).toBe(401);
  });

  // Asserts contract/conventions.md#endpoints.
  test('a model version without a transformation changes nothing', async () => {
    const path = `${orders}/${demo.order(1)}`;
    const response = await as('admin', 'GET', `${path}?modelVersion=1.0`);
    expect([response.status, response.json()]).toEqual([200, (await as('admin', 'GET', path)).json()]);
    const search = { filter: where('number', '=', 'A-00001'), modelVersion: '1.0' };
    expect((await as('admin', 'POST', `${orders}/search`, { body: search })).json()).toHaveLength(1);
  });

  // Asserts contract/conventions.md#endpoints.
  test('`view` is read like fetchPlan, which wins, as older clients send it (contract/decisions.md#34)', async () => {
    const path = `${orders}/${demo.order(1)}`;
    const local = (await as('admin', 'GET', `${path}?fetchPlan=_instance_name`)).json();
    expect((await as('admin', 'GET', `${path}?view=_instance_name`)).json()).toEqual(local);
    expect((await as('admin', 'GET', `${path}?view=nothing&fetchPlan=_instance_name`)).json()).toEqual(local);
    const body = { filter: where('number', '=', 'A-00001'), view: '_instance_name' };
    expect((await as('admin', 'POST', `${orders}/search`, { body })).json()).toEqual([local]);
  });
});

describe('routes of reading (contract/reading.md#routes)', () => {
  test('there is no count of a whole entity: `count` is an id', async () => {
    const uuid = await as('admin', 'GET', `${orders}/count`);
    expect([uuid.status, uuid.json().error]).toEqual([400, 'Invalid entity ID']);
    const text = await as('admin', 'GET', '/entities/sales_Warehouse/count');
    expect([text.status, text.text]).toEqual([404, '']);
  });

  // Asserts contract/reading.md#routes.
  test('`search` is never an id', async () => {
    const response = await as('admin', 'GET', '/entities/sales_Warehouse/search');
    expect([response.status, response.json().error]).toEqual([400, 'Cannot parse entities filter']);
  });

  // Asserts contract/reading.md#routes.
  test.each(['sales_order', 'SALES_Order', 'Order', 'sales_Orde', 'sales_Address', 'sales_PriceQuote'])(
    'entity names are exact: %s is none that is stored',
    async (name) => {
      const response = await as('admin', 'GET', `/entities/${name}`);
      expect([response.status, response.json()]).toEqual([
        404,
        { error: 'Entity not found', details: `Entity ${name} not found` },
      ]);
    },
  );

  // Asserts contract/reading.md#routes.
  test('a search by body takes nothing from the URL, and ignores members it does not know', async () => {
    const body = { filter: where('number', 'startsWith', 'A-0000'), limit: 2, nothing: [1] };
    const response = await as('admin', 'POST', `${orders}/search?limit=5&returnCount=true&offset=abc`, { body });
    expect([response.status, response.json().length, response.headers.get('x-total-count')]).toEqual([200, 2, null]);
  });

  // Asserts contract/decisions.md#8, contract/reading.md#count, contract/reading.md#routes.
  test('a search by body has all members of the list', async () => {
    const filter = where('number', 'startsWith', 'A-0000');
    const body = { filter, limit: 1, offset: 1, sort: '-number', returnNulls: true, returnCount: true };
    const response = await as('admin', 'POST', `${orders}/search`, { body });
    expect(response.headers.get('x-total-count')).toBe('9');
    expect(response.json()).toEqual([expect.objectContaining({ number: 'A-00008', confirmedAt: null })]);
    const texts = { filter, limit: '1', offset: '1', sort: '-number', returnNulls: 'true', returnCount: 'true' };
    expect((await as('admin', 'POST', `${orders}/search`, { body: texts })).json()).toEqual(response.json());
  });

  // Asserts contract/decisions.md#8, contract/reading.md#count, contract/reading.md#paging,
  // contract/reading.md#routes.
  test.each([
    ['limit', null],
    ['limit', 1.5],
    ['offset', -1],
    ['sort', 7],
    ['returnNulls', null],
    ['returnCount', null],
    ['returnCount', 'maybe'],
  ])('a search by body with %s %j: 400 naming it', async (name, value) => {
    const response = await as('admin', 'POST', `${orders}/search`, { body: { filter: {}, [name]: value } });
    expect([response.status, response.json().details]).toEqual([400, expect.stringContaining(name)]);
  });

  // Asserts contract/reading.md#routes.
  test('the count by body uses the filter alone', async () => {
    const body = { filter: where('number', 'startsWith', 'A-0000'), limit: 'abc', fetchPlan: [], sort: 'nothing' };
    const response = await as('admin', 'POST', `${orders}/search/count`, { body });
    expect([response.status, response.text, response.headers.get('content-type')]).toEqual([
      200,
      '9',
      'application/json',
    ]);
    const without = await as('admin', 'POST', `${orders}/search/count`, { body: {} });
    expect([without.status, without.json().details]).toEqual([400, 'Entities filter cannot be null']);
    expect((await as('admin', 'GET', `${orders}/search/count`)).status).toBe(400);
  });

  test('HEAD responds as GET does, without the body', async () => {
    const response = await as('admin', 'HEAD', `${orders}/${demo.order(1)}`);
    expect([response.status, response.text, response.headers.get('content-type')]).toEqual([
      200,
      '',
      'application/json',
    ]);
  });
});

describe('names that do not exist (contract/conventions.md#unknown)', () => {
  const STRICT = { prefer: 'handling=strict' };
  const run = { template: 'no-such', parmeters: [], parameters: [{ name: 'no-such', value: 1 }] };

  test.each<[string, string, unknown, string]>([
    ['GET', `${orders}?limit=1&lmit=1`, undefined, 'query.lmit'],
    ['GET', '/userInfo?x=1', undefined, 'query.x'],
    ['GET', '/reports/report?x=1', undefined, 'query.x'],
    ['GET', '/docs/openapi.json?x=1', undefined, 'query.x'],
    ['GET', '/metadata/entities?x=1', undefined, 'query.x'],
    ['POST', `${orders}/search/count`, { filter: {}, fliter: {} }, 'body.fliter'],
  ])('%s %s is served, and X-Ignored names them; handling=strict returns 400', async (method, path, body, ignored) => {
    const sent = body === undefined ? {} : { body };
    const served = await as('admin', method, path, sent);
    expect([served.status, served.headers.get('x-ignored')]).toEqual([200, ignored]);
    const refused = await as('admin', method, path, { ...sent, headers: STRICT });
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([400, 'REQ_UNKNOWN_MEMBER']);
  });

  // Asserts contract/conventions.md#unknown.
  test('of uploads, downloads and runs of reports', async () => {
    const upload = await as('admin', 'POST', '/files?name=a.txt&nmae=b', { body: new TextEncoder().encode('x') });
    expect([upload.status, upload.headers.get('x-ignored')]).toEqual([201, 'query.nmae']);
    const file = `/files?fileRef=${encodeURIComponent(upload.json().fileRef)}`;
    expect((await as('admin', 'GET', `${file}&attachment=true`)).headers.get('x-ignored')).toBeNull();
    expect((await as('admin', 'GET', `${file}&atachment=true`)).headers.get('x-ignored')).toBe('query.atachment');
    expect((await as('admin', 'GET', `${file}&atachment=true`, { headers: STRICT })).status).toBe(400);
    const [report] = (await as('admin', 'GET', '/reports/report')).json();
    const path = `/reports/run/${report.id}`;
    const ignored = await as('admin', 'POST', path, { body: run });
    expect(ignored.headers.get('x-ignored')).toBe('body.parmeters, body.parameters.no-such');
    const refused = await as('admin', 'POST', path, { body: run, headers: STRICT });
    expect([refused.status, refused.json().details]).toEqual([
      400,
      "Unknown member 'parmeters'; did you mean parameters?",
    ]);
  });
});
