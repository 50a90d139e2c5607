// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders of data sets have the form of template literals
import { type DatasetsFixture, DECLARED, ID, LIMITS, startDatasets } from '../../test/datasets-fixture.ts';

let data: DatasetsFixture;
beforeAll(async () => {
  data = await startDatasets();
});
afterAll(() => data?.close());
beforeEach(() => {
  data.statements.length = 0;
});

const ids = (count: number) => Array.from({ length: count }, () => ID(11));

describe.each([
  [
    'an entity',
    (count: number) => ({
      entity: 'd_Order',
      filter: { conditions: [{ property: 'id', operator: 'in', value: ids(count) }] },
    }),
  ],
  [
    'a query',
    (count: number) => ({
      query: 'select o from d_Order o where o.id in ${ids}',
      values: { ids: { value: ids(count) } },
    }),
  ],
  [
    'SQL',
    (count: number) => ({
      sql: DECLARED.orders,
      values: {
        from: { type: 'localDate', value: '2026-01-01' },
        status: { type: 'd.Status', value: null },
        mask: { value: null },
        ids: { value: ids(count) },
      },
    }),
  ],
])('a data set of %s', (_kind, request) => {
  test('has at most the number of list values that the caller may send', async () => {
    const { status, lines } = await data.ask(request(LIMITS.listValues));
    expect([status, lines.at(-1)]).toEqual([200, '{"$end":1}']);
    data.statements.length = 0;
    const refused = await data.ask(request(LIMITS.listValues + 1));
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining(
        `${LIMITS.listValues + 1}, the limit is ${LIMITS.listValues} (svc.rest.limits.list-values)`,
      ),
    ]);
    expect(data.statements).toEqual([]);
  });
});

test('the plan of a data set has the limits of a request', async () => {
  const plan = (hops: number) => ({ properties: [`${'lines.order.'.repeat(hops / 2)}number`] });
  const query = 'select o from d_Order o';
  const ask = (hops: number) => data.ask({ query, values: {}, fetchPlan: plan(hops) });
  expect((await ask(4)).status).toBe(200);
  const refused = await ask(6);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('plan-depth')]);
});
