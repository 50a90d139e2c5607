import { orders } from '../aggregates/orders-application.ts';
import { type DataFixture, startData } from '../data-fixture.ts';

const FULL = ['system-full-access'];
const USERS = {
  admin: { resourceRoles: FULL },
  limited: { resourceRoles: FULL, rowLevelRoles: ['shown'] },
  reader: { resourceRoles: ['reader'] },
  predicated: { resourceRoles: FULL, rowLevelRoles: ['by-code'] },
};
type User = keyof typeof USERS;

/** Questions, and what the reader may not see of them. */
const QUESTIONS = {
  open: { groupBy: ['status'], aggregates: { n: { count: '*' } }, chart: { kind: 'bar' } },
  summed: { aggregates: { total: { sum: 'amount' } } },
  grouped: { groupBy: ['customer.credit'], aggregates: { n: { count: '*' } } },
  filtered: {
    aggregates: { n: { count: '*' } },
    filter: { conditions: [{ property: 'customer.credit', operator: '>', value: 5 }] },
  },
  members: { aggregates: { n: { count: 'lines.quantity' } } },
  lines: { aggregates: { n: { count: 'lines' } } },
};

let data: DataFixture;
beforeAll(async () => {
  data = await startData(orders, USERS);
  for (const [name, question] of Object.entries(QUESTIONS)) {
    const view = { entityName: 'g_Order', name, content: {}, question, shared: true };
    expect((await data.send('admin', 'POST', '/user-session/views', view)).status).toBe(201);
  }
});
afterAll(() => data?.close());

interface View {
  readonly name: string;
  readonly question?: object;
}
const viewsOf = async (user: User): Promise<readonly View[]> => {
  const response = await data.send(user, 'GET', '/user-session/views');
  expect(response.status).toBe(200);
  return response.json() as readonly View[];
};
const namesOf = async (user: User) => (await viewsOf(user)).map(({ name }) => name).sort();

const store = async (name: string, owner: User, question: object): Promise<void> => {
  await data.query(`INSERT INTO sys.list_view (id, owner, entity_name, name, content, is_shared, question)
    VALUES (gen_random_uuid(), '${owner}', 'g_Order', '${name}', '{}', true, '${JSON.stringify(question)}')`);
};

// Asserts contract/user.md#questions.
test('views of others whose question asks for what the reader may not see are left out', async () => {
  expect(await namesOf('admin')).toEqual(Object.keys(QUESTIONS).sort());
  expect(await namesOf('limited')).toEqual(Object.keys(QUESTIONS).sort());
  expect(await viewsOf('reader')).toMatchObject([
    { name: 'lines', question: QUESTIONS.lines },
    { name: 'open', question: QUESTIONS.open },
  ]);
  // What code hides is not counted by the database.
  expect(await namesOf('predicated')).toEqual(['filtered', 'grouped', 'open', 'summed']);
});

// Asserts contract/user.md#questions.
test('a question that asks for what the user may not see is not saved', async () => {
  const names = ['summed', 'grouped', 'filtered', 'members'] as const;
  const statuses = names.map(async (name) => {
    const view = { entityName: 'g_Order', name, content: {}, question: QUESTIONS[name] };
    return (await data.send('reader', 'POST', '/user-session/views', view)).status;
  });
  expect(await Promise.all(statuses)).toEqual([403, 403, 403, 403]);
});

// Asserts contract/user.md#questions.
test('own views stay when a right or an attribute is gone, shared ones of such attributes are left out', async () => {
  await store('of the reader', 'reader', QUESTIONS.summed);
  await store('of old', 'admin', { aggregates: { n: { sum: 'renamed' } } });
  expect(await namesOf('reader')).toEqual(['lines', 'of the reader', 'open']);
  expect(await namesOf('admin')).toContain('of old');
  expect(await namesOf('limited')).not.toContain('of old');
});

// Asserts contract/user.md#questions.
test('a question counts what its reader may see', async () => {
  await data.query(`INSERT INTO g."order" (id, version, number) VALUES ('20000000-0000-4000-8000-000000000001', 1, 'a');
    INSERT INTO g.line (id, version, order_id, quantity) VALUES
    ('30000000-0000-4000-8000-000000000001', 1, '20000000-0000-4000-8000-000000000001', 1),
    ('30000000-0000-4000-8000-000000000002', 1, '20000000-0000-4000-8000-000000000001', 90)`);
  const counted = async (user: User) => (await data.send(user, 'POST', '/aggregates/g_Order', QUESTIONS.lines)).json();
  expect([await counted('admin'), await counted('limited')]).toEqual([[{ n: 2 }], [{ n: 1 }]]);
});
