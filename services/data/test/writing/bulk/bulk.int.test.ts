import { defineApplication, entityListener } from '@lintel/application';
import { decimal, keyedEntity, softDeletedEntity, standardEntity, string, toOne } from '@lintel/metadata';
import {
  entityPolicy,
  modifyAttributes,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';
import { type DataFixture, startData, type TestResponse } from '../../data-fixture.ts';

const heard: string[] = [];

const application = defineApplication({
  id: 'b',
  name: 'Bulk',
  entities: [
    softDeletedEntity('b_Product', {
      attributes: {
        code: string(20).mandatory().unique(),
        price: decimal(9, 2).min(0),
        area: string(10),
        margin: decimal(9, 2),
      },
      instanceName: ['code'],
      history: true,
    }),
    standardEntity('b_Offer', { attributes: { product: toOne('b_Product').mandatory(), text: string(50) } }),
    keyedEntity('b_Area', { key: 'code', attributes: { code: string(10), name: string(50) } }),
  ],
  listeners: [
    entityListener({
      entity: 'b_Product',
      beforeSave: async ({ after }) => {
        if (after?.['area'] === 'closed') throw new RangeError('closed');
      },
      afterCommit: async ({ change, after, before }) => void heard.push(`${change} ${(after ?? before)?.['code']}`),
    }),
  ],
  roles: [
    resourceRole('pricer', {
      name: 'Changes prices',
      childRoles: ['rest-minimal'],
      policies: [
        entityPolicy('b_Product', 'read', 'update'),
        viewAttributes('b_Product', 'code', 'price', 'area'),
        modifyAttributes('b_Product', 'price'),
        specificPolicy('history.read.b_Product'),
      ],
    }),
    resourceRole('blind', {
      name: 'Changes without reading',
      childRoles: ['rest-minimal'],
      policies: [entityPolicy('b_Product', 'update', 'delete'), modifyAttributes('b_Product', '*')],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('north', { name: 'North', policies: [queryPolicy('b_Product', "{E}.area like 'n%'")] }),
    rowLevelRole('cheap', {
      name: 'Cheap by code',
      policies: [
        {
          kind: 'predicate',
          entity: 'b_Product',
          actions: ['read'],
          dependsOn: ['price'],
          test: ({ price }) => Number(price) < 10,
        },
      ],
    }),
    rowLevelRole('kept', {
      name: 'Changes only cheap ones',
      policies: [
        {
          kind: 'predicate',
          entity: 'b_Product',
          actions: ['update', 'delete'],
          dependsOn: ['price'],
          test: ({ price }) => Number(price) < 10,
        },
      ],
    }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  data = await startData(application, {
    admin: { resourceRoles: ['system-full-access'] },
    pricer: { resourceRoles: ['pricer'] },
    blind: { resourceRoles: ['blind'] },
    north: { resourceRoles: ['pricer'], rowLevelRoles: ['north'] },
    cheap: { resourceRoles: ['system-full-access'], rowLevelRoles: ['cheap'] },
    kept: { resourceRoles: ['system-full-access'], rowLevelRoles: ['kept'] },
  });
});
afterAll(() => data?.close());

const MERGE = 'application/merge-patch+json';
const byCode = (prefix: string, ...more: object[]) =>
  encodeURIComponent(
    JSON.stringify({ conditions: [{ property: 'code', operator: 'startsWith', value: prefix }, ...more] }),
  );
const patch = (user: string, filter: string, body: unknown, prefer = 'max-affected=100', headers = {}) =>
  data.send(user, 'PATCH', `/entities/b_Product?filter=${filter}`, body, {
    'content-type': MERGE,
    ...(prefer === '' ? {} : { prefer }),
    ...headers,
  });
const remove = (user: string, filter: string, prefer = 'max-affected=100') =>
  data.send(user, 'DELETE', `/entities/b_Product?filter=${filter}`, '', { prefer });
const create = (prefix: string, ...values: object[]) =>
  data.send(
    'admin',
    'POST',
    '/entities/b_Product',
    values.map((value, at) => ({ code: `${prefix}${at}`, ...value })),
  );
const affected = ({ status, headers }: TestResponse) => [status, Number(headers.get('x-total-count'))] as const;
const prices = async (prefix: string) =>
  (
    await data.query(`SELECT price FROM b.product WHERE code LIKE '${prefix}%' AND deleted_date IS NULL ORDER BY code`)
  ).map(({ price }) => Number(price));

// Asserts contract/writing.md#bulk.
test('a patch of all instances of a filter runs through listeners, versions, events and one change of the history', async () => {
  await create('A', { price: 1 }, { price: 2 }, { price: 3, area: 'x' });
  heard.length = 0;
  const response = await patch('pricer', byCode('A', { property: 'area', operator: 'notEmpty', value: false }), {
    price: '7.50',
  });
  expect([...affected(response), response.headers.get('preference-applied')]).toEqual([200, 2, 'max-affected=100']);
  expect(
    response
      .json()
      .map((each: { _instanceName: string }) => each._instanceName)
      .sort(),
  ).toEqual(['A0', 'A1']);
  expect(await prices('A')).toEqual([7.5, 7.5, 3]);
  expect(heard.sort()).toEqual(['updated A0', 'updated A1']);
  const ids = await data.query(`SELECT id FROM b.product WHERE code IN ('A0', 'A1') ORDER BY code`);
  const changes = await Promise.all(
    ids.map(async ({ id }) => (await data.send('admin', 'GET', `/history/b_Product/${id}`)).json()[0].change),
  );
  expect(changes[0]).toBe(changes[1]);
  expect((await data.send('admin', 'POST', `/history/changes/${changes[0]}/undo`)).status).toBe(200);
  expect(await prices('A')).toEqual([1, 2, 3]);
});

// Asserts contract/writing.md#bulk.
test('a deletion of all instances of a filter follows delete policies and references', async () => {
  await create('D', { price: 1 }, { price: 2 });
  const response = await remove('admin', byCode('D'));
  expect([...affected(response), response.text]).toEqual([204, 2, '']);
  expect(await prices('D')).toEqual([]);
  expect(affected(await remove('admin', byCode('D')))).toEqual([204, 0]);
});

// Asserts contract/writing.md#bulk.
test('more instances than max-affected return 409 with their number, and nothing is changed', async () => {
  await create('M', ...Array.from({ length: 6 }, () => ({ price: 1, area: 'n' })));
  for (const user of ['admin', 'north', 'cheap']) {
    const response = await patch(user, byCode('M'), { price: 2 }, 'max-affected=5');
    expect([response.status, response.json()]).toEqual([
      409,
      {
        error: 'Too many instances affected',
        details: 'The filter finds 6 instances of b_Product, and max-affected is 5',
      },
    ]);
  }
  expect((await remove('admin', byCode('M'), 'max-affected=5')).status).toBe(409);
  expect(await prices('M')).toEqual([1, 1, 1, 1, 1, 1]);
  const minimal = await patch('admin', byCode('M'), { price: 2 }, 'return=minimal, max-affected="6"');
  expect([...affected(minimal), minimal.headers.get('preference-applied')]).toEqual([
    204,
    6,
    'max-affected=6, return=minimal',
  ]);
});

// Asserts contract/writing.md#bulk.
test.each<readonly [string, string, unknown, string, object, number, string]>([
  ['no max-affected', byCode('W'), { price: 1 }, '', {}, 400, 'max-affected=<n>, from 1 to 10000'],
  ['a greater max-affected', byCode('W'), { price: 1 }, 'max-affected=10001', {}, 400, 'from 1 to 10000'],
  ['no number', byCode('W'), { price: 1 }, 'max-affected=ten', {}, 400, 'from 1 to 10000'],
  ['zero', byCode('W'), { price: 1 }, 'max-affected=0', {}, 400, 'from 1 to 10000'],
  ['an array', byCode('W'), [{ id: 1 }], 'max-affected=9', {}, 400, "With the parameter 'filter' the body must be"],
  ['an id', byCode('W'), { id: '1' }, 'max-affected=9', {}, 400, 'The body names an instance'],
  ['an empty filter', '', { price: 1 }, 'max-affected=9', {}, 400, 'Entities filter cannot be null'],
  ['a broken filter', '{', { price: 1 }, 'max-affected=9', {}, 400, 'The filter'],
  ['a misspelled filter', '{"condition":[]}', { price: 1 }, 'max-affected=9', {}, 400, "'filter.condition'"],
  ['a search', `${byCode('W')}&q=x`, { price: 1 }, 'max-affected=9', {}, 400, "'q' cannot be combined"],
  ['a limit', `${byCode('W')}&limit=1`, { price: 1 }, 'max-affected=9', {}, 400, "'limit' cannot be combined"],
  ['an unknown member', byCode('W'), { prcie: 1 }, 'max-affected=9, handling=strict', {}, 400, 'prcie'],
  ['an unknown member for none', byCode('0'), { prcie: 1 }, 'max-affected=9, handling=strict', {}, 400, 'prcie'],
  ['a bin', `${byCode('W')}&deleted=only`, { price: 1 }, 'max-affected=9', {}, 400, "'deleted' cannot be combined"],
  ['a wrong plan', `${byCode('W')}&responseFetchPlan=none`, { price: 1 }, 'max-affected=9', {}, 400, 'none'],
  ['a tag', byCode('W'), { price: 1 }, 'max-affected=9', { 'if-match': '*' }, 400, 'If-Match cannot be combined'],
  [
    'a JSON Patch',
    byCode('W'),
    [],
    'max-affected=9',
    { 'content-type': 'application/json-patch+json' },
    400,
    'A JSON Patch cannot be combined',
  ],
  ['a wrong value', byCode('W'), { price: 'x' }, 'max-affected=9', {}, 400, 'price'],
])('a patch with %s is refused', async (_name, filter, body, prefer, headers, status, details) => {
  await create('W', { price: 3 });
  expect((await patch('admin', byCode('none'), { price: 'x' })).status).toBe(400);
  const response = await patch('admin', filter, body, prefer, headers);
  expect([response.status, response.json().details]).toEqual([status, expect.stringContaining(details)]);
  expect(await prices('W')).toEqual([3]);
  await data.query(`DELETE FROM b.product WHERE code LIKE 'W%'`);
});

// Asserts contract/writing.md#bulk.
test('a patch or a deletion with neither a filter nor an array is refused', async () => {
  const patched = await data.send('admin', 'PATCH', '/entities/b_Product', { price: 1 }, { 'content-type': MERGE });
  expect([patched.status, patched.json().details]).toEqual([400, expect.stringContaining('should be an array')]);
  expect((await data.send('admin', 'DELETE', '/entities/b_Product', '')).status).toBe(400);
  const both = await data.send('admin', 'DELETE', `/entities/b_Product?filter=${byCode('Z')}`, ['1'], {
    prefer: 'max-affected=9',
  });
  expect([both.status, both.json().details]).toEqual([400, "A body cannot be combined with the parameter 'filter'"]);
});

// Asserts contract/writing.md#bulk, contract/row-policies.md#writing.
test('only instances that the caller sees are affected, and one that it may not change refuses all', async () => {
  await create('R', { price: 1, area: 'n1' }, { price: 20, area: 's1' }, { price: 3, area: 'n2' });
  expect(affected(await patch('north', byCode('R'), { price: 4 }))).toEqual([200, 2]);
  expect(await prices('R')).toEqual([4, 20, 4]);
  expect(affected(await patch('cheap', byCode('R'), { price: 5 }))).toEqual([200, 2]);
  expect(await prices('R')).toEqual([5, 20, 5]);
  for (const response of [await patch('kept', byCode('R'), { area: 'w' }), await remove('kept', byCode('R'))])
    expect([response.status, response.json().error]).toEqual([403, 'Forbidden']);
  expect(await prices('R')).toEqual([5, 20, 5]);
  expect((await patch('blind', byCode('R'), { price: 6 })).status).toBe(403);
  expect((await remove('pricer', byCode('R'))).status).toBe(403);
});

// Asserts contract/writing.md#bulk.
test('of any number of matches, those that code chooses are affected', async () => {
  await data.query(`INSERT INTO b.product (id, version, code, price, area)
    SELECT gen_random_uuid(), 1, 'Z' || n, CASE WHEN n % 2 = 0 THEN 1 ELSE 20 END, 'z' FROM generate_series(1, 450) n`);
  const many = await patch('cheap', byCode('Z'), { area: 'y' }, 'max-affected=224, return=minimal');
  expect([many.status, many.json().details]).toEqual([409, expect.stringContaining('finds 225 instances')]);
  const done = await patch('cheap', byCode('Z'), { area: 'y' }, 'max-affected=225, return=minimal');
  expect(affected(done)).toEqual([204, 225]);
  expect(await data.query(`SELECT DISTINCT price FROM b.product WHERE area = 'y'`)).toEqual([{ price: '1.00' }]);
});

// Asserts contract/writing.md#bulk.
test('attributes that the caller may not view cannot be in the filter, and those it may not change are named', async () => {
  await create('V', { price: 1, margin: 9 });
  const hidden = { property: 'margin', operator: '>', value: 1 };
  expect((await patch('pricer', byCode('V', hidden), { price: 2 })).status).toBe(403);
  const response = await patch('pricer', byCode('V'), { price: 2, area: 'x', margin: 1 });
  expect([response.status, response.headers.get('x-ignored')]).toEqual([200, 'body.margin, body.area']);
  expect(await prices('V')).toEqual([2]);
});

// Asserts contract/writing.md#bulk.
test('an instance that breaks a rule refuses all, and is named by its id', async () => {
  await create('P', { price: 1 }, { price: 2 });
  const response = await patch('admin', byCode('P'), { price: -1 });
  const [first] = await data.query(`SELECT id FROM b.product WHERE code = 'P0'`);
  expect(response.status).toBe(400);
  expect(response.json().map(({ path }: { path: string }) => path)).toContain(`entities[${first?.['id']}].price`);
  expect((await patch('admin', byCode('P'), { area: 'closed' })).status).toBeGreaterThanOrEqual(400);
  expect(await prices('P')).toEqual([1, 2]);
  data.errors.length = 0;
});

// Asserts contract/writing.md#bulk, contract/writing.md#rehearsal.
test('a rehearsal names what would change, and a repeat with an idempotency key changes nothing', async () => {
  await create('K', { price: 1 }, { price: 2 });
  const rehearsed = await patch('admin', byCode('K'), { price: 3 }, 'max-affected=5, tx=rollback');
  expect([rehearsed.json().result, rehearsed.json().changes.length]).toEqual([
    [expect.anything(), expect.anything()],
    2,
  ]);
  expect(affected(rehearsed)).toEqual([200, 2]);
  expect(rehearsed.headers.get('preference-applied')).toBe('max-affected=5, tx=rollback');
  expect(await prices('K')).toEqual([1, 2]);
  const key = { 'idempotency-key': 'k1' };
  expect(affected(await patch('admin', byCode('K'), { price: 3 }, 'max-affected=5', key))).toEqual([200, 2]);
  await data.query(`UPDATE b.product SET price = 9 WHERE code = 'K0'`);
  const repeated = await patch('admin', byCode('K'), { price: 3 }, 'max-affected=5', key);
  expect([...affected(repeated), repeated.headers.get('idempotency-replayed')]).toEqual([200, 2, 'true']);
  expect(await prices('K')).toEqual([9, 3]);
});

// Asserts contract/writing.md#bulk.
test('an instance that matches no more is not affected by later ones of concurrent patches', async () => {
  await create('C', ...Array.from({ length: 40 }, () => ({ price: 1, area: 'free' })));
  const free = byCode('C', { property: 'area', operator: '=', value: 'free' });
  const responses = await Promise.all(
    Array.from({ length: 4 }, (_, at) => patch('admin', free, { area: `taken${at}` })),
  );
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(responses.map((each) => affected(each)[1]).sort()).toEqual([0, 0, 0, 40]);
  const versions = await data.query(`SELECT DISTINCT version FROM b.product WHERE code LIKE 'C%'`);
  expect(versions).toEqual([{ version: 2 }]);
});

// Asserts contract/writing.md#bulk.
test('thousands of instances are written in batches of one transaction', async () => {
  const rows = Array.from({ length: 1_200 }, (_, at) => `('${at}', '${at}')`).join();
  await data.query(`INSERT INTO b.area (code, name) VALUES ${rows}`);
  const filter = encodeURIComponent('{"conditions":[{"property":"code","operator":"notEmpty","value":true}]}');
  const send = (method: string, body: unknown) =>
    data.send('admin', method, `/entities/b_Area?filter=${filter}`, body, {
      'content-type': MERGE,
      prefer: 'max-affected=2000, return=minimal',
    });
  const keyed = await send('PATCH', { code: 'x' });
  expect([keyed.status, keyed.json().details]).toEqual([400, expect.stringContaining('The body names an instance')]);
  const shown = await data.send(
    'admin',
    'PATCH',
    `/entities/b_Area?filter=${filter}`,
    { name: 'shown' },
    {
      'content-type': MERGE,
      prefer: 'max-affected=2000',
    },
  );
  expect([shown.status, shown.json().details]).toEqual([400, expect.stringContaining('add return=minimal')]);
  const long = await send('PATCH', { name: `x${' '.repeat(99_000)}` });
  expect([long.status, long.json().details]).toEqual([400, expect.any(String)]);
  expect(affected(await send('PATCH', { name: 'all' }))).toEqual([204, 1_200]);
  expect(await data.query('SELECT DISTINCT name FROM b.area')).toEqual([{ name: 'all' }]);
  expect(affected(await send('DELETE', ''))).toEqual([204, 1_200]);
  expect(data.errors).toEqual([]);
});

// Asserts contract/writing.md#bulk-expressions.
describe('expressions in a patch', () => {
  const price = (expression: string, name = 'price') => ({ [name]: { expression } });
  const pricesOf = async (prefix: string) =>
    (await data.query(`SELECT price::text FROM b.product WHERE code LIKE '${prefix}%' ORDER BY code`)).map(
      (row) => (row as { price: string }).price,
    );
  beforeAll(async () => {
    for (const [code, value, area] of [
      ['x1', 10, 'north'],
      ['x2', 20.5, 'south'],
      ['x3', null, 'n2'],
    ] as const) {
      const response = await data.send('admin', 'POST', '/entities/b_Product', { code, price: value, area, margin: 3 });
      expect(response.status).toBe(201);
    }
  });

  test('each instance gets the value of its own attributes, as they were before', async () => {
    const changed = await patch('pricer', byCode('x'), price('round({E}.price * 1.05, 2)'));
    expect([changed.status, changed.text]).toEqual([200, expect.anything()]);
    expect(await pricesOf('x')).toEqual(['10.50', '21.53', null]);
    const swapped = await patch('admin', byCode('x1'), { ...price('{E}.margin'), ...price('{E}.price', 'margin') });
    expect(swapped.status).toBe(200);
    expect(await data.query(`SELECT price::text, margin::text FROM b.product WHERE code = 'x1'`)).toEqual([
      { price: '3.00', margin: '10.50' },
    ]);
    const rehearsed = await patch('admin', byCode('x2'), price('{E}.price + 1'), 'max-affected=5, tx=rollback');
    expect(rehearsed.json().changes[0].attributes).toContainEqual({ attribute: 'price', old: 21.53, new: 22.53 });
  });

  test('rules hold for the values, and all are refused together', async () => {
    const before = await pricesOf('x');
    for (const text of ['0 - {E}.price', '99999999999 + 1']) {
      const refused = await patch('admin', byCode('x'), price(text));
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('price')]);
    }
    expect(await pricesOf('x')).toEqual(before);
  });

  test.each([
    ['{E}.price *', 'price'],
    ['{E}.nothing', 'has no attribute nothing'],
    ['other.price', 'Unknown variable other'],
    ['(select max(p.price) from b_Product p)', 'it may have attributes of {E}'],
    ['sum({E}.price)', 'it may have attributes of {E}'],
    [':secret', 'it may have attributes of {E}'],
    ['1 from b_Offer o', "The expression of 'price'"],
  ])('%s is refused', async (text, details) => {
    const refused = await patch('admin', byCode('x'), price(text));
    expect([refused.status, refused.json().details]).toEqual([400, expect.stringContaining(details)]);
    expect(data.errors).toEqual([]);
  });

  test('long and many expressions are refused, and a division by zero is null as in queries', async () => {
    const long = await patch('admin', byCode('x'), price(`{E}.price${' + 1'.repeat(300)}`));
    expect(long.json().details).toContain('at most 1000 characters');
    const many = await patch('admin', byCode('x'), price(Array.from({ length: 21 }, () => '{E}.price').join(' + ')));
    expect([many.status, many.json().details]).toEqual([400, expect.stringContaining('more than 20 attributes')]);
    expect((await patch('admin', byCode('x2'), price('{E}.price / ({E}.margin - {E}.margin)'))).status).toBe(200);
    expect((await pricesOf('x2'))[0]).toBeNull();
  });

  test('an attribute that the caller may not view is refused, and one that it may not change is named', async () => {
    const hidden = await patch('pricer', byCode('x'), price('{E}.margin'));
    expect([hidden.status, hidden.text.includes('10.5')]).toEqual([403, false]);
    const kept = await patch('pricer', byCode('x1'), price('{E}.code', 'area'));
    expect([kept.status, kept.headers.get('x-ignored')]).toEqual([200, 'body.area']);
    const text = await patch('admin', byCode('x1'), price('{E}.area', 'price'));
    expect([text.status, text.json().details ?? text.text]).toEqual([400, expect.stringContaining('price')]);
  });
});
