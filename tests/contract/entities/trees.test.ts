import { createClient } from '@lintel/client';
import { as, baseUrl, tokenOf, unique } from '../api.ts';

const client = createClient({ baseUrl, token: () => tokenOf('admin') });
const ENTITY = 'sales_CostCentre';
const prefix = unique('C');

/** Ids by name: `root` with `left` and `right`, and `leaf` below `left`. */
const ids: Record<string, string> = {};

async function create(name: string, parent?: string, salaries = '10.00'): Promise<void> {
  const body = { name: `${prefix} ${name}`, salaries, ...(parent && { parent: { id: ids[parent] } }) };
  const created = await as('admin', 'POST', `/entities/${ENTITY}`, { body });
  if (created.status !== 201) throw new Error(created.text);
  ids[name] = created.json().id;
}

beforeAll(async () => {
  await create('root');
  await create('left', 'root');
  await create('right', 'root', '20.00');
  await create('leaf', 'left');
});

const inBranch = (property: string, operator: 'under' | 'above', of: string, depth?: number) => ({
  conditions: [{ property, operator, value: ids[of], ...(depth !== undefined && { depth }) }],
});
const shortNames = (found: readonly unknown[]) =>
  found.map((instance) => (instance as { readonly name: string }).name.slice(prefix.length + 1));

// Asserts contract/filters.md#trees.
test.each([
  ['id', 'under', 'root', undefined, ['leaf', 'left', 'right', 'root']],
  ['id', 'under', 'root', 1, ['left', 'right', 'root']],
  ['id', 'above', 'leaf', undefined, ['leaf', 'left', 'root']],
  ['id', 'above', 'leaf', 1, ['leaf', 'left']],
  ['parent', 'under', 'left', undefined, ['leaf']],
  ['parent', 'under', 'leaf', undefined, []],
] as const)('%s %s %s, with depth %s', async (property, operator, of, depth, names) => {
  const filter = inBranch(property, operator, of, depth);
  const body = { filter, sort: 'name' };
  const response = await as('admin', 'POST', `/entities/${ENTITY}/search`, { body });
  expect([response.status, shortNames(response.json())]).toEqual([200, names]);
  expect(shortNames(await client.list(ENTITY, { filter, sort: 'name' }))).toEqual(names);
  expect((await as('admin', 'POST', `/entities/${ENTITY}/search/count`, { body })).json()).toBe(names.length);
});

// Asserts contract/filters.md#trees.
test.each([
  [{ property: 'id', operator: 'under', depth: 101 }, "Field 'depth' must be a whole number from 0 to 100"],
  [{ property: 'id', operator: 'under', depth: null }, "Field 'depth' must be a whole number from 0 to 100"],
  [{ property: 'name', operator: 'under' }, 'Operator under is not available for java type'],
])('%j is refused', async (condition, sentence) => {
  const body = { filter: { conditions: [{ ...condition, value: ids['root'] }] } };
  const response = await as('admin', 'POST', `/entities/${ENTITY}/search`, { body });
  expect([response.status, response.text]).toEqual([400, expect.stringContaining(sentence)]);
});

// Asserts contract/filters.md#trees.
test('an instance cannot be moved below itself', async () => {
  const path = `/entities/${ENTITY}/${ids['root']}`;
  const response = await as('admin', 'PUT', path, { body: { parent: { id: ids['leaf'] } } });
  expect([response.status, response.json()]).toEqual([
    400,
    [expect.objectContaining({ path: 'parent', message: 'An element of a tree cannot be below itself' })],
  ]);
  expect((await as('admin', 'GET', path)).json().parent).toBeUndefined();
});

// Asserts contract/fetch-plans.md#children.
test('a plan has the children of a tree down to a depth', async () => {
  const children = { name: 'children', sort: 'name', depth: 2, fetchPlan: { properties: ['name'] } };
  const body = {
    filter: { conditions: [{ property: 'id', operator: '=', value: ids['root'] }] },
    fetchPlan: { entity: ENTITY, properties: ['name', children] },
  };
  const [root] = (await as('admin', 'POST', `/entities/${ENTITY}/search`, { body })).json();
  expect(shortNames(root.children)).toEqual(['left', 'right']);
  expect(shortNames(root.children[0].children)).toEqual(['leaf']);
  expect(root.children[0].children[0].children).toBeUndefined();
});

// Asserts contract/aggregates.md#small-groups.
test('groups of fewer instances than the least number of the entity are in no response', async () => {
  const aggregates = { total: { sum: 'salaries' }, n: { count: '*' } };
  const request = (filter: object, members: object = {}) =>
    as('admin', 'POST', `/aggregates/${ENTITY}`, { body: { aggregates, filter, ...members } });
  expect((await request(inBranch('id', 'under', 'root'))).json()).toEqual([{ total: 50, n: 4 }]);
  expect((await request(inBranch('id', 'under', 'left'))).json()).toEqual([]);
  const grouped = await request(inBranch('id', 'under', 'root'), { groupBy: ['salaries'], returnCount: true });
  expect([grouped.headers.get('x-total-count'), grouped.json()]).toEqual(['1', [{ salaries: 10, total: 30, n: 3 }]]);
});
