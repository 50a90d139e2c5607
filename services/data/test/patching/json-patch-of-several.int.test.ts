import { type DataFixture, startData } from '../data-fixture.ts';
import { workers, workshop } from './workshop-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(workshop, workers);
});
afterAll(() => data?.close());

type Operation = Readonly<Record<string, unknown>>;

const TYPE = { 'content-type': 'application/json-patch+json' };
const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>, user = 'admin') =>
  data.send(user, method, `/entities/${path}`, body, headers);
const patch = (
  body: readonly Operation[] | unknown,
  headers: Record<string, string> = {},
  user = 'admin',
  query = '',
) => send('PATCH', `w_Box${query}`, body, { ...TYPE, ...headers }, user);
const refusal = async (body: unknown, user = 'admin') => {
  const response = await patch(body, {}, user);
  return [response.status, response.headers.get('x-error-code'), response.json().details];
};
const newBox = async (values: object = {}) =>
  (await send('POST', 'w_Box', { name: 'box', ...values })).json().id as string;
const PLAN = `?responseFetchPlan=${encodeURIComponent('{"entity":"w_Box","properties":["name","note","version"]}')}`;
const notes = async (...ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await send('GET', `w_Box/${id}`)).json().note));

describe('a JSON Patch of a collection (contract/writing.md#json-patch-of-several)', () => {
  test('changes the instances that its paths begin with, and responds in the order in which it names them', async () => {
    const [one, two] = [await newBox({ note: 'a' }), await newBox({ note: 'b', parts: [{ name: 'p' }] })];
    const response = await patch(
      [
        { op: 'test', path: `/${two}/note`, value: 'b' },
        { op: 'replace', path: `/${one}/note`, value: 'c' },
        { op: 'add', path: `/${two}/parts/-`, value: { name: 'q' } },
        { op: 'move', from: `/${two}/note`, path: `/${two}/internal` },
        { op: 'copy', from: `/${one.toUpperCase()}/note`, path: `/${one}/internal` },
      ],
      {},
      'admin',
      PLAN,
    );
    expect([response.status, response.json()]).toEqual([
      200,
      [
        { _entityName: 'w_Box', _instanceName: expect.any(String), id: two, name: 'box', version: 2 },
        { _entityName: 'w_Box', _instanceName: expect.any(String), id: one, name: 'box', note: 'c', version: 2 },
      ],
    ]);
    const stored = await data.query('SELECT internal FROM w.box WHERE id = ANY($1) ORDER BY internal', [[one, two]]);
    expect(stored.map(({ internal }) => internal)).toEqual(['b', 'c']);
    expect(await data.query('SELECT name FROM w.part WHERE box_id = $1 ORDER BY name', [two])).toEqual([
      { name: 'p' },
      { name: 'q' },
    ]);
  });

  // Asserts contract/writing.md#json-patch-of-several.
  test('is executed as a whole or not at all', async () => {
    const [one, two] = [await newBox({ note: 'a' }), await newBox({ note: 'b' })];
    const change = { op: 'replace', path: `/${one}/note`, value: 'changed' };
    const missing = crypto.randomUUID();
    for (const [operation, expected] of [
      [
        { op: 'test', path: `/${two}/note`, value: 'x' },
        [409, 'DATA_PATCH_TEST_FAILED', 'operations[1]: /note has another value'],
      ],
      [
        { op: 'remove', path: `/${two}/parts/${missing}` },
        [409, 'DATA_PATCH_CONFLICT', `operations[1]: there is nothing at /parts/${missing}`],
      ],
      [
        { op: 'remove', path: `/${missing}/note` },
        [404, 'DATA_INSTANCE_NOT_FOUND', `Entity w_Box with id ${missing} not found`],
      ],
      [
        { op: 'replace', path: `/${two}/price`, value: 'x' },
        [400, 'REQ_CANNOT_DESERIALIZE', expect.stringContaining(`entities[${two}].price`)],
      ],
    ] as const)
      expect(await refusal([change, operation])).toEqual(expected);
    const invalid = await patch([change, { op: 'remove', path: `/${two}/name` }]);
    expect([invalid.status, invalid.json()]).toEqual([
      400,
      [expect.objectContaining({ path: `entities[${two}].name` })],
    ]);
    expect(await notes(one, two)).toEqual(['a', 'b']);
  });

  // Asserts contract/writing.md#json-patch-of-several.
  test('static mistakes of all operations come before conflicts, and name the operation', async () => {
    const [one, two] = [await newBox({ note: 'a' }), await newBox()];
    const conflict = { op: 'test', path: `/${one}/note`, value: 'x' };
    for (const [operation, mistake] of [
      [{ op: 'remove', path: `/${two}/nothing` }, "w_Box has no attribute 'nothing'"],
      [{ op: 'remove', path: `/${two}` }, /instances are created by POST and deleted by DELETE$/],
      [{ op: 'add', path: '/-', value: {} }, /instances are created by POST and deleted by DELETE$/],
      [{ op: 'remove', path: '/note' }, /created by POST/],
      [{ op: 'remove', path: '/note/x' }, "a path begins with the id of an instance, not with 'note'"],
      [{ op: 'move', from: `/${one}/note`, path: `/${two}/note` }, "'path' and 'from' must lead to the same instance"],
      [{ op: 'remove', path: `/${two}/version` }, /./],
    ] as const) {
      const [status, code, details] = await refusal([conflict, operation]);
      expect([status, code, details]).toEqual([
        400,
        'REQ_INVALID_PATCH',
        typeof mistake === 'string' ? `operations[1]: ${mistake}` : expect.stringMatching(mistake),
      ]);
    }
    expect(await refusal({})).toEqual([400, 'REQ_INVALID_PATCH', 'A JSON Patch is an array of operations']);
    expect((await refusal('['))[1]).toBe('REQ_CANNOT_DESERIALIZE');
  });

  // Asserts contract/writing.md#json-patch-of-several.
  test('has the rights of the caller, attribute by attribute and row by row', async () => {
    const id = await newBox({ internal: 's', price: 3 });
    const one = (path: string, op = 'remove') => [{ op, path: `/${id}${path}`, value: 's' }];
    expect((await refusal(one('/internal', 'test'), 'clerk')).slice(0, 2)).toEqual([400, 'REQ_INVALID_PATCH']);
    expect((await refusal(one('/price'), 'clerk')).slice(0, 2)).toEqual([403, 'ACCESS_DENIED']);
    expect((await refusal(one('/note'), 'driver'))[1]).toBe('ACCESS_UPDATE_DENIED');
    expect((await patch(one('/note', 'add'), {}, 'clerk')).status).toBe(200);
    expect(await notes(id)).toEqual(['s']);
  });

  // Asserts contract/writing.md#json-patch-of-several.
  test('an empty one changes nothing; preferences, unknown members, repeats and OPTIONS are as for one instance', async () => {
    const id = await newBox();
    const empty = await patch([]);
    expect([empty.status, empty.text]).toEqual([200, '[]']);
    const operations = [{ op: 'add', path: `/${id}/parts/-`, value: { name: 'p', no: 1 } }];
    const headers = { prefer: 'return=minimal', 'idempotency-key': id };
    for (const replayed of [null, 'true']) {
      const response = await patch(operations, headers);
      expect([response.status, response.text, response.headers.get('x-ignored')]).toEqual([204, '', 'body.parts.no']);
      expect(response.headers.get('idempotency-replayed')).toBe(replayed);
    }
    expect(await data.query('SELECT name FROM w.part WHERE box_id = $1', [id])).toHaveLength(1);
    const options = await send('OPTIONS', 'w_Box');
    expect(options.headers.get('accept-patch')).toBe('application/merge-patch+json, application/json-patch+json');
    const other = await send('PATCH', 'w_Box', [], { 'content-type': 'application/json' });
    expect([other.status, other.headers.get('accept-patch')]).toEqual([415, options.headers.get('accept-patch')]);
  });

  // Asserts contract/writing.md#json-patch-of-several.
  test('the copies of all instances together have one limit', async () => {
    const ids = [
      await newBox({ data: { a: 'x'.repeat(400_000) } }),
      await newBox({ data: { a: 'x'.repeat(400_000) } }),
    ];
    const copies = ids.flatMap((id) => [{ op: 'copy', from: `/${id}/data/a`, path: `/${id}/data/b` }]);
    expect((await patch(copies.slice(0, 1), { prefer: 'return=minimal' })).status).toBe(204);
    expect((await refusal([...copies, ...copies]))[1]).toBe('REQ_COST_EXCEEDED');
  });
});
