import { as, unique } from '../api.ts';

const PATH = '/user-session/views';
const viewOf = (name: string, more: Record<string, unknown> = {}) => ({
  entityName: 'sales_Order',
  name,
  content: { filter: { conditions: [] }, sort: '-date' },
  ...more,
});

const save = async (user: string, body: object) => {
  const response = await as(user, 'POST', PATH, { body });
  expect(response.status).toBe(201);
  return response.json() as { readonly id: string };
};
const namesOf = async (user: string, query = ''): Promise<readonly string[]> => {
  const response = await as(user, 'GET', `${PATH}${query}`);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return response.json().map(({ name }: { name: string }) => name);
};
const remove = async (user: string, { id }: { readonly id: string }) =>
  (await as(user, 'DELETE', `${PATH}/${id}`)).status;

describe('saved views of lists (contract/user.md#views)', () => {
  test('are of the user alone, are replaced and deleted', async () => {
    const [name, changed] = [unique('own'), unique('changed')];
    const view = await save('clerk', viewOf(name));
    expect(view).toEqual({ ...viewOf(name), id: view.id, shared: false, role: null, owner: 'clerk', isOwn: true });
    expect(await namesOf('clerk', '?entityName=sales_Order')).toContain(name);
    expect(await namesOf('clerk', '?entityName=sales_Customer')).not.toContain(name);
    expect(await namesOf('admin')).not.toContain(name);
    const body = viewOf(changed, { content: {} });
    expect((await as('clerk', 'PUT', `${PATH}/${view.id}`, { body })).json()).toMatchObject(body);
    expect((await as('admin', 'PUT', `${PATH}/${view.id}`, { body })).status).toBe(404);
    expect(await remove('admin', view)).toBe(404);
    expect(await remove('clerk', view)).toBe(204);
    expect(await remove('clerk', view)).toBe(404);
  });

  // Asserts contract/user.md#views.
  test('are shared with all users or with a role, with a permission of its own', async () => {
    const [all, some, others] = [unique('all'), unique('some'), unique('others')];
    const views = [
      await save('admin', viewOf(all, { shared: true })),
      await save('admin', viewOf(some, { shared: true, role: 'sales-clerk' })),
      await save('admin', viewOf(others, { shared: true, role: 'report-run-api' })),
    ];
    const names = await namesOf('clerk');
    expect([all, some, others].map((name) => names.includes(name))).toEqual([true, true, false]);
    const refused = await as('clerk', 'POST', PATH, { body: viewOf(unique('refused'), { shared: true }) });
    expect([refused.status, refused.json().details]).toEqual([403, 'User is not allowed to share views']);
    expect(await remove('clerk', views[0] ?? { id: '' })).toBe(404);
    for (const view of views) expect(await remove('admin', view)).toBe(204);
  });

  // Asserts contract/user.md#views.
  test('are of entities that the caller may read', async () => {
    const name = unique('users');
    const view = await save('admin', viewOf(name, { entityName: 'sec_User', shared: true }));
    expect(await namesOf('clerk')).not.toContain(name);
    const statuses = await Promise.all(
      ['sec_User', 'sales_None'].map(async (entityName) => {
        const body = viewOf(unique('refused'), { entityName });
        return (await as('clerk', 'POST', PATH, { body })).status;
      }),
    );
    expect(statuses).toEqual([403, 404]);
    expect(await remove('admin', view)).toBe(204);
  });

  // Asserts contract/user.md#views.
  test('a name is used once for an entity', async () => {
    const name = unique('twice');
    const view = await save('clerk', viewOf(name));
    const other = await save('clerk', viewOf(name, { entityName: 'sales_Customer' }));
    expect((await as('clerk', 'POST', PATH, { body: viewOf(name) })).status).toBe(409);
    const taken = await as('clerk', 'PUT', `${PATH}/${other.id}`, { body: viewOf(name) });
    expect([taken.status, taken.json().details]).toEqual([
      409,
      'name: the user has a view of sales_Order with this name',
    ]);
    expect([await remove('clerk', view), await remove('clerk', other)]).toEqual([204, 204]);
  });

  // Asserts contract/user.md#views.
  test.each<[Record<string, unknown>, string]>([
    [{ name: ' ' }, 'name'],
    [{ name: 'n'.repeat(101) }, 'name'],
    [{ name: 'a\0b' }, 'name'],
    [{ name: 'a\u202eb' }, 'name'],
    [{ name: 'a\u200bb' }, 'name'],
    [{ name: '\u200d' }, 'name'],
    [{ content: [] }, 'content'],
    [{ content: { words: 'w'.repeat(20_000) } }, 'content'],
    [{ shared: 'yes' }, 'shared'],
    [{ role: 'sales-clerk' }, 'role'],
    [{ shared: true, role: 'no-such-role' }, 'role'],
    [{ unknown: 1 }, 'unknown'],
  ])('%j returns 400 and is named', async (more, member) => {
    const response = await as('admin', 'POST', PATH, { body: viewOf(unique('bad'), more) });
    expect(response.status).toBe(400);
    expect(response.json().details).toContain(member);
  });

  // Asserts contract/user.md#questions.
  test('hold a question, until they are replaced without one', async () => {
    const question = {
      groupBy: ['status', { attribute: 'date', by: 'month', as: 'month' }],
      aggregates: { n: { count: '*' }, total: { sum: 'amount' } },
      filter: { conditions: [{ property: 'customer.name', operator: 'startsWith', value: 'A' }] },
      q: 'brandt',
      having: { conditions: [{ property: 'n', operator: '>', value: 1 }] },
      sort: 'month,-total',
      limit: 12,
      chart: { kind: 'line', x: 'month', y: 'total' },
    };
    const view = await save('clerk', viewOf(unique('question'), { question }));
    expect(view).toMatchObject({ question });
    const mine = (await as('clerk', 'GET', PATH)).json() as readonly { readonly id: string }[];
    expect(mine.find(({ id }) => id === view.id)).toMatchObject({ question });
    const replaced = await as('clerk', 'PUT', `${PATH}/${view.id}`, { body: viewOf(unique('list')) });
    expect([replaced.status, replaced.json().question]).toEqual([200, undefined]);
    expect(await remove('clerk', view)).toBe(204);
  });

  // Asserts contract/user.md#questions.
  test.each<[Record<string, unknown>, string]>([
    [{}, "'groupBy' or 'aggregates'"],
    [{ aggregates: { n: { sum: 'none' } } }, 'Property for sales_Order not found: none'],
    [{ groupBy: ['customer.none'] }, 'customer.none'],
    [{ groupBy: 'status' }, 'question.groupBy'],
    [{ groupBy: ['status'], sort: 'total' }, 'total'],
    [{ groupBy: ['status'], limit: 1.5 }, 'question.limit'],
    [{ groupBy: ['status'], cursor: 'a' }, 'cursor'],
    [{ groupBy: ['status'], q: '&' }, "'q'"],
    [{ groupBy: ['status'], filter: { conditions: [{ property: 'amount', operator: '>', value: 'much' }] } }, 'much'],
    [{ groupBy: ['status'], filter: { conditions: [], unknown: 1 } }, 'filter.unknown'],
    [{ groupBy: ['status'], chart: { kind: 'cake' } }, 'question.chart.kind'],
    [{ groupBy: ['status'], chart: { kind: 'bar' } }, 'question.chart.y'],
    [{ aggregates: { n: { count: '*' } }, chart: { kind: 'pie' } }, 'question.chart.x'],
    [{ aggregates: { n: { count: '*' } }, chart: { kind: 'number', x: 'n' } }, 'question.chart.x'],
    [{ groupBy: ['status'], aggregates: { n: { count: '*' } }, chart: { kind: 'bar', x: 'n' } }, 'question.chart.x'],
  ])('the question %j returns 400 and is named', async (question, named) => {
    const response = await as('clerk', 'POST', PATH, { body: viewOf(unique('bad'), { question }) });
    expect(response.status).toBe(400);
    expect(response.json().details).toContain(named);
  });

  // Asserts contract/user.md#views.
  test.each(['none', '00000000-0000-4000-8000-000000000000', '%00'])('the id %s returns 404', async (id) => {
    expect((await as('clerk', 'DELETE', `${PATH}/${id}`)).status).toBe(404);
  });
});
