// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders of data sets have the form of template literals
import { type DatasetsFixture, DECLARED, ID, startDatasets } from '../../test/datasets-fixture.ts';

let data: DatasetsFixture;
beforeAll(async () => {
  data = await startDatasets();
});
afterAll(() => data?.close());
beforeEach(() => {
  data.statements.length = 0;
});
const ask = (body: object, user?: string) => data.ask(body, user);

describe('SQL as a data set', () => {
  const values = {
    from: { type: 'localDate', value: '2026-01-01' },
    status: { type: 'd.Status', value: null },
    ids: { value: [ID(11), ID(12)] },
    mask: { value: null },
  };

  // Asserts contract/report-data.md#data.
  test('returns rows with the types of the database, and labels as written in the text', async () => {
    const { lines } = await ask({ sql: DECLARED.orders, values });
    expect(lines).toEqual([
      '{"$columns":[{"name":"id","type":"uuid"},{"name":"ordernumber","type":"string","label":"orderNumber"},' +
        '{"name":"day","type":"localDate"},{"name":"placed","type":"localDateTime"},{"name":"status","type":"int"},' +
        '{"name":"paid","type":"boolean"},{"name":"version","type":"int"}]}',
      `{"id":"${ID(11)}","ordernumber":"A-1","day":"2026-01-01","placed":"2026-01-01T10:00:00","status":10,"paid":true,"version":1}`,
      `{"id":"${ID(12)}","ordernumber":"A-2","day":"2026-01-02","placed":null,"status":20,"paid":null,"version":1}`,
      '{"$end":2}',
    ]);
  });

  // Asserts contract/report-data.md#data.
  test('binds ids of enum constants, and never puts a value into the text', async () => {
    const closed = { ...values, status: { type: 'd.Status', value: 'CLOSED' }, mask: { value: "A'; drop table x --" } };
    expect((await ask({ sql: DECLARED.orders, values: closed })).lines[1]).toBe('{"$end":0}');
    expect(data.statements.join()).not.toContain('drop table');
    const found = { ...closed, mask: { value: '(?i)a-_' } };
    expect((await ask({ sql: DECLARED.orders, values: found })).lines[1]).toContain('A-2');
  });

  // Asserts contract/report-data.md#children.
  test('returns the rows for all parents with one statement', async () => {
    const parents = {
      fields: [{ name: 'Orders.id' }, { name: 'Root.name' }],
      rows: [
        [ID(11), 'first'],
        [ID(12), null],
        [ID(13), 'last'],
      ],
    };
    const { lines } = await ask({ sql: DECLARED.lines, values: { least: { type: 'decimal', value: '1' } }, parents });
    expect(lines.slice(1)).toEqual([
      '{"$at":0}',
      '{"product":"ink","amount":12345678901234567.89,"x":"first"}',
      '{"product":"pad","amount":3.00,"x":"first"}',
      '{"$at":2}',
      '{"product":"pen","amount":2.00,"x":"last"}',
      '{"$end":3}',
    ]);
    expect(data.statements).toHaveLength(1);
  });

  test('may end with a comment', async () => {
    expect((await ask({ sql: DECLARED.comment, values: {} })).lines[1]).toBe('{"one":1}');
  });

  // Asserts contract/decisions.md#53, contract/report-templates.md#safety, contract/reports.md#rights.
  test.each([
    ['an undeclared text', 'select 1', 'belongs to no report'],
    ['secret attributes', DECLARED.secret, '42501'],
    ['tables of the platform', DECLARED.users, '42501'],
    ['statements that write', DECLARED.writes, '42'],
    ['several statements', DECLARED.several, '42601'],
    ['bad syntax', DECLARED.broken, '42601'],
    ['two columns with the same name', DECLARED.twice, 'Two columns have the name a'],
  ])('refuses %s', async (_, sql, details) => {
    const { status, text } = await ask({ sql, values: {} });
    expect([status, text]).toEqual([400, expect.stringContaining(details)]);
    expect(await data.query('select count(*)::int as n from d.line')).toEqual([{ n: 4 }]);
  });

  // Asserts contract/report-templates.md#safety.
  test('cannot change the role or the rights of the login', async () => {
    const { lines } = await ask({ sql: DECLARED.escapes, values: {} });
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ who: data.login });
    expect((await ask({ sql: DECLARED.secret, values: {} })).status).toBe(400);
  });
});
