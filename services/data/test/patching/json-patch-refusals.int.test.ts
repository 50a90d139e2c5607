import { type Operation, TYPE, VEHICLE, workshopOfTests } from './workshop-of-tests.ts';

const { send, patch, refusal, create, read, newBox, partsOf, query } = workshopOfTests();

describe('refusals change nothing', () => {
  // Asserts contract/writing.md#json-patch.
  test('a failed test returns 409 with the position of the operation', async () => {
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

  // Asserts contract/writing.md#json-patch.
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
  ])('%s returns 400', async (_title, operation, mistake) => {
    const id = await newBox();
    expect(await refusal(id, [{ op: 'test', path: '/name', value: 'box' }, operation as Operation])).toEqual([
      400,
      'REQ_INVALID_PATCH',
      `operations[1]: ${mistake}`,
    ]);
    expect((await read(id)).version).toBe(1);
  });

  // Asserts contract/writing.md#json-patch.
  test('values of wrong types, and other bodies than arrays, return 400', async () => {
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

  // Asserts contract/writing.md#json-patch.
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
  // Asserts contract/writing.md#json-patch.
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

  // Asserts contract/writing.md#json-patch.
  test('an attribute that may be viewed and not changed can be tested; a change of it returns 403', async () => {
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
    expect(await query('SELECT password FROM w.box WHERE id = $1', [id])).toEqual([{ password: 'x' }]);
  });

  // Asserts contract/writing.md#json-patch.
  test('an attribute that is hidden for a descendant, or secret, is not changed inside: nothing of it is lost', async () => {
    const id = await create('w_Vehicle', { name: 'v', wheels: ['a', 'b'], codes: ['c', 'd'] });
    const stored = async () => {
      const json = (await send('GET', `w_Vehicle/${id}?fetchPlan=${VEHICLE}`)).json();
      const codes = await query('SELECT value FROM w.vehicle_codes WHERE vehicle_id = $1 ORDER BY value', [id]);
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

  // Asserts contract/writing.md#json-patch.
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

  // Asserts contract/writing.md#json-patch.
  test('without the right to update, nothing of the patch is read', async () => {
    const id = await newBox();
    expect((await patch(id, '[', {}, 'nobody')).status).toBe(403);
    expect((await patch(crypto.randomUUID(), '[')).status).toBe(404);
    expect((await patch(id, '[', { 'if-match': '"9.x"' })).status).toBe(412);
  });

  // Asserts contract/writing.md#json-patch.
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

  // Asserts contract/writing.md#json-patch.
  test('two clients who add members do not remove those of each other', async () => {
    const id = await newBox();
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, at) => patch(id, [{ op: 'add', path: '/parts/-', value: { name: `p${at}` } }])),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await partsOf(id)).toHaveLength(6);
  });
});
