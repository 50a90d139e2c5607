import { type DataFixture, NOW, startData } from '../../../test/data-fixture.ts';
import { shop } from '../../../test/shop-application.ts';

// Needs a database: createTestDatabase.

let data: DataFixture;
beforeAll(async () => {
  data = await startData(shop, { admin: { resourceRoles: ['system-full-access'] } });
}, 60_000);
afterAll(() => data.close());

const admin = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  data.send('admin', method, path, body, headers);
const create = async (entity: string, body: unknown): Promise<string> => {
  const answer = await admin('POST', `/entities/${entity}`, body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.json().id;
};
const read = async (entity: string, id: string, plan = '_local') =>
  (await admin('GET', `/entities/${entity}/${id}?returnNulls=true&fetchPlan=${encodeURIComponent(plan)}`)).json();
const rowsOf = async (table: string): Promise<number> =>
  Number((await data.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n);
const events = () =>
  data.query<{ type: string; subject: string; envelope: { data: Record<string, unknown> } }>(
    'SELECT type, subject, envelope FROM events.outbox ORDER BY position',
  );

describe('a flat instance', () => {
  test('is created with defaults, audit marks and the first version', async () => {
    const answer = await admin('POST', '/entities/t_Customer', { name: 'Ada' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([201, 'application/json']);
    const { id, ...rest } = answer.json();
    expect(rest).toEqual({ _entityName: 't_Customer', _instanceName: 'Ada' });
    expect(answer.headers.get('location')).toBe(`${data.url}/rest/entities/t_Customer/${id}`);
    expect(answer.headers.get('etag')).toMatch(/^"1\./);
    expect(await read('t_Customer', id)).toMatchObject({
      name: 'Ada',
      active: true,
      version: 1,
      createdBy: 'admin',
      createdDate: NOW,
      lastModifiedDate: NOW,
      lastModifiedBy: null,
      deletedDate: null,
      email: null,
    });
  });

  test('the Location is the one that the client asked the gateway for', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example.com, inner' };
    const answer = await admin('POST', '/entities/t_Customer/?x=1', { name: 'Ada' }, headers);
    expect(answer.headers.get('location')).toBe(`https://api.example.com/rest/entities/t_Customer/${answer.json().id}`);
  });

  test('system attributes are the server’s', async () => {
    const id = await create('t_Customer', {
      name: 'x',
      version: 7,
      createdBy: 'mallory',
      createdDate: '2000-01-01T00:00:00',
      lastModifiedBy: 'mallory',
      deletedDate: '2000-01-01T00:00:00',
    });
    expect(await read('t_Customer', id)).toMatchObject({
      version: 1,
      createdBy: 'admin',
      createdDate: NOW,
      lastModifiedBy: null,
      deletedDate: null,
    });
  });

  test('embedded attributes, references and element collections are stored', async () => {
    const category = await create('t_Category', { code: 'RETAIL' });
    const id = await create('t_Customer', {
      name: 'x',
      address: { city: 'Ulm', country: 'DE' },
      category: { id: category, code: 'ignored' },
      tags: ['b', 'a', 'b'],
    });
    const plan = JSON.stringify({
      entity: 't_Customer',
      properties: ['address', 'tags', { name: 'category', fetchPlan: '_local' }],
    });
    expect(await read('t_Customer', id, plan)).toMatchObject({
      address: { city: 'Ulm', country: 'DE' },
      tags: ['b', 'a', 'b'],
      category: { id: category, code: 'RETAIL' },
    });
  });

  test('responseFetchPlan and responseView choose the members of the answer', async () => {
    for (const parameter of ['responseFetchPlan', 'responseView']) {
      const answer = await admin('POST', `/entities/t_Customer?${parameter}=_local`, { name: 'x', grade: 'GOLD' });
      expect(answer.json()).toMatchObject({ name: 'x', grade: 'GOLD', version: 1, active: true });
    }
  });

  test('events go into the outbox with the change; a refused change leaves none', async () => {
    await data.query('DELETE FROM events.outbox');
    const id = await create('t_Category', { code: 'EVENT' });
    expect(await events()).toEqual([
      {
        type: 'data.entity.changed.v1',
        subject: `t_Category/${id}`,
        envelope: expect.objectContaining({
          source: '/lintel/data',
          time: `${NOW}Z`,
          data: {
            entity: 't_Category',
            id,
            change: 'created',
            attributes: expect.arrayContaining(['code', 'version']),
            by: 'admin',
          },
        }),
      },
    ]);
    expect((await admin('POST', '/entities/t_Category', { code: 'EVENT' })).status).toBe(409);
    expect(await events()).toHaveLength(1);
  });
});

describe('values of every type', () => {
  const values = {
    text: 'Grüße – 上海 \u{1F69A} "quoted" \\ <b>\n',
    shortText: '上海\u{1F69A}ab',
    number: -2147483648,
    ratio: 0.1,
    flag: true,
    ident: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11',
    day: '2026-02-28',
    moment: '2026-03-04T10:20:30.123',
    stamp: '2026-03-04T10:20:30.000',
    clock: '07:45:00',
    bytes: 'AP8QgA==',
    file: 'fs://2026/03/04/6b1b36c2.pdf?name=a%20b.pdf',
    link: 'https://example.com/?q=1',
    state: 'CLOSED',
    grade: 'BRONZE',
  };

  test('come back as they were sent', async () => {
    const id = await create('t_Everything', values);
    expect(await read('t_Everything', id)).toMatchObject(values);
  });

  test('64-bit integers and decimals keep every digit, as numbers and as texts', async () => {
    for (const body of [
      '{"big":9223372036854775807,"money":12345678901234.5678}',
      '{"big":"9223372036854775807","money":"12345678901234.5678"}',
    ]) {
      const answer = await admin('POST', '/entities/t_Everything?responseFetchPlan=_local', body);
      expect(answer.status).toBe(201);
      expect(answer.text).toMatch(/"big":\s*9223372036854775807\b/);
      expect(answer.text).toMatch(/"money":\s*12345678901234\.5678\b/);
    }
  });

  test('lenient forms are read: short times, zone offsets of dates, bare uuids, blank dates', async () => {
    const id = await create('t_Everything', {
      moment: '2026-03-04T10:20',
      clock: '07:45',
      day: '2026-02-28+02:00',
      ident: '6B1B36C22F0E4A548F0E0D0F5F3D7A11',
      instant: '2026-03-04T10:20:30.5+02:00',
      stamp: '',
      number: '17',
      flag: 'TRUE',
    });
    const stored = await read('t_Everything', id);
    expect(stored).toMatchObject({
      moment: '2026-03-04T10:20:00.000',
      clock: '07:45:00',
      day: '2026-02-28',
      ident: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11',
      stamp: null,
      number: 17,
      flag: true,
    });
    expect(new Date(stored.instant).toISOString()).toBe('2026-03-04T08:20:30.500Z');
  });

  test('read-only, transient and unknown members are ignored', async () => {
    const id = await create('t_Everything', { fixed: 'x', unstored: 'x', nobody: { a: [1] }, _instanceName: 'x' });
    expect(await read('t_Everything', id)).toMatchObject({ fixed: null });
  });

  test.each<[string, unknown, string]>([
    ['text', 5, 'a text'],
    ['text', true, 'a text'],
    ['text', {}, 'a text'],
    ['text', [], 'a text'],
    ['text', 'a\u0000b', 'NUL'],
    ['number', 1.5, '32-bit integer'],
    ['number', '1e3', '32-bit integer'],
    ['number', 2147483648, '32-bit integer'],
    ['number', '', '32-bit integer'],
    ['number', true, '32-bit integer'],
    ['big', '9223372036854775808', '64-bit integer'],
    ['ratio', 'much', 'a number'],
    ['money', 'much', 'a decimal number'],
    ['flag', 'yes', 'true or false'],
    ['flag', 1, 'true or false'],
    ['ident', 'x', 'a UUID'],
    ['day', '31.12.2026', 'YYYY-MM-DD'],
    ['day', '2026-02-30', 'YYYY-MM-DD'],
    ['day', 20260228, 'YYYY-MM-DD'],
    ['moment', '2026-03-04', 'YYYY-MM-DDTHH:mm:ss'],
    ['instant', '2026-03-04T10:20:30', 'with an offset'],
    ['clock', '25:99', 'HH:mm:ss'],
    ['bytes', 'not base64', 'Base64'],
    ['file', 'nonsense', 'file reference'],
    ['grade', 'G', 'BRONZE, GOLD'],
    ['state', 10, 'OPEN, CLOSED'],
  ])('%s: %j is refused with a text that names the attribute and the type', async (name, value, expected) => {
    const before = await rowsOf('t.everything');
    const answer = await admin('POST', '/entities/t_Everything', { [name]: value });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json()).sort()).toEqual(['details', 'error']);
    expect(answer.json().details).toContain(`'${name}'`);
    expect(answer.json().details).toContain(expected);
    expect(await rowsOf('t.everything')).toBe(before);
  });
});

describe('keys', () => {
  test('an id may be given; a taken one is 409 and changes nothing', async () => {
    const id = crypto.randomUUID();
    expect(await create('t_Customer', { id, name: 'first' })).toBe(id);
    const again = await admin('POST', '/entities/t_Customer', { id, name: 'second' });
    expect([again.status, again.json()]).toEqual([
      409,
      { error: 'Entity already exists', details: `Entity t_Customer with id ${id} already exists` },
    ]);
    expect((await read('t_Customer', id)).name).toBe('first');
    await admin('DELETE', `/entities/t_Customer/${id}`);
    expect((await admin('POST', '/entities/t_Customer', { id, name: 'third' })).status).toBe(409);
  });

  test('"id": null and "" count as absent; a bad id is 400', async () => {
    for (const id of [null, '']) expect(await create('t_Customer', { id, name: 'x' })).toMatch(/-/);
    const answer = await admin('POST', '/entities/t_Customer', { id: 'xyz', name: 'x' });
    expect([answer.status, answer.json().details]).toEqual([400, "Attribute 'id' is no valid id of t_Customer"]);
  });

  test('a text key is sent under its own name or as id, and is part of the answer', async () => {
    const answer = await admin('POST', '/entities/t_Warehouse', { code: 'W/1 ü', name: 'North' });
    expect(answer.json()).toEqual({ _entityName: 't_Warehouse', _instanceName: 'North', id: 'W/1 ü', code: 'W/1 ü' });
    const location = answer.headers.get('location') ?? '';
    expect(location).toBe(`${data.url}/rest/entities/t_Warehouse/${encodeURIComponent('W/1 ü')}`);
    expect(await create('t_Warehouse', { id: 'W2', code: 'ignored', name: 'South' })).toBe('W2');
    const missing = await admin('POST', '/entities/t_Warehouse', { name: 'x' });
    expect([missing.status, missing.json()]).toEqual([
      400,
      [expect.objectContaining({ path: 'code', message: 'may not be null', invalidValue: null })],
    ]);
  });

  test('an identity key is given by the database and is a number', async () => {
    await create('t_Warehouse', { code: 'W3', name: 'x' });
    const answer = await admin('POST', '/entities/t_Movement', { warehouse: { code: 'W3' }, quantity: 1 });
    expect([answer.status, typeof answer.json().id]).toEqual([201, 'number']);
    const batch = await admin('POST', '/entities/t_Movement', [
      { warehouse: { id: 'W3' }, quantity: 2 },
      { warehouse: { id: 'W3' }, quantity: 3 },
    ]);
    expect(batch.json().map((item: { id: number }) => item.id)).toEqual([answer.json().id + 1, answer.json().id + 2]);
  });

  test('a composite key is an object in the answer and base64url in the Location', async () => {
    const id = { currency: 'EUR', validOn: '2026-01-01' };
    const answer = await admin('POST', '/entities/t_Rate', { id, rate: 1.25 });
    expect([answer.status, answer.json().id]).toEqual([201, id]);
    const key = (answer.headers.get('location') ?? '').split('/').at(-1) ?? '';
    expect(JSON.parse(Buffer.from(key, 'base64url').toString())).toEqual(id);
    expect((await admin('GET', `/entities/t_Rate/${key}`)).json().id).toEqual(id);
    expect((await admin('POST', '/entities/t_Rate', { id, rate: 1 })).status).toBe(409);
    expect((await admin('POST', '/entities/t_Rate', { id: { currency: 'EUR' }, rate: 1 })).status).toBe(400);
  });

  test('descendants are created under their own and under their ancestor’s name', async () => {
    const company = await create('t_Company', { name: 'ACME', vat: 'DE1' });
    expect((await read('t_Party', company)).name).toBe('ACME');
    const answer = await admin('POST', '/entities/t_Party', {
      _entityName: 't_Person',
      name: 'Bo',
      birthDate: '1990-01-01',
    });
    expect(answer.json()._entityName).toBe('t_Person');
    expect(await read('t_Person', answer.json().id)).toMatchObject({ birthDate: '1990-01-01' });
    const abstract = await admin('POST', '/entities/t_Party', { name: 'x' });
    expect([abstract.status, abstract.json().details]).toEqual([400, expect.stringContaining('t_Company or t_Person')]);
    const foreign = await admin('POST', '/entities/t_Company', { _entityName: 't_Person', name: 'x' });
    expect([foreign.status, foreign.json().details]).toEqual([400, expect.stringContaining('_entityName')]);
  });
});

describe('refused creates leave nothing behind', () => {
  const item = (path: string, message: string, constraint: string, invalidValue: unknown) => ({
    message,
    messageTemplate: constraint.includes(' ') ? constraint : `{jakarta.validation.constraints.${constraint}.message}`,
    path,
    invalidValue,
  });

  test.each<[string, string, Record<string, unknown>, unknown[]]>([
    ['a missing mandatory attribute', 't_Customer', {}, [item('name', 'may not be null', 'NotNull', null)]],
    ['a null', 't_Customer', { name: null }, [item('name', 'may not be null', 'NotNull', null)]],
    ['a blank text', 't_Delivery', { carrier: '  ' }, [item('carrier', 'must not be blank', 'NotBlank', '  ')]],
    [
      'an address without @',
      't_Customer',
      { name: 'x', email: 'nobody' },
      [item('email', 'not a well-formed email address', 'Email', 'nobody')],
    ],
    [
      'a date of tomorrow where the past is asked for',
      't_Customer',
      { name: 'x', birthDate: '2026-11-21' },
      [item('birthDate', 'must be in the past', 'Past', '2026-11-21')],
    ],
    [
      'a value below its bound',
      't_Customer',
      { name: 'x', limit: -0.01 },
      [item('limit', 'must be greater than or equal to 0', 'DecimalMin', -0.01)],
    ],
    [
      'a value that is not above zero',
      't_Line',
      { quantity: 0, order: { id: crypto.randomUUID() } },
      [item('quantity', 'must be greater than 0', 'Positive', 0)],
    ],
    [
      'a value above its bound',
      't_Discount',
      { percent: 100.5, line: { id: crypto.randomUUID() } },
      [item('percent', 'must be less than or equal to 100', 'DecimalMax', 100.5)],
    ],
    [
      'more digits than the attribute has',
      't_Customer',
      { name: 'x', limit: 1.005 },
      [item('limit', 'numeric value out of bounds (<7 digits>.<2 digits> expected)', 'Digits', 1.005)],
    ],
    [
      'a text that is too long',
      't_Everything',
      { shortText: '123456' },
      [item('shortText', 'size must be between 0 and 5', 'Size', '123456')],
    ],
    [
      'a key that is too short',
      't_Warehouse',
      { code: 'X', name: 'x' },
      [item('code', 'size must be between 2 and 10', 'Size', 'X')],
    ],
    [
      'a pattern inside an embedded attribute',
      't_Customer',
      { name: 'x', address: { zip: 'abc' } },
      [item('address.zip', 'must match "\\d+"', 'Pattern', 'abc')],
    ],
    [
      'an element that is too long',
      't_Customer',
      { name: 'x', tags: ['ok', 'toolong'] },
      [item('tags[1]', 'size must be between 0 and 5', 'Size', 'toolong')],
    ],
    ['a rule of its own', 't_Everything', { even: 3 }, [item('even', 'Epic fail', 'Epic fail', 3)]],
    [
      'a text of its own for a rule',
      't_Everything',
      { later: '2020-01-01' },
      [item('later', 'Must be in the future', 'Must be in the future', '2020-01-01')],
    ],
  ])('%s: 400 with the items of specification 2.4', async (_case, entity, body, items) => {
    // References are looked up first, so the parents of lines and discounts must exist.
    const sent = { ...body };
    if ('order' in sent || 'line' in sent) {
      const customer = await create('t_Customer', { name: 'x' });
      const order = await create('t_Order', { number: crypto.randomUUID().slice(0, 10), customer: { id: customer } });
      if ('order' in sent) sent['order'] = { id: order };
      else sent['line'] = { id: await create('t_Line', { quantity: 1, order: { id: order } }) };
    }
    const answer = await admin('POST', `/entities/${entity}`, sent);
    expect([answer.status, answer.json()]).toEqual([400, items]);
  });

  test('all violations are told at once', async () => {
    const answer = await admin('POST', '/entities/t_Customer', { email: 'x', limit: -1 });
    expect(
      answer
        .json()
        .map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual(['email', 'limit', 'name']);
  });

  test('a class-level rule has the empty path', async () => {
    const customer = { id: await create('t_Customer', { name: 'x' }) };
    const answer = await admin('POST', '/entities/t_Order', { number: 'N1', customer, state: 'CLOSED' });
    expect([answer.status, answer.json()]).toEqual([
      400,
      [item('', 'Closed order must have lines', 'Closed order must have lines', null)],
    ]);
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    [
      'an unknown enum constant',
      { state: 'X' },
      'An error occurred while parsing enum. Class [class t.State]. Value [X].',
      "Attribute 'state' must be one of OPEN, CLOSED",
    ],
    [
      'a reference that is no object',
      { customer: 'x' },
      "Attribute 'customer' refers to an entity. Property value must be a JSON object literal",
      "Attribute 'customer' must be a JSON object",
    ],
    [
      'a collection that is no array',
      { lines: {} },
      "Attribute 'lines' refers to a collection. Property value must be a JSON array literal",
      "Attribute 'lines' must be a JSON array",
    ],
    [
      'null where children are needed',
      { lines: null },
      "Attribute 'lines' refers to a collection. Property value must be a JSON array literal",
      "Attribute 'lines' must be a JSON array",
    ],
    [
      'a reference with a bad id',
      { customer: { id: 7 } },
      'Cannot deserialize an entity from JSON',
      "Attribute 'customer.id' is no valid id of t_Customer",
    ],
  ])('%s: 400 in the words of the contract', async (_case, values, error, details) => {
    const answer = await admin('POST', '/entities/t_Order', { number: 'N2', ...values });
    expect([answer.status, answer.json()]).toEqual([400, { error, details }]);
  });

  test('null for an embedded attribute is 400 naming it', async () => {
    const answer = await admin('POST', '/entities/t_Customer', { name: 'x', address: null });
    expect([answer.status, answer.json().details]).toEqual([400, "Attribute 'address' must be a JSON object"]);
  });

  test.each([{}, { id: crypto.randomUUID() }])('a reference to nothing (%j): 400', async (customer) => {
    const answer = await admin('POST', '/entities/t_Order', { number: 'N3', customer });
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: 'Entity creation failed', details: "Referenced entity for property 'customer' is missing" },
    ]);
  });

  test('a reference to a soft-deleted instance is allowed', async () => {
    const id = await create('t_Customer', { name: 'gone' });
    await admin('DELETE', `/entities/t_Customer/${id}`);
    await create('t_Order', { number: 'N4', customer: { id } });
  });

  test('a unique value that is taken: 409 naming entity and attribute', async () => {
    await create('t_Category', { code: 'TWICE' });
    const answer = await admin('POST', '/entities/t_Category', { code: 'TWICE' });
    expect([answer.status, answer.json()]).toEqual([
      409,
      { error: 'Unique constraint violation', details: 'Entity t_Category: another instance has the same code' },
    ]);
  });

  test.each([
    ['', 'Malformed request JSON data structure'],
    ['{', 'Malformed request JSON data structure'],
    ['{name: 1}', 'Malformed request JSON data structure'],
    ['[1,]', 'Malformed request JSON data structure'],
    ['5', 'Cannot deserialize an entity from JSON'],
    ['null', 'Cannot deserialize an entity from JSON'],
    ['[5]', 'Cannot deserialize an entity from JSON'],
    ['\ufeff{"name":"x"}', 'Malformed request JSON data structure'],
  ])('a body of %j: 400', async (body, error) => {
    const answer = await admin('POST', '/entities/t_Customer', body);
    expect([answer.status, answer.json().error]).toEqual([400, error]);
  });

  test('unknown entities, embeddables and DTOs: 404', async () => {
    for (const entity of ['t_No', 't_Address', 't_Quote', 'constructor', '__proto__']) {
      const answer = await admin('POST', `/entities/${entity}`, {});
      expect([answer.status, answer.json()]).toEqual([
        404,
        { error: 'Entity not found', details: `Entity ${entity} not found` },
      ]);
    }
  });

  test('an unknown response plan is refused before anything is written', async () => {
    const before = await rowsOf('t.customer');
    const answer = await admin('POST', '/entities/t_Customer?responseFetchPlan=nope', { name: 'x' });
    expect([answer.status, answer.json().error]).toEqual([400, 'Fetch plan not found']);
    expect(await rowsOf('t.customer')).toBe(before);
  });

  test('a body that is too large: 413', async () => {
    const answer = await admin('POST', '/entities/t_Customer', { name: 'x'.repeat(17 * 1024 * 1024) });
    expect(answer.status).toBe(413);
  });
});

describe('batches', () => {
  test('are answered in the order of the request, with the collection as Location', async () => {
    const answer = await admin('POST', '/entities/t_Category', [{ code: 'B1' }, { code: 'B2' }]);
    expect(answer.status).toBe(201);
    expect(answer.json().map((item: { _instanceName: string }) => item._instanceName)).toEqual(['B1', 'B2']);
    expect(answer.headers.get('location')).toBe(`${data.url}/rest/entities/t_Category`);
  });

  test('an empty batch is 201 with an empty array', async () => {
    const answer = await admin('POST', '/entities/t_Category', []);
    expect([answer.status, answer.text]).toEqual([201, '[]']);
  });

  test('one bad item refuses all, with its place in the path', async () => {
    const before = await rowsOf('t.category');
    const answer = await admin('POST', '/entities/t_Category', [{ code: 'B3' }, { name: 'x' }]);
    expect([answer.status, answer.json()]).toEqual([
      400,
      [expect.objectContaining({ path: 'entities[1].code', message: 'may not be null' })],
    ]);
    expect(await rowsOf('t.category')).toBe(before);
  });

  test('items may refer to each other, in either order', async () => {
    const [customer, order] = [crypto.randomUUID(), crypto.randomUUID()];
    const party = await admin('POST', '/entities/t_Product', [{ name: 'p', fan: null }]);
    expect(party.status).toBe(201);
    const line = crypto.randomUUID();
    await create('t_Customer', { id: customer, name: 'x' });
    const answer = await admin('POST', '/entities/t_Order', [
      { id: order, number: 'B4', customer: { id: customer }, lines: [{ id: line, quantity: 1 }] },
    ]);
    expect(answer.status).toBe(201);
  });

  test('two items with one id: 400', async () => {
    const id = crypto.randomUUID();
    const answer = await admin('POST', '/entities/t_Category', [
      { id, code: 'B5' },
      { id, code: 'B6' },
    ]);
    expect([answer.status, answer.json().details]).toEqual([400, 'Two items of the batch have the same id']);
  });
});
