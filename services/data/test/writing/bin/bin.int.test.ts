import { defineApplication, entityListener, restMethod, service, t } from '@lintel/application';
import {
  boolean,
  compositionOfMany,
  compositionOfOne,
  integer,
  softDeletedEntity,
  standardEntity,
  string,
  toMany,
  toOne,
} from '@lintel/metadata';
import {
  entityPolicy,
  modifyAttributes,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';
import { type DataFixture, startData } from '../../data-fixture.ts';

/** Calls of the listener, the latest last. */
const SEEN: string[] = [];

const everything = [entityPolicy('*', 'all'), modifyAttributes('*', '*')];

/** Application code that works in the bin, with the rights of the caller. */
const bin = service('b_Bin', {
  restore: restMethod({ params: { id: t.string } }, ({ id }, { data }) => data.restore('b_Order', id)),
  purge: restMethod({ params: { id: t.string } }, ({ id }, { data }) =>
    data.remove('b_Order', id, { deleted: 'only' }),
  ),
  count: restMethod({ returns: t.int }, (_none, { data }) => data.count('b_Order', { deleted: 'only' })),
  group: restMethod({ params: { question: t.any } }, async ({ question }, { data }) => {
    await data.aggregate('b_Order', question as object);
  }),
});

const office = defineApplication({
  id: 'b',
  name: 'Office',
  entities: [
    softDeletedEntity('b_Customer', {
      attributes: { name: string(20), orders: toMany('b_Order', 'customer') },
      instanceName: ['name'],
    }),
    softDeletedEntity('b_Order', {
      attributes: {
        number: string(10).mandatory().unique(),
        hidden: boolean().default(false),
        secret: string(10),
        customer: toOne('b_Customer').onTargetDelete('UNLINK'),
        lines: compositionOfMany('b_Line', 'order'),
        notes: compositionOfMany('b_Note', 'order'),
        label: compositionOfOne('b_Label'),
      },
      instanceName: ['number'],
    }),
    softDeletedEntity('b_Line', {
      attributes: {
        order: toOne('b_Order').mandatory(),
        position: integer(),
        hidden: boolean().default(false),
        parts: compositionOfMany('b_Part', 'line'),
      },
    }),
    softDeletedEntity('b_Part', { attributes: { line: toOne('b_Line').mandatory(), name: string(10) } }),
    standardEntity('b_Note', { attributes: { order: toOne('b_Order').mandatory(), text: string(10) } }),
    softDeletedEntity('b_Label', { attributes: { text: string(10) } }),
    standardEntity('b_Plain', { attributes: { name: string(10) } }),
  ],
  services: [bin],
  listeners: [
    entityListener({
      entity: 'b_Order',
      beforeSave: async ({ change, after }) => {
        SEEN.push(`beforeSave ${change} ${after?.['number']}`);
        return undefined;
      },
      beforeDelete: async () => {
        SEEN.push('beforeDelete');
      },
    }),
  ],
  roles: [
    resourceRole('clerk', { name: 'Clerk', childRoles: ['rest-minimal'], policies: everything }),
    resourceRole('bin-reader', {
      name: 'Reads the bin of orders',
      childRoles: ['rest-minimal'],
      policies: [
        entityPolicy('b_Order', 'read'),
        viewAttributes('b_Order', 'number', 'deletedBy'),
        specificPolicy('bin.read.b_Order'),
      ],
    }),
    resourceRole('restorer', {
      name: 'Restores',
      childRoles: ['clerk'],
      policies: [specificPolicy('bin.restore.b_Order')],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('open-only', {
      name: 'Changes and deletes open orders',
      policies: [queryPolicy('b_Order', '{E}.secret is null', { actions: ['update', 'delete'] })],
    }),
    rowLevelRole('without-hidden', {
      name: 'Without hidden ones',
      policies: [queryPolicy('b_Order', '{E}.hidden = false'), queryPolicy('b_Line', '{E}.hidden = false')],
    }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  data = await startData(office, {
    admin: { resourceRoles: ['system-full-access'] },
    clerk: { resourceRoles: ['clerk'] },
    reader: { resourceRoles: ['bin-reader'] },
    restorer: { resourceRoles: ['restorer'] },
    open: { resourceRoles: ['system-full-access'], rowLevelRoles: ['open-only'] },
    limited: { resourceRoles: ['system-full-access'], rowLevelRoles: ['without-hidden'] },
  });
});
afterAll(() => data.close());

const send = (user: string, method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  data.send(user, method, `/entities/${path}`, body, headers);
const create = async (entity: string, body: unknown): Promise<string> => {
  const response = await send('admin', 'POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const remove = async (path: string): Promise<void> => {
  expect((await send('admin', 'DELETE', path)).status).toBe(204);
};
const PLAN = JSON.stringify({
  entity: 'b_Order',
  properties: [
    'number',
    { name: 'lines', fetchPlan: { properties: ['position', { name: 'parts', fetchPlan: { properties: ['name'] } }] } },
    { name: 'notes', fetchPlan: { properties: ['text'] } },
    { name: 'label', fetchPlan: { properties: ['text'] } },
  ],
});
const read = async (user: string, path: string) => {
  const response = await send(user, 'GET', path);
  expect([response.status, data.errors]).toEqual([200, []]);
  return response.json();
};
const numbersOf = async (user: string, query: string): Promise<readonly string[]> =>
  (await read(user, `b_Order?sort=number&${query}`)).map(({ number }: { number: string }) => number);

/** An order with two lines, of which one was deleted before the order was; the other one has a part. */
async function deletedOrder(number: string, more = {}): Promise<string> {
  const id = await create('b_Order', {
    number,
    lines: [{ position: 1, parts: [{ name: 'p' }] }, { position: 2 }, { position: 3, hidden: true }],
    notes: [{ text: 'n' }],
    label: { text: 'l' },
    ...more,
  });
  const { lines } = await read('admin', `b_Order/${id}?fetchPlan=${PLAN}`);
  const second = lines.find(({ position }: { position: number }) => position === 2);
  await remove(`b_Line/${second.id}`);
  // The clock stands still.
  await data.query(`UPDATE b.line SET deleted_date = deleted_date - interval '1 second' WHERE id = '${second.id}'`);
  await remove(`b_Order/${id}`);
  return id;
}

describe('reading the bin', () => {
  // Asserts contract/bin.md#reading.
  test('deleted=only returns the deleted instances, with returns all, in lists, searches, counts and single reads', async () => {
    const gone = await deletedOrder('R1');
    const kept = await create('b_Order', { number: 'R2' });
    const filter = { conditions: [{ property: 'number', operator: 'startsWith', value: 'R' }] };
    expect(await numbersOf('admin', 'deleted=only')).toContain('R1');
    expect(await numbersOf('admin', 'deleted=only')).not.toContain('R2');
    expect(await numbersOf('admin', 'deleted=with')).toEqual(expect.arrayContaining(['R1', 'R2']));
    expect(await numbersOf('admin', '')).not.toContain('R1');
    const found = await send('admin', 'POST', 'b_Order/search', { filter, deleted: 'only', returnCount: true });
    expect([found.json().length, found.headers.get('x-total-count')]).toEqual([1, '1']);
    expect((await send('admin', 'POST', 'b_Order/search/count', { filter, deleted: 'with' })).text).toBe('2');
    expect((await send('admin', 'POST', 'b_Order/search/count', { filter })).text).toBe('1');
    expect((await send('admin', 'GET', `b_Order/${gone}?deleted=only`)).json()).toMatchObject({ deletedBy: 'admin' });
    expect((await send('admin', 'GET', `b_Order/${kept}?deleted=only`)).status).toBe(404);
    expect((await send('admin', 'GET', `b_Order/${kept}?deleted=with`)).status).toBe(200);
    expect((await send('admin', 'GET', `b_Order/${gone}`)).status).toBe(404);
  });

  test('a deleted instance has the children that were deleted with it, not those that were deleted before', async () => {
    const id = await deletedOrder('C1');
    const order = await read('admin', `b_Order/${id}?deleted=only&fetchPlan=${PLAN}`);
    expect(order.lines.map(({ position }: { position: number }) => position).sort()).toEqual([1, 3]);
    expect(order.lines.find(({ position }: { position: number }) => position === 1).parts).toHaveLength(1);
    expect([order.notes.length, order.label.text]).toEqual([1, 'l']);
    const withAll = await read(
      'admin',
      `b_Order/${await create('b_Order', { number: 'C2' })}?deleted=with&fetchPlan=${PLAN}`,
    );
    expect(withAll.lines).toEqual([]);
  });

  // Asserts contract/bin.md#rights.
  test('the bin needs its specific policy, and hides what its reader may not see', async () => {
    await deletedOrder('A1', { secret: 'x' });
    await deletedOrder('A2', { hidden: true });
    expect((await send('clerk', 'GET', 'b_Order?deleted=only')).status).toBe(403);
    expect((await send('clerk', 'GET', 'b_Order?deleted=')).status).toBe(200);
    expect((await send('reader', 'GET', 'b_Customer?deleted=only')).status).toBe(403);
    const [first] = await read('reader', 'b_Order?deleted=only&sort=-number&limit=1');
    expect(Object.keys(first).sort()).toEqual(['_entityName', '_instanceName', 'deletedBy', 'id', 'number'].sort());
    const shown = await numbersOf('limited', 'deleted=only');
    expect(shown).toContain('A1');
    expect(shown).not.toContain('A2');
    const counted = await send('limited', 'GET', 'b_Order?deleted=only&returnCount=true');
    expect(counted.headers.get('x-total-count')).toBe(String(shown.length));
  });

  test.each([
    ['b_Order?deleted=all', "Parameter 'deleted' must be only or with"],
    ['b_Order?deleted=only&deleted=with', "Parameter 'deleted' must be given once"],
  ])('GET %s returns 400', async (path, details) => {
    const response = await send('admin', 'GET', path);
    expect([response.status, response.json().details]).toEqual([400, expect.stringContaining(details)]);
  });

  test('the bin of an entity without soft deletion is empty', async () => {
    await create('b_Plain', { name: 'plain' });
    expect(await read('admin', 'b_Plain?deleted=only')).toEqual([]);
    expect(await read('admin', 'b_Plain?deleted=with')).toHaveLength(1);
  });

  test('a cursor of the bin is not valid for the list', async () => {
    await deletedOrder('P1');
    await deletedOrder('P2');
    const page = await send('admin', 'GET', 'b_Order?deleted=only&sort=number&limit=1');
    const next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    const { searchParams } = new URL(next, 'http://localhost');
    expect(searchParams.get('deleted')).toBe('only');
    searchParams.delete('deleted');
    expect((await send('admin', 'GET', `b_Order?${searchParams}`)).status).toBe(400);
  });
});

describe('restoring', () => {
  // Asserts contract/bin.md#restore.
  test('an instance comes back with the children that were deleted with it, by one save with its listeners', async () => {
    const customer = await create('b_Customer', { name: 'Ada' });
    const id = await deletedOrder('S1', { customer: { id: customer } });
    SEEN.length = 0;
    const restored = await send('restorer', 'POST', `b_Order/${id}/restore?responseFetchPlan=_local`);
    expect([restored.status, restored.json().number]).toEqual([200, 'S1']);
    expect(SEEN).toEqual(['beforeSave updated S1']);
    const order = await read('admin', `b_Order/${id}?fetchPlan=${PLAN}`);
    expect(order.lines.map(({ position }: { position: number }) => position).sort()).toEqual([1, 3]);
    expect(order.lines.find(({ position }: { position: number }) => position === 1).parts).toHaveLength(1);
    expect([order.notes.length, order.label.text]).toEqual([1, 'l']);
    expect((await send('restorer', 'POST', `b_Order/${id}/restore`)).status).toBe(404);
  });

  test('children that the caller does not see come back, too', async () => {
    const id = await deletedOrder('S2');
    expect((await send('limited', 'POST', `b_Order/${id}/restore`)).status).toBe(200);
    expect((await read('admin', `b_Order/${id}?fetchPlan=${PLAN}`)).lines).toHaveLength(2);
  });

  test('the caller needs the specific policy and must see the instance', async () => {
    const id = await deletedOrder('S3', { hidden: true });
    expect((await send('clerk', 'POST', `b_Order/${id}/restore`)).status).toBe(403);
    expect((await send('reader', 'POST', `b_Order/${id}/restore`)).status).toBe(403);
    expect((await send('limited', 'POST', `b_Order/${id}/restore`)).status).toBe(404);
    expect((await send('admin', 'POST', `b_Plain/${id}/restore`)).status).toBe(404);
    expect(await numbersOf('admin', 'deleted=only')).toContain('S3');
  });

  test('a unique value that was taken meanwhile returns 409 with its attribute, and nothing changes', async () => {
    const id = await deletedOrder('S4');
    await create('b_Order', { number: 'S4' });
    const response = await send('admin', 'POST', `b_Order/${id}/restore`);
    expect([response.status, response.text]).toEqual([409, expect.stringContaining('number')]);
    expect((await read('admin', `b_Order/${id}?deleted=only&fetchPlan=${PLAN}`)).lines).toHaveLength(2);
  });

  test('a body returns 400, and nothing changes', async () => {
    const id = await deletedOrder('S6');
    const response = await send('admin', 'POST', `b_Order/${id}/restore`, { number: 'S7' });
    expect([response.status, response.json().details]).toEqual([400, expect.stringContaining('body must be empty')]);
    expect(await numbersOf('admin', 'deleted=only')).toContain('S6');
  });

  test('a rehearsal names what would change, and If-Match is compared', async () => {
    const id = await deletedOrder('S5');
    const rehearsed = await send('admin', 'POST', `b_Order/${id}/restore`, undefined, { prefer: 'tx=rollback' });
    expect([rehearsed.status, rehearsed.headers.get('preference-applied')]).toEqual([200, 'tx=rollback']);
    expect((await send('admin', 'POST', `b_Order/${id}/restore`, undefined, { 'if-match': '"x"' })).status).toBe(412);
    const { headers } = await send('admin', 'GET', `b_Order/${id}?deleted=only&fetchPlan=_local`);
    const tag = headers.get('etag') ?? '';
    expect((await send('admin', 'POST', `b_Order/${id}/restore`, undefined, { 'if-match': tag })).status).toBe(200);
  });
});

test('row-level policies of updating and deleting are tested on instances of the bin', async () => {
  const [open, closed] = [await deletedOrder('W1'), await deletedOrder('W2', { secret: 'x' })];
  expect((await send('open', 'POST', `b_Order/${closed}/restore`)).status).toBe(403);
  expect((await send('open', 'DELETE', `b_Order/${closed}?deleted=only`)).status).toBe(403);
  expect((await send('open', 'POST', `b_Order/${open}/restore`)).status).toBe(200);
  await remove(`b_Order/${open}`);
  expect((await send('open', 'DELETE', `b_Order/${open}?deleted=only`)).status).toBe(204);
});

describe('application code', () => {
  const call = (user: string, method: string, body = {}) => data.send(user, 'POST', `/services/b_Bin/${method}`, body);

  test('it restores and purges with the rights of the caller', async () => {
    const id = await deletedOrder('M1');
    for (const method of ['restore', 'purge']) expect((await call('clerk', method, { id })).status).toBe(403);
    expect((await call('clerk', 'count')).status).toBe(403);
    expect((await call('limited', 'restore', { id })).status).toBe(204);
    expect((await read('admin', `b_Order/${id}?fetchPlan=${PLAN}`)).lines).toHaveLength(2);
    expect((await call('admin', 'restore', { id })).status).toBe(404);
    await remove(`b_Order/${id}`);
    const before = Number((await call('admin', 'count')).text);
    expect((await call('admin', 'purge', { id })).status).toBe(204);
    expect(Number((await call('admin', 'count')).text)).toBe(before - 1);
  });

  test('members that aggregates do not have are refused, so that the bin is not grouped', async () => {
    const group = (question: unknown) => call('clerk', 'group', { question });
    expect((await group({ groupBy: ['number'], limit: 1 })).status).toBe(204);
    for (const question of [[], 'number']) expect((await group(question)).status).toBe(400);
    for (const [name, value] of Object.entries({ deleted: 'only', cursor: 'x', returnCount: true })) {
      const { status, text } = await group({ groupBy: ['number'], [name]: value });
      expect([status, text]).toEqual([400, expect.stringContaining(`'${name}'`)]);
    }
  });
});

describe('purging', () => {
  // Asserts contract/bin.md#purge.
  test('DELETE with deleted=only removes an instance of the bin with all its children', async () => {
    const id = await deletedOrder('D1');
    expect((await send('clerk', 'DELETE', `b_Order/${id}?deleted=only`)).status).toBe(403);
    expect((await send('admin', 'DELETE', `b_Order/${id}?deleted=only`)).status).toBe(204);
    expect(await data.query(`SELECT number FROM b."order" WHERE id = '${id}'`)).toEqual([]);
    expect(await data.query(`SELECT FROM b.line WHERE order_id = '${id}'`)).toEqual([]);
    expect((await send('admin', 'DELETE', `b_Order/${id}?deleted=only`)).status).toBe(404);
  });

  test('an instance that is not deleted, or that the caller does not see, is not removed', async () => {
    const live = await create('b_Order', { number: 'D2' });
    const hidden = await deletedOrder('D3', { hidden: true });
    expect((await send('admin', 'DELETE', `b_Order/${live}?deleted=only`)).status).toBe(404);
    expect((await send('limited', 'DELETE', `b_Order/${hidden}?deleted=only`)).status).toBe(404);
    expect((await send('admin', 'DELETE', `b_Order/${live}?deleted=with`)).status).toBe(400);
    expect(await numbersOf('admin', 'deleted=with')).toEqual(expect.arrayContaining(['D2', 'D3']));
  });

  test('several are removed together, and references of others are released by their policies', async () => {
    const customer = await create('b_Customer', { name: 'Bob' });
    const order = await create('b_Order', { number: 'D4', customer: { id: customer } });
    const other = await create('b_Customer', { name: 'Eve' });
    await remove(`b_Customer/${customer}`);
    await remove(`b_Customer/${other}`);
    expect((await send('admin', 'DELETE', 'b_Customer?deleted=only', [customer, other])).status).toBe(204);
    expect((await read('admin', 'b_Customer?deleted=with')).map(({ id }: { id: string }) => id)).not.toContain(other);
    expect((await send('admin', 'GET', `b_Order/${order}?fetchPlan=_base`)).json().customer).toBeUndefined();
  });
});
