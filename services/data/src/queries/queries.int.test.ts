import { loadQueries, predefinedQuery, type QueryDefinition } from '@lintel/application';
import sales from '@lintel/example-sales';
import { type DataFixture, startData } from '../../test/data-fixture.ts';

const USERS = {
  admin: { resourceRoles: ['system-full-access'] },
  clerk: {
    resourceRoles: ['rest-minimal', 'sales-clerk'],
    rowLevelRoles: ['own-region'],
    attributes: { country: 'DE' },
  },
  auditor: { resourceRoles: ['rest-minimal', 'sales-manager'], rowLevelRoles: ['no-discounted-lines'] },
  anonymous: { kind: 'anonymous', resourceRoles: ['catalog-reader'] },
} as const;

const customers = (name: string, text: string, rest: Partial<QueryDefinition> = {}): QueryDefinition =>
  predefinedQuery('sales_Customer', name, { text, fetchPlan: '_instance_name', ...rest });
const values = (name: string, text: string, rest: Partial<QueryDefinition> = {}): QueryDefinition =>
  predefinedQuery('sales_Customer', name, { text, ...rest });
const typed = (name: string, type: string): QueryDefinition =>
  values(name, 'select :value as value from sales_Customer c where c.name = :name', {
    parameters: { value: type, name: 'string' },
  });

const TYPES = {
  text: ['java.lang.String', 'a b', 'a b'],
  integer: ['java.lang.Integer', '12', 12],
  byte: ['java.lang.Byte', '-3', -3],
  short: ['short', '7', 7],
  double: ['java.lang.Double', '0.12345', 0.12345],
  flag: ['java.lang.Boolean', 'TRUE', true],
  moment: ['java.util.Date', '2015-01-02T00:00:00', '2015-01-02T00:00:00.000'],
  localDate: ['java.time.LocalDate', '2015-01-02', '2015-01-02'],
  localDateTime: ['java.time.LocalDateTime', '2015-01-02T03:04:05.006', '2015-01-02T03:04:05.006'],
  localTime: ['java.time.LocalTime', '03:04:05', '03:04:05'],
  offsetDateTime: ['java.time.OffsetDateTime', '2015-01-02T03:04:05+02:00', '2015-01-02T01:04:05.000Z'],
  offsetTime: ['java.time.OffsetTime', '03:04:05+02:00', '03:04:05+02:00'],
  uuid: ['java.util.UUID', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001'],
  constant: ['sales.OrderStatus', 'SHIPPED', 'SHIPPED'],
} as const;

const QUERIES: readonly QueryDefinition[] = [
  customers('some', 'select c from sales_Customer c order by c.name', { limit: 3, offset: 2 }),
  customers('tooMany', 'select c from sales_Customer c', { limit: 10_001 }),
  customers('richer', 'select c from sales_Customer c where c.creditLimit > :least', {
    parameters: { least: 'decimal' },
  }),
  customers('inOrderOfLimit', 'select c from sales_Customer c order by c.creditLimit'),
  customers('ordering', 'select o.customer from sales_Order o where o.status = :s', {
    parameters: { s: 'sales.OrderStatus' },
  }),
  customers('me', 'select c from sales_Customer c where c.name = :session$username or c.name = :session$userLogin'),
  customers('byNames', 'select c from sales_Customer c where c.name in :names order by c.name', {
    parameters: { names: 'java.lang.String[]' },
  }),
  customers('byGrades', 'select c from sales_Customer c where c.grade in (:grades)', {
    parameters: { grades: 'sales.CustomerGrade[]' },
  }),
  customers('several', 'select c from sales_Customer c where c.id = (select o.customer.id from sales_Order o)'),
  values(
    'byCountry',
    'select c.address.country as country, count(c) as customers from sales_Customer c group by c.address.country order by country',
  ),
  values(
    'numbers',
    'select c.name as name, c.creditLimit / 3 as third, c.email as email from sales_Customer c order by c.name',
  ),
  values('power', 'select :factor * :factor as square from sales_Customer c where c.name = :name', {
    parameters: { factor: 'double', name: 'string' },
  }),
  customers(
    'kept',
    'select c from sales_Customer c where exists (select o from sales_Order o where o.customer = c) order by c.name',
    { cacheable: true },
  ),
  customers(
    'keptNow',
    'select c from sales_Customer c where c.createdDate <= current_timestamp or c.createdDate is null order by c.name',
    { cacheable: true },
  ),
  values('keptOf', 'select count(c) as number from sales_Customer c where c.grade = :grade', {
    parameters: { grade: 'sales.CustomerGrade' },
    cacheable: true,
  }),
  predefinedQuery('sales_OrderLine', 'lines', {
    text: 'select l from sales_OrderLine l order by l.position',
    fetchPlan: '_local',
  }),
  predefinedQuery('sales_Product', 'products', { text: 'select p from sales_Product p', fetchPlan: '_instance_name' }),
  ...Object.entries(TYPES).map(([name, [type]]) => typed(name, type)),
  typed('decimal', 'java.math.BigDecimal'),
  typed('long', 'java.lang.Long'),
];

let data: DataFixture;
let closed: DataFixture;

beforeAll(async () => {
  const application = await loadQueries({ ...sales, queries: QUERIES }, [], () => Promise.reject(new Error('none')));
  data = await startData(application, USERS, {
    'svc.rest.anonymous-url-patterns': '/rest/queries/sales_Product/products',
  });
  closed = await startData(application, USERS, {
    'svc.rest.inline-fetch-plan-enabled': 'false',
    'svc.rest.entity-max-fetch-size.sales_Customer': '2',
  });
  for (const { query } of [data, closed]) {
    await query(`INSERT INTO sales.customer (id, version, name, grade, credit_limit, address_country)
      SELECT ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, 1, 'c' || i, CASE WHEN i % 2 = 0 THEN 'G' END,
        i * 100, CASE WHEN i % 4 = 0 THEN 'DE' ELSE 'FR' END FROM generate_series(1, 8) i`);
    await query(`INSERT INTO sales.customer (id, version, name) VALUES (gen_random_uuid(), 1, 'admin')`);
    await query(
      `INSERT INTO sales.product (id, version, name, sku, price) VALUES (gen_random_uuid(), 1, 'Chair', 'C-1', 1)`,
    );
    await query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id)
      SELECT gen_random_uuid(), 1, 'A-' || name, '2026-01-01', 10, id FROM sales.customer WHERE name IN ('c1', 'c4')`);
    await query(`INSERT INTO sales.order_line (id, version, order_id, product_id, quantity, position)
      SELECT gen_random_uuid(), 1, o.id, p.id, 1, i FROM sales."order" o, sales.product p, generate_series(1, 2) i WHERE o.number = 'A-c1'`);
    await query(`INSERT INTO sales.line_discount (id, version, line_id, reason, percent)
      SELECT gen_random_uuid(), 1, id, 'sale', 60 FROM sales.order_line WHERE position = 1`);
  }
});
afterAll(async () => {
  await closed?.close();
  await data?.close();
});

const run = (user: string, name: string, at: DataFixture = data) =>
  at.send(user, 'GET', `/queries/sales_Customer/${name}`);
const namesOf = (response: { json(): { name: string }[] }): readonly string[] =>
  response.json().map(({ name }) => name);

describe('limit and offset of a definition (contract/queries.md#paging)', () => {
  test('apply if the request has none', async () => {
    expect(namesOf(await run('admin', 'some'))).toEqual(['c2', 'c3', 'c4']);
    expect(namesOf(await run('admin', 'some?limit=1'))).toEqual(['c2']);
    expect(namesOf(await run('admin', 'some?offset=0'))).toEqual(['admin', 'c1', 'c2']);
  });

  // Asserts contract/queries.md#endpoints.
  test('do not apply to the count', async () => {
    expect((await run('admin', 'some/count')).text).toBe('9');
    expect((await run('admin', 'some?returnCount=true')).headers.get('x-total-count')).toBe('9');
  });

  // Asserts contract/queries.md#paging.
  test('a limit of the definition above the maximum is refused even if the request has a lower limit', async () => {
    const response = await run('admin', 'tooMany?limit=1');
    expect(response.status).toBe(400);
    expect(response.json().error).toBe('The value of limit exceeded');
    expect((await run('admin', 'tooMany/count')).text).toBe('9');
  });

  // Asserts contract/queries.md#paging.
  test('the maximum is that of the entity', async () => {
    expect((await run('admin', 'me?limit=3', closed)).status).toBe(400);
    expect((await run('admin', 'ordering?s=NEW', closed)).json()).toHaveLength(2);
  });
});

describe('selected values', () => {
  test('a row is an object of the selected values, without those that are null', async () => {
    expect((await run('admin', 'byCountry')).text).toBe(
      '[{"country":"DE","customers":2},{"country":"FR","customers":6},{"customers":1}]',
    );
    expect((await run('admin', 'byCountry?returnNulls=true')).json()[2]).toEqual({ country: null, customers: 1 });
    expect((await run('admin', 'byCountry/count')).text).toBe('3');
  });

  test('rows of values are paged, and numbers are exact', async () => {
    const response = await run('admin', 'numbers?limit=2&offset=1&returnCount=true');
    expect(response.text).toBe('[{"name":"c1","third":33.3333333333333333},{"name":"c2","third":66.6666666666666667}]');
    expect(response.headers.get('x-total-count')).toBe('9');
  });

  test('a fetch plan is refused: 400', async () => {
    const response = await run('admin', 'byCountry?fetchPlan=_local');
    expect(response.status).toBe(400);
    expect(response.json().details).toContain('byCountry');
  });

  // Asserts contract/row-policies.md#reading.
  test('the row-level policies of the caller apply to each variable and path', async () => {
    expect((await run('clerk', 'byCountry')).json()).toEqual([{ country: 'DE', customers: 2 }]);
  });
});

describe('parameters (contract/queries.md#parameters)', () => {
  test.each(Object.entries(TYPES))('a parameter of the kind %s, in URL and body', async (name, [, given, expected]) => {
    const path = `/queries/sales_Customer/${name}`;
    const got = await data.send('admin', 'GET', `${path}?name=c1&value=${encodeURIComponent(given)}`);
    expect(got.json()).toEqual([{ value: expected }]);
    const posted = await data.send('admin', 'POST', path, { name: 'c1', value: given });
    expect(posted.text).toBe(got.text);
  });

  // Asserts contract/decisions.md#15, contract/queries.md#parameters.
  test('decimals and 64-bit integers keep every digit; numbers of a body are parsed from their text', async () => {
    const decimal = await data.send(
      'admin',
      'POST',
      '/queries/sales_Customer/decimal',
      '{"name":"c1","value":12345678901234567890.123456}',
    );
    expect(decimal.text).toBe('[{"value":12345678901234567890.123456}]');
    expect((await run('admin', 'long?name=c1&value=9007199254740993')).text).toBe('[{"value":9007199254740993}]');
    const text = await data.send('admin', 'POST', '/queries/sales_Customer/text', '{"name":"c1","value":1.50}');
    expect(text.json()).toEqual([{ value: '1.50' }]);
    const object = await data.send('admin', 'POST', '/queries/sales_Customer/text', '{"name":"c1","value":{"a":[1]}}');
    expect(object.json()).toEqual([{ value: '{"a":[1]}' }]);
  });

  // Asserts contract/decisions.md#8, contract/errors.md#26, contract/errors.md#27, contract/queries.md#parameters.
  test.each([
    ['integer', '1.5', "Unparseable Number: '1.5'"],
    ['integer', '99999999999', "Unparseable Number: '99999999999'"],
    ['double', 'much', "Unparseable Number: 'much'"],
    ['flag', 'yes', "Unparseable Boolean 'yes'"],
    ['moment', '2015-01-02', "'2015-01-02' is no java.util.Date"],
    ['localDate', '2015-02-30', "'2015-02-30' is no java.time.LocalDate"],
    ['uuid', 'x', "'x' is no java.util.UUID"],
    ['constant', 'shipped', "'shipped' is no sales.OrderStatus"],
  ])('%s: %s returns 400 with the reason', async (name, value, reason) => {
    const response = await run('admin', `${name}?name=c1&value=${encodeURIComponent(value)}`);
    expect(response.status).toBe(400);
    expect(response.json()).toEqual({
      error: 'Invalid parameter value',
      details: `Invalid parameter value for value: ${reason}`,
    });
  });

  // Asserts contract/queries.md#parameters.
  test('a collection is the text of a JSON array in the URL, an array or its text in the body', async () => {
    const path = '/queries/sales_Customer/byNames';
    const expected = ['c1', 'c2'];
    expect(namesOf(await data.send('admin', 'GET', `${path}?names=${encodeURIComponent('["c2","c1","x"]')}`))).toEqual(
      expected,
    );
    expect(namesOf(await data.send('admin', 'POST', path, { names: ['c2', 'c1'] }))).toEqual(expected);
    expect(namesOf(await data.send('admin', 'POST', path, { names: '["c2","c1"]' }))).toEqual(expected);
    expect((await data.send('admin', 'POST', path, { names: [] })).json()).toEqual([]);
    expect((await run('admin', 'byGrades?grades=["GOLD"]')).json()).toHaveLength(4);
    expect((await run('admin', 'byGrades?grades=["LOST"]')).status).toBe(400);
  });

  // Asserts contract/queries.md#parameters, contract/tokens.md#anonymous.
  test('session$username and session$userLogin are those of the caller', async () => {
    expect(namesOf(await run('admin', 'me'))).toEqual(['admin']);
    expect((await run('clerk', 'me')).json()).toEqual([]);
  });
});

describe('cacheable (contract/queries.md#errors)', () => {
  const change = (sql: string) => closed.query(sql);
  const kept = async (user = 'admin', name = 'kept') => namesOf(await run(user, name, closed));
  const notify = (entity: string): void => {
    for (const cache of closed.service.caches)
      if (cache.declaration.name === 'queries')
        cache.handleEvent({ type: 'data.entity.changed.v1', data: { entity } } as Parameters<
          typeof cache.handleEvent
        >[0]);
  };

  // Asserts contract/queries.md#errors.
  test('a result is cached until an entity that its statement reads changes', async () => {
    expect(await kept()).toEqual(['c1', 'c4']);
    await change(`UPDATE sales.customer SET name = 'c1 new' WHERE name = 'c1'`);
    expect(await kept()).toEqual(['c1', 'c4']);
    notify('sales_Product');
    expect(await kept()).toEqual(['c1', 'c4']);
    notify('sales_Order');
    expect(await kept()).toEqual(['c1 new', 'c4']);
    await change(`UPDATE sales.customer SET name = 'c1' WHERE name = 'c1 new'`);
    notify('sales_Customer');
    expect(await kept()).toEqual(['c1', 'c4']);
  });

  // Asserts contract/queries.md#errors.
  test('a write of this service is visible to its next query', async () => {
    expect(await kept()).toEqual(['c1', 'c4']);
    const { id } = (await run('admin', 'kept', closed)).json()[0];
    expect((await closed.send('admin', 'PUT', `/entities/sales_Customer/${id}`, { name: 'c0' })).status).toBe(200);
    expect(await kept()).toEqual(['c0', 'c4']);
    await closed.send('admin', 'PUT', `/entities/sales_Customer/${id}`, { name: 'c1' });
    expect(await kept()).toEqual(['c1', 'c4']);
  });

  // Asserts contract/queries.md#errors.
  test('other callers, parameters, pages and counts have their own results', async () => {
    expect(await kept()).toEqual(['c1', 'c4']);
    expect(await kept('clerk')).toEqual(['c4']);
    expect((await run('admin', 'kept?limit=1', closed)).json()).toHaveLength(1);
    expect((await run('admin', 'kept/count', closed)).text).toBe('2');
    expect((await run('clerk', 'kept/count', closed)).text).toBe('1');
    expect((await run('admin', 'keptOf?grade=GOLD', closed)).json()).toEqual([{ number: 4 }]);
    expect((await run('admin', 'keptOf?grade=SILVER', closed)).json()).toEqual([{ number: 0 }]);
  });

  test('results that depend on the current time are not cached, nor those of other queries', async () => {
    expect(await kept('admin', 'keptNow')).toEqual(['admin', 'c1']);
    expect(await kept('admin', 'all')).toHaveLength(2);
    await change(`UPDATE sales.customer SET name = 'a' WHERE name = 'admin'`);
    expect(await kept('admin', 'keptNow')).toEqual(['a', 'c1']);
    await change(`UPDATE sales.customer SET name = 'admin' WHERE name = 'a'`);
  });
});

describe('access (contract/queries.md#errors, contract/decisions.md#13, #53)', () => {
  // Asserts contract/decisions.md#53, contract/roles.md#attributes-read.
  test.each(['richer?least=1', 'richer/count?least=1', 'inOrderOfLimit', 'numbers'])(
    'a query that would reveal a hidden attribute returns 403: %s',
    async (name) => {
      const response = await run('clerk', name);
      expect(response.status).toBe(403);
      expect(response.json()).toEqual({
        error: 'Reading forbidden',
        details: 'Reading of the attribute sales_Customer.creditLimit is forbidden',
      });
    },
  );

  test('a path leads only to instances that the caller may see', async () => {
    expect(namesOf(await run('admin', 'ordering?s=NEW')).toSorted()).toEqual(['c1', 'c4']);
    expect(namesOf(await run('clerk', 'ordering?s=NEW'))).toEqual(['c4']);
  });

  // Asserts contract/row-policies.md#reading.
  test('predicates select the instances of the result and of its count', async () => {
    const lines = (user: string, rest = '') => data.send(user, 'GET', `/queries/sales_OrderLine/lines${rest}`);
    expect((await lines('admin')).json()).toHaveLength(2);
    expect((await lines('auditor')).json()).toHaveLength(1);
    expect((await lines('auditor', '/count')).text).toBe('1');
    expect((await lines('auditor', '?limit=1&returnCount=true')).headers.get('x-total-count')).toBe('1');
  });

  // Asserts contract/queries.md#errors, contract/tokens.md#anonymous.
  test('a query with an anonymous URL pattern runs as anonymous, others do not', async () => {
    const path = '/queries/sales_Product';
    expect((await data.send('anonymous', 'GET', `${path}/products`)).json()).toHaveLength(1);
    expect((await data.send('anonymous', 'GET', `${path}/products/count`)).status).toBe(401);
    expect((await data.send('anonymous', 'GET', `${path}/all`)).status).toBe(401);
  });

  // Asserts contract/decisions.md#4, contract/fetch-plans.md#inline, contract/queries.md#endpoints.
  test('inline plans can be disabled', async () => {
    const plan = encodeURIComponent('{"entity":"sales_Customer","properties":["name"]}');
    const response = await run('admin', `me?fetchPlan=${plan}`, closed);
    expect(response.status).toBe(400);
    expect(response.json().error).toBe('Inline fetch plans are disabled');
  });

  // Asserts contract/errors.md#41.
  test('a query without a result for the values returns 400, not 500', async () => {
    for (const name of ['several', 'power?name=c1&factor=1e300']) {
      const response = await run('admin', name);
      expect(response.status).toBe(400);
      expect(response.json().error).toBe('Error on executing the query');
    }
    expect(data.errors).toEqual([]);
  });
});
