import { type DataFixture, startData } from '../data-fixture.ts';
import { workers, workshop } from './workshop-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(workshop, workers);
});
afterAll(() => data?.close());

const TYPE = { 'content-type': 'application/merge-patch+json' };
const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>, user = 'admin') =>
  data.send(user, method, `/entities/${path}`, body, headers);
const patch = (path: string, body: unknown, headers: Record<string, string> = {}, user = 'admin') =>
  send('PATCH', path, body, { ...TYPE, ...headers }, user);
const create = async (entity: string, body: unknown): Promise<string> => {
  const response = await send('POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const PLAN = encodeURIComponent(
  JSON.stringify({
    entity: 'w_Box',
    properties: [
      ...['name', 'note', 'internal', 'price', 'data', 'colours', 'version'],
      { name: 'origin', fetchPlan: '_local' },
      { name: 'label', fetchPlan: '_local' },
      {
        name: 'parts',
        fetchPlan: { properties: ['name', 'position', 'data', { name: 'pieces', fetchPlan: '_local' }] },
      },
      { name: 'tags', fetchPlan: { properties: ['name'] } },
      { name: 'guests', fetchPlan: { properties: ['name'] } },
      { name: 'owner', fetchPlan: { properties: ['name'] } },
    ],
  }),
);
const read = async (id: string) => (await send('GET', `w_Box/${id}?fetchPlan=${PLAN}`)).json();
const newBox = (values: object = {}) => create('w_Box', { name: 'box', ...values });
const partsOf = (id: string) => data.query('SELECT name, position FROM w.part WHERE box_id = $1 ORDER BY name', [id]);

describe('a merge patch of one instance (contract/writing.md#merge-patch)', () => {
  test('changes what it names, also inside embedded objects, and null clears', async () => {
    const id = await newBox({ note: 'n', price: 3, origin: { land: 'DE', town: 'Ulm' } });
    const response = await patch(`w_Box/${id}?responseFetchPlan=_base`, { note: null, origin: { town: 'Bonn' } });
    expect([response.status, response.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"2\./)]);
    expect(await read(id)).toMatchObject({ name: 'box', price: 3, origin: { land: 'DE', town: 'Bonn' }, version: 2 });
    expect((await read(id)).note).toBeUndefined();
    expect((await patch(`w_Box/${id}`, { origin: null })).status).toBe(200);
    expect((await read(id)).origin?.land).toBeUndefined();
  });

  // Asserts contract/decisions.md#72, contract/writing.md#merge-patch.
  test('a child is merged by what it names itself; new ones keep their defaults, missing ones are removed', async () => {
    const id = await newBox({
      parts: [
        { name: 'a', position: 1, pieces: [{ name: 'x', weight: 1 }, { name: 'y' }] },
        { name: 'b', position: 2 },
        { name: 'c', position: 3 },
      ],
    });
    const [a, b] = (await read(id)).parts;
    const [x] = a.pieces;
    const parts = [{ id: a.id, position: 9, pieces: [{ id: x.id, name: 'z' }] }, { id: b.id }, { name: 'd' }];
    expect((await patch(`w_Box/${id}`, { parts })).status).toBe(200);
    expect(await partsOf(id)).toEqual([
      { name: 'a', position: 9 },
      { name: 'b', position: 2 },
      { name: 'd', position: 7 },
    ]);
    const [{ pieces }] = (await read(id)).parts.filter((part: { name: string }) => part.name === 'a');
    expect(pieces).toMatchObject([{ id: x.id, name: 'z', weight: 1 }]);
    expect((await patch(`w_Box/${id}`, { parts: [] })).status).toBe(200);
    expect(await partsOf(id)).toEqual([]);
  });

  test('the same children by PUT: an attribute that one names is null on the other (contract/writing.md#children)', async () => {
    const id = await newBox({ parts: [{ name: 'a' }, { name: 'b' }] });
    const [a, b] = (await read(id)).parts;
    const parts = [{ id: a.id, position: 9 }, { id: b.id }];
    expect((await send('PUT', `w_Box/${id}`, { parts })).status).toBe(200);
    expect(await partsOf(id)).toEqual([
      { name: 'a', position: 9 },
      { name: 'b', position: null },
    ]);
  });

  // Asserts contract/writing.md#merge-patch.
  test('the single child, references and collections of associations are as in a PUT', async () => {
    const guest = await create('w_Guest', { name: 'g' });
    const tags = [{ id: await create('w_Tag', { name: 't' }) }, { id: await create('w_Tag', { name: 'u' }) }];
    const id = await newBox({ label: { text: 'old', size: 5 }, tags });
    const body = {
      label: { text: 'new' },
      owner: { id: guest },
      guests: [{ id: guest }],
      tags: tags.slice(1),
      colours: ['red'],
    };
    expect((await patch(`w_Box/${id}`, body)).status).toBe(200);
    expect(await read(id)).toMatchObject({
      label: { text: 'new', size: 5 },
      owner: { id: guest },
      guests: [{ id: guest }],
      tags: [{ name: 'u' }],
      colours: ['red'],
    });
    expect((await patch(`w_Box/${id}`, { label: null, owner: null, guests: null, colours: null })).status).toBe(200);
    const cleared = await read(id);
    expect([cleared.label, cleared.owner]).toEqual([undefined, undefined]);
    expect([cleared.guests ?? [], cleared.colours ?? []]).toEqual([[], []]);
    const refused = await patch(`w_Box/${id}`, { parts: null });
    expect([refused.status, refused.json().details]).toEqual([400, "Attribute 'parts' must be a JSON array"]);
  });

  // Asserts contract/writing.md#merge-patch.
  test('a JSON attribute is merged inside, with every digit, also of a child', async () => {
    const id = await newBox({ data: '{}' });
    const first = '{"data":{"a":{"b":1,"c":[1,2]},"n":12345678901234567890.10}}';
    expect((await send('PUT', `w_Box/${id}`, first)).status).toBe(200);
    expect((await patch(`w_Box/${id}`, { data: { a: { b: null, d: 4 }, x: [{ y: null }] } })).status).toBe(200);
    const stored = await data.query('SELECT data::text AS data FROM w.box WHERE id = $1', [id]);
    expect(stored).toEqual([
      { data: '{"a": {"c": [1, 2], "d": 4}, "n": 12345678901234567890.10, "x": [{"y": null}]}' },
    ]);
    expect((await patch(`w_Box/${id}`, { data: [1] })).status).toBe(200);
    expect((await read(id)).data).toEqual([1]);
    expect((await patch(`w_Box/${id}`, { data: null, parts: [{ name: 'p', data: { a: null, b: 1 } }] })).status).toBe(
      200,
    );
    const [part] = (await read(id)).parts;
    expect(part.data).toEqual({ a: null, b: 1 });
    expect((await patch(`w_Box/${id}`, { parts: [{ id: part.id, data: { b: null, c: 2 } }] })).status).toBe(200);
    expect((await read(id)).parts[0].data).toEqual({ a: null, c: 2 });
    expect((await read(id)).data).toBeUndefined();
  });

  // Asserts contract/writing.md#merge-patch.
  test('a JSON value cannot grow over the maximum of a body', async () => {
    const id = await newBox({ data: { a: 'x'.repeat(600_000) } });
    const response = await patch(`w_Box/${id}`, { data: { b: 'x'.repeat(600_000) } });
    expect([response.status, response.json().error]).toEqual([400, 'Request limit exceeded']);
    expect(response.json().details).toContain('(svc.rest.max-body-size)');
  });

  // Asserts contract/writing.md#merge-patch.
  test('no effective change keeps the version; a violation names the path as it was sent', async () => {
    const id = await newBox({ note: 'n', parts: [{ name: 'a' }] });
    const same = await patch(`w_Box/${id}`, { note: 'n' });
    expect([same.status, same.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"1\./)]);
    const [part] = (await read(id)).parts;
    const wrong = await patch(`w_Box/${id}`, { parts: [{ id: part.id }, { position: 1 }] });
    expect([wrong.status, wrong.json()]).toEqual([
      400,
      [expect.objectContaining({ path: 'parts[1].name', message: 'may not be null' })],
    ]);
  });

  // Asserts contract/writing.md#merge-patch.
  test('If-Match, a repeated request and the response plan are as in a PUT', async () => {
    const id = await newBox();
    const stale = await patch(`w_Box/${id}`, { note: 'x' }, { 'if-match': '"7.x"' });
    expect(stale.status).toBe(412);
    const key = { 'idempotency-key': `merge-${id}` };
    const first = await patch(`w_Box/${id}`, { note: 'x' }, { ...key, 'if-match': '"1.x"' });
    const again = await patch(`w_Box/${id}`, { note: 'x' }, { ...key, 'if-match': '"1.x"' });
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await read(id)).version).toBe(2);
  });

  // Asserts contract/writing.md#merge-patch.
  test('the order of checks: type, right, id, row, If-Match, body', async () => {
    const id = await newBox();
    const plain = await send('PATCH', `w_No/${id}`, '{', { 'content-type': 'application/json' });
    expect([plain.status, plain.headers.get('accept-patch')]).toEqual([
      415,
      expect.stringContaining('application/merge-patch+json'),
    ]);
    const without = await fetch(`${data.url}/rest/entities/w_Box/${id}`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer admin' },
    });
    expect(without.status).toBe(415);
    expect((await patch(`w_No/${id}`, '{')).status).toBe(404);
    expect((await patch(`w_Box/${id}`, '{', {}, 'nobody')).status).toBe(403);
    expect((await patch('w_Box/x', '{')).status).toBe(400);
    expect((await patch(`w_Box/${crypto.randomUUID()}`, '{')).status).toBe(404);
    expect((await patch(`w_Box/${id}`, '{', { 'if-match': '"7.x"' })).status).toBe(412);
    const body = await patch(`w_Box/${id}`, '[]', { 'content-type': 'Application/Merge-Patch+JSON; charset=utf-8' });
    expect([body.status, body.json().details]).toEqual([400, 'The body must be a JSON object']);
    const allow = await send('OPTIONS', `w_Box/${id}`);
    expect([allow.status, allow.headers.get('allow')]).toEqual([200, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT']);
    expect(allow.headers.get('accept-patch')).toContain('application/merge-patch+json');
  });
});

describe('the rights of the caller', () => {
  // Asserts contract/writing.md#merge-patch.
  test('attributes that may not be modified are dropped, hidden children stay', async () => {
    const id = await newBox({ internal: 'i', price: 1, parts: [{ name: 'hidden' }, { name: 'seen', position: 1 }] });
    const seen = (await read(id)).parts.find((part: { name: string }) => part.name === 'seen');
    const body = { note: 'n', internal: 'x', price: 9, parts: [{ id: seen.id, position: 5 }] };
    const response = await patch(`w_Box/${id}?responseFetchPlan=_base`, body, {}, 'careful');
    expect([response.status, response.json().internal]).toEqual([200, undefined]);
    expect(await read(id)).toMatchObject({ note: 'n', internal: 'i', price: 1 });
    expect(await partsOf(id)).toEqual([
      { name: 'hidden', position: 7 },
      { name: 'seen', position: 5 },
    ]);
  });
});

describe('merge patches of several instances (contract/writing.md#merge-patch)', () => {
  test('each is merged by what it names, all or nothing, in the order of the request', async () => {
    const [a, b] = [await newBox({ note: 'a', data: { x: 1 } }), await newBox({ note: 'b', data: { y: 1 } })];
    const response = await patch('w_Box', [
      { id: b, data: { z: 2 } },
      { id: a, note: null },
    ]);
    expect([response.status, response.json().map(({ id }: { id: string }) => id)]).toEqual([200, [b, a]]);
    expect(await read(b)).toMatchObject({ note: 'b', data: { y: 1, z: 2 } });
    expect((await read(a)).note).toBeUndefined();
    const refused = await patch('w_Box', [
      { id: a, note: 'changed' },
      { id: b, name: null },
    ]);
    expect([refused.status, refused.json()[0].path]).toEqual([400, 'entities[1].name']);
    expect((await read(a)).note).toBeUndefined();
    const single = await patch('w_Box', { id: a });
    expect([single.status, single.json().error]).toEqual([400, 'The body of bulk update request should be an array']);
    const type = await send('PATCH', 'w_Box', '[]', { 'content-type': 'application/json' });
    expect(type.status).toBe(415);
  });
});
