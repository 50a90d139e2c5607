import { holdTransaction } from '@lintel/testkit';
import { type DataFixture, startData } from '../data-fixture.ts';
import { workers, workshop } from './workshop-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(workshop, workers);
}, 60_000);
afterAll(() => data?.close());

type Operation = Readonly<Record<string, unknown>>;

const TYPE = { 'content-type': 'application/json-patch+json' };
const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>, user = 'admin') =>
  data.send(user, method, `/entities/${path}`, body, headers);
const patch = (id: string, body: readonly Operation[] | string, headers: Record<string, string> = {}, user = 'admin') =>
  send('PATCH', `w_Box/${id}`, body, { ...TYPE, ...headers }, user);
const change = async (id: string, ...operations: readonly Operation[]) => {
  const response = await patch(id, operations);
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
};
const refusal = async (id: string, operations: readonly Operation[], user = 'admin') => {
  const { status, json: body, headers } = await patch(id, operations, {}, user);
  return [status, headers.get('x-error-code'), body().details];
};
const create = async (entity: string, body: unknown): Promise<string> => {
  const response = await send('POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const PLAN = encodeURIComponent(
  JSON.stringify({
    entity: 'w_Box',
    properties: [
      ...['name', 'note', 'internal', 'price', 'made', 'data', 'colours', 'version'],
      { name: 'origin', fetchPlan: '_local' },
      { name: 'label', fetchPlan: '_local' },
      { name: 'parts', fetchPlan: { properties: ['name', 'position', { name: 'pieces', fetchPlan: '_local' }] } },
      { name: 'slots', fetchPlan: '_local' },
      { name: 'tags', fetchPlan: { properties: ['name'] } },
      { name: 'guests', fetchPlan: { properties: ['name'] } },
      { name: 'owner', fetchPlan: { properties: ['name'] } },
    ],
  }),
);
const VEHICLE = encodeURIComponent('{"entity":"w_Vehicle","properties":["name","wheels","version"]}');
const read = async (id: string) => (await send('GET', `w_Box/${id}?fetchPlan=${PLAN}`)).json();
const newBox = (values: object = {}) => create('w_Box', { name: 'box', ...values });
const partsOf = async (id: string) =>
  (await data.query('SELECT name, position FROM w.part WHERE box_id = $1 ORDER BY name', [id])).map(
    (row) => `${row['name']} ${row['position']}`,
  );

describe('values (contract/writing.md#json-patch)', () => {
  test('are tested, set, cleared, moved and copied, in order, in one version', async () => {
    const id = await newBox({ note: 'n', price: 10.5, origin: { land: 'DE', town: 'Ulm' } });
    await change(
      id,
      { op: 'test', path: '/version', value: 1 },
      { op: 'test', path: '/id', value: id },
      { op: 'test', path: '/_entityName', value: 'w_Box' },
      { op: 'test', path: '/price', value: '10.500' },
      { op: 'test', path: '/made', value: null },
      { op: 'replace', path: '/name', value: 'new' },
      { op: 'test', path: '/name', value: 'new' },
      { op: 'copy', from: '/note', path: '/internal' },
      { op: 'move', from: '/origin/town', path: '/note' },
      { op: 'remove', path: '/price' },
      { op: 'add', path: '/made', value: '2026-01-02T03:04', ignored: true },
      { op: 'test', path: '/made', value: '2026-01-02T03:04:00.000' },
    );
    const box = await read(id);
    expect(box).toMatchObject({ name: 'new', note: 'Ulm', internal: 'n', made: '2026-01-02T03:04:00.000', version: 2 });
    expect(box.origin).toMatchObject({ land: 'DE' });
    expect([box.price, box.origin.town]).toEqual([undefined, undefined]);
  });

  test('an embedded object and a single child are replaced as a whole, or changed inside', async () => {
    const id = await newBox({ origin: { land: 'DE', town: 'Ulm' }, label: { text: 'old', size: 5 } });
    await change(
      id,
      { op: 'test', path: '/origin', value: { town: 'Ulm', land: 'DE' } },
      { op: 'replace', path: '/origin', value: { town: 'Bonn' } },
      { op: 'replace', path: '/label/text', value: 'new' },
    );
    const first = await read(id);
    expect([first.origin.land, first.origin.town, first.label.text, first.label.size]).toEqual([
      undefined,
      'Bonn',
      'new',
      5,
    ]);
    await change(
      id,
      { op: 'replace', path: '/label', value: { text: 'whole' } },
      { op: 'add', path: '/label/size', value: 8 },
    );
    expect((await read(id)).label).toMatchObject({ id: first.label.id, text: 'whole', size: 8 });
    await change(id, { op: 'remove', path: '/label' });
    expect((await read(id)).label).toBeUndefined();
    expect(await refusal(id, [{ op: 'replace', path: '/label/text', value: 'x' }])).toEqual([
      409,
      'DATA_PATCH_CONFLICT',
      'operations[0]: there is nothing at /label/text',
    ]);
    await change(id, { op: 'test', path: '/label', value: null }, { op: 'add', path: '/label', value: { text: 'x' } });
    expect((await read(id)).label).toMatchObject({ text: 'x', size: 3 });
  });

  test('JSON values and collections of values are addressed inside, by names and positions', async () => {
    const id = await newBox({ colours: ['red', 'blue'] });
    const stored = '{"data":{"a":{"b/c":[1,2.50]},"n":12345678901234567890.10}}';
    expect((await send('PUT', `w_Box/${id}`, stored)).status).toBe(200);
    await change(
      id,
      { op: 'test', path: '/data/a/b~1c/1', value: 2.5 },
      { op: 'add', path: '/data/a/b~1c/0', value: { x: null } },
      { op: 'copy', from: '/data/a', path: '/data/copy' },
      { op: 'remove', path: '/data/a/b~1c/1' },
      { op: 'add', path: '/colours/1', value: 'green' },
      { op: 'add', path: '/colours/-', value: 'black' },
      { op: 'remove', path: '/colours/0' },
      { op: 'replace', path: '/colours/1', value: 'white' },
      { op: 'test', path: '/colours', value: ['green', 'white', 'black'] },
    );
    expect(await data.query('SELECT data::text AS data FROM w.box WHERE id = $1', [id])).toEqual([
      {
        data: '{"a": {"b/c": [{"x": null}, 2.50]}, "n": 12345678901234567890.10, "copy": {"b/c": [{"x": null}, 1, 2.50]}}',
      },
    ]);
    expect((await read(id)).colours).toEqual(['green', 'white', 'black']);
    for (const path of ['/data/x/y', '/data/a/b~1c/9', '/colours/7', '/colours/01'])
      expect(await refusal(id, [{ op: 'add', path, value: 'x' }])).toEqual([
        409,
        'DATA_PATCH_CONFLICT',
        `operations[0]: there is nothing at ${path}`,
      ]);
  });

  test('a reference is set by its object or its id', async () => {
    const [a, b] = [await create('w_Guest', { name: 'a' }), await create('w_Guest', { name: 'b' })];
    const id = await newBox({ owner: { id: a } });
    await change(
      id,
      { op: 'test', path: '/owner', value: { id: a, name: 'ignored' } },
      { op: 'test', path: '/owner/id', value: a },
      { op: 'replace', path: '/owner/id', value: b },
    );
    expect((await read(id)).owner.name).toBe('b');
    await change(id, { op: 'replace', path: '/owner', value: { id: a } });
    await change(id, { op: 'remove', path: '/owner' }, { op: 'test', path: '/owner', value: null });
    expect((await read(id)).owner).toBeUndefined();
    expect(await refusal(id, [{ op: 'test', path: '/owner/name', value: 'a' }])).toEqual([
      400,
      'REQ_INVALID_PATCH',
      "operations[0]: 'owner' refers to another instance, of which the patch can address only the id",
    ]);
  });
});

describe('members (contract/writing.md#json-patch)', () => {
  test('children are added, changed, replaced and removed by their ids; the others stay', async () => {
    const id = await newBox({ parts: ['a', 'b', 'c', 'd'].map((name, at) => ({ name, position: at })) });
    const [a, b, c] = (await read(id)).parts.map((part: { id: string }) => part.id);
    const own = crypto.randomUUID();
    await change(
      id,
      { op: 'test', path: `/parts/${a}/position`, value: 0 },
      { op: 'test', path: `/parts/${a}`, value: { id: a } },
      { op: 'replace', path: `/parts/${a}/position`, value: 9 },
      { op: 'remove', path: `/parts/${b}` },
      { op: 'replace', path: `/parts/${c}`, value: { name: 'whole' } },
      { op: 'add', path: '/parts/-', value: { name: 'new' } },
      { op: 'add', path: `/parts/${own}`, value: { name: 'own', position: 4 } },
      { op: 'add', path: `/parts/${a}/pieces/-`, value: { name: 'piece' } },
    );
    expect(await partsOf(id)).toEqual(['a 9', 'd 3', 'new 7', 'own 4', 'whole null']);
    const box = await read(id);
    expect(box.version).toBe(2);
    expect(box.parts.find((part: { id: string }) => part.id === a).pieces).toMatchObject([{ name: 'piece' }]);
    expect(box.parts.some((part: { id: string }) => part.id === own)).toBe(true);
    await change(id, { op: 'remove', path: '/parts' });
    expect(await partsOf(id)).toEqual([]);
  });

  test('members that are keyed by a number are addressed by it, not by their position', async () => {
    const id = await newBox();
    for (const number of [11, 12]) await create('w_Slot', { number, name: `s${number}`, box: { id } });
    await change(id, { op: 'replace', path: '/slots/12/name', value: 'x' }, { op: 'remove', path: '/slots/11' });
    expect((await read(id)).slots).toMatchObject([{ number: 12, name: 'x' }]);
    expect((await refusal(id, [{ op: 'remove', path: '/slots/0' }]))[0]).toBe(409);
  });

  test('links of associations come and go alone', async () => {
    const tags = await Promise.all(['t', 'u', 'v'].map((name) => create('w_Tag', { name })));
    const guests = await Promise.all(['g', 'h', 'i'].map((name) => create('w_Guest', { name })));
    const id = await newBox({
      tags: tags.slice(0, 2).map((one) => ({ id: one })),
      guests: guests.slice(0, 2).map((one) => ({ id: one })),
    });
    await change(
      id,
      { op: 'remove', path: `/tags/${tags[0]}` },
      { op: 'add', path: '/tags/-', value: { id: tags[2] } },
      { op: 'remove', path: `/guests/${guests[0]}` },
      { op: 'add', path: `/guests/${guests[2]}`, value: {} },
    );
    const box = await read(id);
    expect(box.tags.map(({ name }: { name: string }) => name).sort()).toEqual(['u', 'v']);
    expect(box.guests.map(({ name }: { name: string }) => name).sort()).toEqual(['h', 'i']);
    expect(box.version).toBe(2);
    const missing = await patch(id, [{ op: 'add', path: '/tags/-', value: { id: crypto.randomUUID() } }]);
    expect([missing.status, missing.json().details]).toEqual([400, "Referenced entity for property 'tags' is missing"]);
  });

  test('a change of some members of an association waits for no lock of the others', async () => {
    const guests = await Promise.all(['g', 'h', 'i'].map((name) => create('w_Guest', { name })));
    const id = await newBox({ guests: guests.slice(0, 2).map((one) => ({ id: one })) });
    const held = await holdTransaction(data.databaseUrl, `SELECT 1 FROM w.guest WHERE id = '${guests[1]}' FOR UPDATE`);
    try {
      await change(
        id,
        { op: 'remove', path: `/guests/${guests[0]}` },
        { op: 'add', path: '/guests/-', value: { id: guests[2] } },
      );
    } finally {
      await held.release();
    }
    expect((await read(id)).guests.map(({ name }: { name: string }) => name).sort()).toEqual(['h', 'i']);
  });

  test('a member that is not there, or is there already, is a conflict', async () => {
    const id = await newBox({ parts: [{ name: 'a' }] });
    const [part] = (await read(id)).parts;
    const other = crypto.randomUUID();
    for (const operations of [
      [{ op: 'remove', path: `/parts/${other}` }],
      [{ op: 'replace', path: `/parts/${other}/name`, value: 'x' }],
      [{ op: 'replace', path: `/parts/${other}`, value: {} }],
      [{ op: 'add', path: `/parts/${part.id}`, value: { name: 'x' } }],
      [{ op: 'add', path: '/parts/-', value: { id: part.id, name: 'x' } }],
      [
        { op: 'add', path: '/parts/-', value: { id: other, name: 'x' } },
        { op: 'add', path: '/parts/-', value: { id: other, name: 'y' } },
      ],
      [
        { op: 'add', path: '/parts/-', value: { id: other, name: 'x' } },
        { op: 'remove', path: `/parts/${other}` },
      ],
      [
        { op: 'remove', path: `/parts/${part.id}` },
        { op: 'remove', path: `/parts/${part.id}` },
      ],
    ])
      expect((await refusal(id, operations)).slice(0, 2)).toEqual([409, 'DATA_PATCH_CONFLICT']);
    expect(await partsOf(id)).toEqual(['a 7']);
  });

  test('a child that the patch has removed is added again with its id, also by its own key', async () => {
    const id = await newBox({ parts: [{ name: 'a' }] });
    const [part] = (await read(id)).parts;
    await change(
      id,
      { op: 'remove', path: `/parts/${part.id}` },
      { op: 'add', path: '/parts/-', value: { id: part.id, name: 'b' } },
    );
    expect((await read(id)).parts).toMatchObject([{ id: part.id, name: 'b' }]);
    await create('w_Slot', { number: 31, name: 's', box: { id } });
    const again = { op: 'add', path: '/slots/-', value: { number: 31, name: 't' } };
    expect((await refusal(id, [again])).slice(0, 2)).toEqual([409, 'DATA_PATCH_CONFLICT']);
    await change(id, { op: 'remove', path: '/slots/31' }, again);
    expect((await read(id)).slots).toMatchObject([{ number: 31, name: 't' }]);
    await change(id, { op: 'add', path: '/slots/-', value: { number: 32, name: 'u' } });
    expect((await read(id)).slots).toHaveLength(2);
  });

  test('a violation names a member by its id, a new one by its operation', async () => {
    const id = await newBox({ parts: [{ name: 'a' }] });
    const [part] = (await read(id)).parts;
    const response = await patch(id, [
      { op: 'replace', path: `/parts/${part.id}/name`, value: null },
      { op: 'add', path: '/parts/-', value: { position: 1 } },
    ]);
    expect(response.status).toBe(400);
    expect(
      response
        .json()
        .map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual([`parts[${part.id}].name`, 'parts[operations[1]].name']);
  });
});

describe('refusals change nothing', () => {
  test('a failed test is 409 with the position of the operation', async () => {
    const id = await newBox({ note: 'n' });
    const operations = [
      { op: 'replace', path: '/name', value: 'x' },
      { op: 'test', path: '/note', value: 'other' },
    ];
    expect(await refusal(id, operations)).toEqual([
      409,
      'DATA_PATCH_TEST_FAILED',
      'operations[1]: /note has another value',
    ]);
    expect(await read(id)).toMatchObject({ name: 'box', version: 1 });
    expect((await refusal(id, [{ op: 'test', path: `/parts/${crypto.randomUUID()}`, value: {} }]))[1]).toBe(
      'DATA_PATCH_TEST_FAILED',
    );
  });

  test.each<[string, Operation | string, string]>([
    ['no object', 'x', 'it must be a JSON object'],
    [
      'an unknown operation',
      { op: 'put', path: '/name' },
      "'op' must be one of add, remove, replace, move, copy, test",
    ],
    ['no value', { op: 'add', path: '/name' }, "'value' is missing"],
    ['no path', { op: 'remove' }, "'path' must be a JSON Pointer to an attribute, such as /name"],
    ['a wrong pointer', { op: 'remove', path: 'name' }, "'path' must be a JSON Pointer to an attribute, such as /name"],
    ['a wrong escape', { op: 'remove', path: '/a~2' }, "'path' must be a JSON Pointer to an attribute, such as /name"],
    ['no from', { op: 'move', path: '/name' }, "'from' must be a JSON Pointer to an attribute, such as /name"],
    ['a move into itself', { op: 'move', from: '/data', path: '/data/x' }, "'path' is inside of 'from'"],
    ['an unknown attribute', { op: 'remove', path: '/no' }, "w_Box has no attribute 'no'"],
    ['a part below a value', { op: 'remove', path: '/name/x' }, "'name' is a single value"],
    ['the id', { op: 'replace', path: '/id', value: 'x' }, "'id' identifies the instance and cannot be changed"],
    ['the version', { op: 'replace', path: '/version', value: 7 }, "'version' is read-only"],
    [
      'a position of a member',
      { op: 'remove', path: '/parts/0' },
      "Members of 'parts' are addressed by their ids, not by '0'",
    ],
    [
      'the position of a new member',
      { op: 'remove', path: '/parts/-' },
      "'-' is the position of a new member: remove needs the id of one",
    ],
    [
      'a test of a collection',
      { op: 'test', path: '/parts', value: [] },
      'a collection of instances has no order: test its members by their ids',
    ],
    [
      'a copy of a collection',
      { op: 'copy', from: '/tags', path: '/tags' },
      'copy is for values, not for instances: use add and remove',
    ],
    ['a secret', { op: 'test', path: '/password', value: 'x' }, "w_Box has no attribute 'password'"],
  ])('%s is 400', async (_title, operation, mistake) => {
    const id = await newBox();
    expect(await refusal(id, [{ op: 'test', path: '/name', value: 'box' }, operation as Operation])).toEqual([
      400,
      'REQ_INVALID_PATCH',
      `operations[1]: ${mistake}`,
    ]);
    expect((await read(id)).version).toBe(1);
  });

  test('values of wrong types, and other bodies than arrays, are 400', async () => {
    const id = await newBox();
    const type = await patch(id, [{ op: 'test', path: '/price', value: 'x' }]);
    expect([type.status, type.json().details]).toEqual([400, "Attribute 'price' must be a decimal number"]);
    const value = await patch(id, [{ op: 'replace', path: '/price', value: 'x' }]);
    expect([value.status, value.json().details]).toEqual([400, "Attribute 'price' must be a decimal number"]);
    const object = await patch(id, '{}');
    expect([object.status, object.json()]).toEqual([
      400,
      { error: 'Invalid patch', details: 'A JSON Patch is an array of operations' },
    ]);
    expect((await patch(id, '[')).status).toBe(400);
    const deep = await patch(id, [{ op: 'remove', path: '/data'.repeat(300) }]);
    expect([deep.status, deep.json().details]).toEqual([400, 'operations[0]: a path has at most 200 parts']);
    const version = await send('PATCH', `w_Box/${id}?modelVersion=1`, [], TYPE);
    expect([version.status, (await patch(id, [])).status]).toEqual([200, 200]);
  });

  test('copies of copies, and more operations than allowed, are refused by the limits', async () => {
    const id = await newBox({ data: { a: 'x'.repeat(1_000) } });
    const doubling = Array.from({ length: 40 }, (_, at) => ({ op: 'copy', from: '/data', path: `/data/c${at}` }));
    const grown = await patch(id, doubling);
    expect([grown.status, grown.json().error]).toEqual([400, 'Request limit exceeded']);
    const many = Array.from({ length: 1_001 }, () => ({ op: 'test', path: '/name', value: 'box' }));
    const refused = await patch(id, many);
    expect([refused.status, refused.json().details]).toEqual([
      400,
      'The request body has 1001 items, at most 1000 are allowed (svc.rest.limits.batch-items)',
    ]);
    expect((await patch(id, many.slice(1))).status).toBe(200);
  });
});

describe('the rights of the caller', () => {
  test('an attribute that the caller may not view is like one that does not exist', async () => {
    const id = await newBox({ internal: 'secret' });
    for (const [name, at] of [
      ['internal', '/internal'],
      ['nothing', '/nothing'],
    ])
      for (const operation of [
        { op: 'test', path: at, value: 'secret' },
        { op: 'replace', path: at, value: 'x' },
        { op: 'copy', from: at, path: '/note' },
      ])
        expect(await refusal(id, [operation], 'clerk')).toEqual([
          400,
          'REQ_INVALID_PATCH',
          `operations[0]: w_Box has no attribute '${name}'`,
        ]);
    expect((await read(id)).internal).toBe('secret');
  });

  test('an attribute that may be viewed and not changed can be tested; a change of it is 403', async () => {
    const id = await newBox({ price: 3 });
    const operations = [
      { op: 'test', path: '/price', value: 3 },
      { op: 'replace', path: '/note', value: 'x' },
    ];
    expect((await patch(id, operations, {}, 'clerk')).status).toBe(200);
    expect(await refusal(id, [{ op: 'replace', path: '/price', value: 4 }], 'clerk')).toEqual([
      403,
      'ACCESS_DENIED',
      'operations[0]: /price may not be changed',
    ]);
    expect((await patch(id, [{ op: 'replace', path: '/password', value: 'x' }], {}, 'clerk')).status).toBe(200);
    expect(await data.query('SELECT password FROM w.box WHERE id = $1', [id])).toEqual([{ password: 'x' }]);
  });

  test('an attribute that is hidden for a descendant, or secret, is not changed inside: nothing of it is lost', async () => {
    const id = await create('w_Vehicle', { name: 'v', wheels: ['a', 'b'], codes: ['c', 'd'] });
    const stored = async () => {
      const json = (await send('GET', `w_Vehicle/${id}?fetchPlan=${VEHICLE}`)).json();
      const codes = await data.query('SELECT value FROM w.vehicle_codes WHERE vehicle_id = $1 ORDER BY value', [id]);
      return { ...json, codes: codes.map(({ value }) => value) };
    };
    const before = await stored();
    expect(before).toMatchObject({ wheels: ['a', 'b'], codes: ['c', 'd'], version: 1 });
    for (const [user, entity, name, operation] of [
      ['driver', 'w_Vehicle', 'wheels', { op: 'add', path: '/wheels/-', value: 'x' }],
      ['driver', 'w_Vehicle', 'wheels', { op: 'remove', path: '/wheels/0' }],
      ['driver', 'w_Vehicle', 'wheels', { op: 'test', path: '/wheels', value: [] }],
      ['driver', 'w_Vehicle', 'name', { op: 'test', path: '/name', value: null }],
      ['driver', 'w_Origin', 'town', { op: 'replace', path: '/origin/town', value: 'x' }],
      ['driver', 'w_Vehicle', 'codes', { op: 'add', path: '/codes/-', value: 'x' }],
      ['admin', 'w_Vehicle', 'codes', { op: 'add', path: '/codes/-', value: 'x' }],
      ['admin', 'w_Vehicle', 'codes', { op: 'replace', path: '/codes/0', value: 'x' }],
    ] as const) {
      const response = await send('PATCH', `w_Vehicle/${id}`, [operation], TYPE, user);
      expect([response.status, response.json().details]).toEqual([
        400,
        `operations[0]: ${entity} has no attribute '${name}'`,
      ]);
    }
    expect(await stored()).toEqual(before);
    const whole = [{ op: 'replace', path: '/codes', value: ['e'] }];
    expect((await send('PATCH', `w_Vehicle/${id}`, whole, TYPE)).status).toBe(200);
    expect(await stored()).toMatchObject({ wheels: ['a', 'b'], codes: ['e'] });
  });

  test('a hidden member is not there: it can be neither tested nor removed, and stays', async () => {
    const id = await newBox({ parts: [{ name: 'hidden' }, { name: 'seen' }] });
    const { parts } = await read(id);
    const hidden = parts.find((part: { name: string }) => part.name === 'hidden').id;
    const unknown = crypto.randomUUID();
    for (const [part, path] of [hidden, unknown].flatMap((one) => [
      [one, `/parts/${one}`],
      [one, `/parts/${one}/name`],
    ]))
      expect(await refusal(id, [{ op: 'remove', path }], 'careful')).toEqual([
        409,
        'DATA_PATCH_CONFLICT',
        `operations[0]: there is nothing at ${path?.replace(String(part), String(part))}`,
      ]);
    const added = await patch(id, [{ op: 'add', path: '/parts/-', value: { name: 'new' } }], {}, 'careful');
    expect([added.status, await partsOf(id)]).toEqual([200, ['hidden 7', 'new 7', 'seen 7']]);
  });

  test('without the right to update, nothing of the patch is read', async () => {
    const id = await newBox();
    expect((await patch(id, '[', {}, 'nobody')).status).toBe(403);
    expect((await patch(crypto.randomUUID(), '[')).status).toBe(404);
    expect((await patch(id, '[', { 'if-match': '"9.x"' })).status).toBe(412);
  });

  test('If-Match, a repeated request, the response plan and preferences are as in a PUT', async () => {
    const id = await newBox();
    const operations = [{ op: 'add', path: '/parts/-', value: { name: 'a' } }];
    const headers = { 'if-match': '"1.x"', 'idempotency-key': `patch-${id}` };
    const first = await send('PATCH', `w_Box/${id}?responseFetchPlan=_local`, operations, { ...TYPE, ...headers });
    const again = await send('PATCH', `w_Box/${id}?responseFetchPlan=_local`, operations, { ...TYPE, ...headers });
    expect([first.json().name, again.text, again.headers.get('idempotency-replayed')]).toEqual([
      'box',
      first.text,
      'true',
    ]);
    expect(await partsOf(id)).toEqual(['a 7']);
    const minimal = await patch(id, [{ op: 'replace', path: '/note', value: 'x' }], { prefer: 'return=minimal' });
    expect([minimal.status, minimal.text, minimal.headers.get('etag')]).toEqual([
      204,
      '',
      expect.stringMatching(/^"3\./),
    ]);
  });

  test('two clients who add members do not remove those of each other', async () => {
    const id = await newBox();
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, at) => patch(id, [{ op: 'add', path: '/parts/-', value: { name: `p${at}` } }])),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await partsOf(id)).toHaveLength(6);
  });
});
