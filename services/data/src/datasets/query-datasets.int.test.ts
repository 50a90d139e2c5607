// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders of data sets have the form of template literals
import { type DatasetsFixture, ID, startDatasets } from '../../test/datasets-fixture.ts';

let data: DatasetsFixture;
beforeAll(async () => {
  data = await startDatasets();
});
afterAll(() => data?.close());
beforeEach(() => {
  data.statements.length = 0;
});
const ask = (body: object, user?: string) => data.ask(body, user);

// Asserts contract/report-data.md#sets.
describe('groups and aggregates as a data set', () => {
  const question = {
    groupBy: ['status', { attribute: 'customer', captionAs: 'name' }],
    aggregates: { n: { count: '*' }, first: { min: 'day' } },
    sort: '-n',
    limit: 1,
  };

  test('have the types of their values, and the limit of the question', async () => {
    const { status, lines } = await ask({ aggregates: 'd_Order', question });
    expect([status, lines.length, lines.at(-1)]).toEqual([200, 3, '{"$end":1}']);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      $columns: [
        { name: 'status', type: 'string', enumName: 'd.Status' },
        { name: 'customer', type: 'uuid' },
        { name: 'name', type: 'string' },
        { name: 'n', type: 'long' },
        { name: 'first', type: 'localDate' },
      ],
    });
    const { limit: _, ...all } = question;
    expect((await ask({ aggregates: 'd_Order', question: all })).lines.length).toBeGreaterThan(3);
  });

  test('are what the caller may read and ask', async () => {
    const aggregates = { n: { count: '*' } };
    const count = async (user?: string) =>
      (await ask({ aggregates: 'd_Customer', question: { aggregates } }, user)).text;
    expect(await count('limited')).not.toBe(await count());
    const hidden = { aggregates: 'd_Customer', question: { aggregates: { n: { max: 'note' } } } };
    expect((await ask(hidden)).status).toBe(400);
    expect((await ask({ aggregates: 'd_Order', question: { groupBy: ['none'] } })).text).toContain('not found: none');
  });
});

describe('a query as a data set', () => {
  const TOTALS = `select o.number as number, sum(l.amount) as total, o.status as status, o.day as day
    from d_Line l join l.order o where o.day >= \${from} and o.customer.country = \${country}
    [[and o.status in \${statuses}]] group by o.number, o.status, o.day order by o.number`;
  const values = {
    from: { type: 'localDate', value: '2026-01-01' },
    country: { value: 'DE' },
    statuses: { type: 'd.Status', value: [] },
  };

  // Asserts contract/report-data.md#data.
  test('returns values with their types, exactly', async () => {
    const { status, lines } = await ask({ query: TOTALS, values });
    expect([status, lines]).toEqual([
      200,
      [
        '{"$columns":[{"name":"number","type":"string"},{"name":"total","type":"decimal"},' +
          '{"name":"status","type":"string","enumName":"d.Status"},{"name":"day","type":"localDate"}]}',
        '{"number":"A-1","total":12345678901234572.39,"status":"OPEN","day":"2026-01-01"}',
        '{"$end":1}',
      ],
    ]);
  });

  test('binds constants of enums, and texts with the type of the other operand', async () => {
    const closed = { ...values, country: { value: 'FR' }, statuses: { type: 'd.Status', value: ['CLOSED'] } };
    expect((await ask({ query: TOTALS, values: closed })).text).toContain('"number":"B-1"');
    const byId = 'select o.number as number from d_Order o where o.id = ${id} and o.id in ${ids}';
    const ids = { id: { value: ID(12) }, ids: { value: [ID(12), ID(13)] } };
    expect((await ask({ query: byId, values: ids })).lines[1]).toBe('{"number":"A-2"}');
  });

  // Asserts contract/report-data.md#data.
  test('omits conditions with missing values', async () => {
    const { lines } = await ask({ query: TOTALS, values: { ...values, country: { value: null } } });
    expect(lines.slice(1).map((line) => JSON.parse(line).number)).toEqual(['A-1', 'B-1', undefined]);
  });

  // Asserts contract/report-data.md#data.
  test('returns instances according to their fetch plan, with empty attributes', async () => {
    const query = 'select o from d_Order o where o.number = ${number}';
    const fetchPlan = { properties: ['number', 'placed', 'paid', 'customer.name'] };
    const { lines } = await ask({ query, values: { number: { value: 'A-2' } }, fetchPlan });
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      _entityName: 'd_Order',
      _instanceName: 'A-2',
      id: ID(12),
      number: 'A-2',
      placed: null,
      paid: null,
      customer: { _entityName: 'd_Customer', _instanceName: 'Anna', id: ID(1), name: 'Anna' },
    });
  });

  // Asserts contract/report-data.md#children, contract/report-data.md#data.
  test('returns the rows for all parents with one statement, for each parent in the order of the query', async () => {
    const query = `select l.product as product from d_Line l
      where l.order.id = \${Orders.id} and l.amount >= \${least} order by l.product desc`;
    const parents = { fields: [{ name: 'Orders.id' }], rows: [[ID(13)], [ID(12)], [null], [ID(11)], [ID(13)]] };
    const { lines } = await ask({ query, values: { least: { type: 'decimal', value: '1.6' } }, parents });
    expect(lines.slice(1)).toEqual([
      '{"$at":0}',
      '{"product":"pen"}',
      '{"$at":3}',
      '{"product":"pad"}',
      '{"product":"ink"}',
      '{"$at":4}',
      '{"product":"pen"}',
      '{"$end":4}',
    ]);
    expect(data.statements).toHaveLength(1);
  });

  test('returns instances for all parents, whose fields may be enums', async () => {
    const query = 'select o from d_Order o where o.status = ${A.status} order by o.number';
    const parents = { fields: [{ name: 'A.status', type: 'd.Status' }], rows: [['CLOSED'], ['OPEN']] };
    const { lines } = await ask({ query, values: {}, parents, fetchPlan: { properties: ['number'] } });
    expect(lines.map((line) => JSON.parse(line)).map((row) => row.number ?? row.$at ?? 'end')).toEqual([
      0,
      'A-2',
      'B-1',
      1,
      'A-1',
      'end',
    ]);
  });

  // Asserts contract/report-data.md#transformations.
  test('case-insensitive patterns match any case', async () => {
    const query = 'select c.name as name from d_Customer c where c.name like ${mask}';
    expect((await ask({ query, values: { mask: { value: '(?i)A%' } } })).lines[1]).toBe('{"name":"Anna"}');
    expect((await ask({ query, values: { mask: { value: 'a%' } } })).lines[1]).toBe('{"$end":0}');
  });

  // Asserts contract/reports.md#rights.
  test('applies row-level policies and attribute rights of the caller', async () => {
    const query = 'select o.number as number from d_Order o order by o.number';
    expect((await ask({ query, values: {} }, 'german')).lines.slice(1)).toEqual([
      '{"number":"A-1"}',
      '{"number":"A-2"}',
      '{"$end":2}',
    ]);
    const hidden = 'select o.number as number from d_Order o where o.day = ${day}';
    expect((await ask({ query: hidden, values: { day: { value: '2026-01-01' } } }, 'limited')).status).toBe(403);
    expect((await ask({ query: 'select l.product as p from d_Line l', values: {} }, 'limited')).status).toBe(403);
  });

  // Asserts contract/personal-data.md#masks.
  test('shows personal values to holders of the permission alone, as conditions neither', async () => {
    const instances = { query: 'select c from d_Customer c order by c.name', values: {}, fetchPlan: '_local' };
    const entities = { entity: 'd_Customer', fetchPlan: '_local', sort: 'name' };
    for (const body of [instances, entities]) {
      const { phone } = JSON.parse((await ask(body, 'officer')).lines[0] ?? '');
      expect(phone).toBe('555');
      const { status, text } = await ask(body);
      expect([status, text]).toEqual([200, expect.not.stringContaining('555')]);
    }
    const values = { phone: { value: '555' } };
    const condition = { query: 'select c.name as name from d_Customer c where c.phone = ${phone}', values };
    const value = { query: 'select c.phone as phone from d_Customer c', values: {} };
    for (const body of [condition, value]) {
      expect((await ask(body, 'officer')).status).toBe(200);
      expect([(await ask(body)).status, (await ask(body)).text]).toEqual([403, expect.not.stringContaining('555')]);
    }
  });

  // Asserts contract/decisions.md#53.
  test.each([
    ['secret attributes', 'select c.note as note from d_Customer c', 'note'],
    ['an unknown attribute', 'select c.none as note from d_Customer c', 'none'],
    ['bad syntax', 'select from', 'line 1'],
    ['a placeholder without a value', 'select c.name as n from d_Customer c where c.name = ${who}', 'who'],
    ['a value of another type', 'select c.name as n from d_Customer c where c.id = ${bad}', "'x' is no"],
  ])('refuses %s', async (_, query, details) => {
    const { status, text } = await ask({ query, values: { bad: { value: 'x' } } });
    expect([status, text]).toEqual([400, expect.stringContaining(details)]);
  });
});
