import { defineApplication } from '@lintel/application';
import { compositionOfMany, integer, softDeletedEntity, string, toOne } from '@lintel/metadata';
import { type DataFixture, startData } from '../data-fixture.ts';

const albums = defineApplication({
  id: 't',
  name: 'Albums',
  entities: [
    softDeletedEntity('t_Album', {
      attributes: { name: string(20), pictures: compositionOfMany('t_Picture', 'album') },
      history: true,
    }),
    softDeletedEntity('t_Picture', { attributes: { album: toOne('t_Album').mandatory(), position: integer() } }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  const settings = { 'svc.rest.limits.graph-nodes': '100', 'svc.rest.limits.collection-size': '150' };
  data = await startData(albums, { admin: { resourceRoles: ['system-full-access'] } }, settings);
});
afterAll(() => data.close());

const send = (method: string, path: string, body?: unknown) => data.send('admin', method, path, body);
const add = (album: string, pictures: number) =>
  data.query(`INSERT INTO t.picture (id, version, album_id, position)
    SELECT gen_random_uuid(), 1, '${album}', n FROM generate_series(1, ${pictures}) n`);
const albumOf = async (pictures: number): Promise<string> => {
  const created = await send('POST', '/entities/t_Album', { name: 'first', pictures: [{ position: 0 }] });
  const { id } = created.json();
  await add(id, pictures - 1);
  return id;
};
const tooMany = expect.stringContaining('svc.rest.limits.graph-nodes');
const outcome = async (method: string, path: string, body?: unknown) => {
  const { status, text } = await send(method, path, body);
  return [status, text];
};

// Asserts contract/history.md#restore, contract/history.md#undo.
test('a state of more objects than a body is not restored, and a change among many children is undone', async () => {
  const id = await albumOf(100);
  const path = `/history/t_Album/${id}`;
  const time = new Date().toISOString();
  await send('PUT', `/entities/t_Album/${id}`, { name: 'second' });
  expect(await outcome('POST', `${path}/restore`, { time })).toEqual([400, tooMany]);
  await add(id, 100);
  expect(await outcome('POST', `${path}/restore`, { time, attributes: ['name'] })).toEqual([200, expect.anything()]);
  await send('PUT', `/entities/t_Album/${id}`, { name: 'third' });
  const [{ change }] = (await send('GET', `${path}?limit=1`)).json();
  expect(await outcome('POST', `/history/changes/${change}/undo`)).toEqual([200, expect.anything()]);
  expect((await send('GET', `/entities/t_Album/${id}?fetchPlan=_local`)).json().name).toBe('first');
});

// Asserts contract/bin.md#restore, contract/bin.md#purge.
test('more instances than a body has are neither restored from the bin nor removed', async () => {
  const [many, few] = [await albumOf(100), await albumOf(99)];
  for (const id of [many, few]) expect((await send('DELETE', `/entities/t_Album/${id}`)).status).toBe(204);
  expect(await outcome('POST', `/entities/t_Album/${many}/restore`)).toEqual([400, tooMany]);
  expect(await outcome('DELETE', `/entities/t_Album/${many}?deleted=only`)).toEqual([400, tooMany]);
  expect(await outcome('DELETE', '/entities/t_Album?deleted=only', [many, few])).toEqual([400, tooMany]);
  expect((await send('POST', `/entities/t_Album/${few}/restore`)).status).toBe(200);
  expect((await send('DELETE', `/entities/t_Album/${few}`)).status).toBe(204);
  expect((await send('DELETE', `/entities/t_Album/${few}?deleted=only`)).status).toBe(204);
});
