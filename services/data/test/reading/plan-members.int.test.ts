import { defineApplication, loadFetchPlans } from '@lintel/application';
import { compositionOfMany, integer, localDate, standardEntity, string, toOne } from '@lintel/metadata';
import { queryPolicy, rowLevelRole } from '@lintel/security';
import { type DataFixture, startData } from '../data-fixture.ts';

const FULL = ['system-full-access'];

const application = defineApplication({
  id: 'b',
  name: 'Bills',
  entities: [
    standardEntity('b_Bill', { attributes: { number: string(20), lines: compositionOfMany('b_Line', 'bill') } }),
    standardEntity('b_Line', {
      attributes: { bill: toOne('b_Bill').mandatory(), amount: integer(), due: localDate() },
    }),
  ],
  rowLevelRoles: [rowLevelRole('small', { name: 'Small lines', policies: [queryPolicy('b_Line', '{E}.amount < 25')] })],
});
const XML = `<fetchPlans>
  <fetchPlan entity="b_Bill" name="due">
    <property name="lines" sort="-amount" limit="2" count="true"><property name="amount"/>
      <filter><![CDATA[{"conditions": [
        {"property": "due", "operator": "<=", "value": {"now": "P1D"}},
        {"property": "amount", "operator": "in", "value": [10, 20, 30, 40]}
      ]}]]></filter>
    </property>
  </fetchPlan>
  <fetchPlan entity="b_Bill" name="first" extends="due"><property name="lines" limit="1"/></fetchPlan>
</fetchPlans>`;

let data: DataFixture;
beforeAll(async () => {
  data = await startData(await loadFetchPlans(application, ['plans.xml'], () => Promise.resolve(XML)), {
    admin: { resourceRoles: FULL },
    limited: { resourceRoles: FULL, rowLevelRoles: ['small'] },
  });
  const lines = [10, 20, 30, 50].map((amount) => ({ amount, due: '2020-01-01' }));
  const body = [{ number: '1', lines: [...lines, { amount: 40, due: '2999-01-01' }] }, { number: '2' }];
  await data.send('admin', 'POST', '/entities/b_Bill', body);
});
afterAll(() => data?.close());

interface Bill {
  readonly lines: readonly { readonly amount: number }[];
  readonly _counts?: { readonly lines: number };
}

async function bills(user: string, fetchPlan: unknown): Promise<readonly unknown[]> {
  const body = { filter: { conditions: [] }, sort: 'number', fetchPlan };
  const response = await data.send(user, 'POST', '/entities/b_Bill/search', body);
  return (response.json() as readonly Bill[]).map(({ lines, _counts }) => [lines.map(({ amount }) => amount), _counts]);
}

// Asserts contract/fetch-plans.md#members, contract/fetch-plans.md#named.
test('a named plan selects members by its own values, under the rows of the caller', async () => {
  expect(await bills('admin', 'due')).toEqual([
    [[30, 20], { lines: 3 }],
    [[], { lines: 0 }],
  ]);
  expect(await bills('limited', 'due')).toEqual([
    [[20, 10], { lines: 2 }],
    [[], { lines: 0 }],
  ]);
  expect(await bills('admin', 'first')).toEqual([
    [[10], undefined],
    [[], undefined],
  ]);
});

// Asserts contract/fetch-plans.md#members, contract/metadata.md#fetch-plans.
test('the metadata of a named plan are an inline plan with the same result', async () => {
  const response = await data.send('admin', 'GET', '/metadata/entities/b_Bill/fetchPlans/due');
  const plan = response.json() as { readonly properties: readonly object[] };
  expect(plan.properties[0]).toMatchObject({ name: 'lines', sort: '-amount', limit: 2, count: true });
  expect(await bills('admin', plan)).toEqual(await bills('admin', 'due'));
});

// Asserts contract/fetch-plans.md#members.
test('a plan that extends one has its selection, and may replace it as a whole', async () => {
  const extended = { entity: 'b_Bill', extends: 'due', properties: [] };
  expect(await bills('admin', extended)).toEqual(await bills('admin', 'due'));
  const replaced = { ...extended, properties: [{ name: 'lines', sort: 'amount', offset: 3 }] };
  expect(await bills('admin', replaced)).toEqual([
    [[40, 50], undefined],
    [[], undefined],
  ]);
});
