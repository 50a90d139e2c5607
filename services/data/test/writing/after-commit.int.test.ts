import { type Application, defineApplication, type EntityChange, entityListener } from '@lintel/application';
import { compositionOfMany, integer, standardEntity, string, toOne } from '@lintel/metadata';
import { type DataFixture, startData } from '../data-fixture.ts';

let data: DataFixture;
const seen: (EntityChange & { readonly stored?: unknown })[] = [];
let onCommit: (change: EntityChange) => Promise<void> = async () => {};

const application: Application = defineApplication({
  id: 'c',
  name: 'Commits',
  entities: [
    standardEntity('c_List', {
      attributes: {
        name: string(50).mandatory().unique(),
        items: compositionOfMany('c_Item', 'list'),
        size: integer(),
      },
    }),
    standardEntity('c_Item', { attributes: { list: toOne('c_List').mandatory(), text: string(20).mandatory() } }),
    standardEntity('c_Note', { attributes: { text: string(50) } }),
  ],
  listeners: [
    entityListener({
      entity: 'c_List',
      afterSave: async ({ change, id, after }, { data: inside }) => {
        if (change !== 'deleted' && after?.['size'] !== 1) await inside.update('c_List', id, { size: 1 });
      },
      afterCommit: async (change, context) => {
        const stored = await context.data.load('c_List', change.id);
        seen.push({ ...change, stored: stored?.['name'] });
        await onCommit(change);
      },
    }),
    entityListener({
      entity: 'c_Item',
      afterCommit: async (change, context) => {
        seen.push(change);
        if (change.after?.['text'] === 'fail') throw new Error(`failed for ${context.username}`);
        if (change.after?.['text'] === 'write') {
          const [note] = await context.data.loadList('c_Note');
          await context.data.update('c_Note', note?.['id'], { text: 'written after the commit' });
        }
        if (change.after?.['text'] === 'create') {
          const id = await context.data.create('c_Note', { text: 'created after the commit' });
          await context.data.save('c_Note', { id, text: `one of ${await context.data.count('c_Note')}` });
        }
        if (change.after?.['text'] === 'remove') {
          const notes = await context.data.loadList('c_Note');
          for (const { id } of notes) await context.data.remove('c_Note', id);
        }
      },
    }),
  ],
});

beforeAll(async () => {
  data = await startData(application, { admin: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => data?.close());
beforeEach(() => {
  seen.length = 0;
  onCommit = async () => {};
  data.errors.length = 0;
});

const send = (method: string, path: string, body?: unknown) => data.send('admin', method, `/entities/${path}`, body);

test('afterCommit is called once for each instance, with its state before the transaction and after it', async () => {
  const { id } = (await send('POST', 'c_List', { name: 'first', items: [{ text: 'a' }] })).json();
  expect(seen).toMatchObject([
    { entity: 'c_List', id, change: 'created', before: undefined, after: { name: 'first', size: 1, version: 1 } },
    { entity: 'c_Item', change: 'created', before: undefined, after: { text: 'a', list: { id } } },
  ]);
  seen.length = 0;
  await send('PUT', `c_List/${id}`, { name: 'second', size: 5 });
  expect(seen).toMatchObject([
    {
      change: 'updated',
      before: { name: 'first', size: 1, version: 1 },
      after: { name: 'second', size: 1, version: 2 },
    },
  ]);
  seen.length = 0;
  await send('DELETE', `c_List/${id}`);
  expect(seen).toMatchObject([
    { entity: 'c_List', change: 'deleted', before: { name: 'second', version: 2 }, after: undefined },
    { entity: 'c_Item', change: 'deleted', before: { text: 'a' }, after: undefined },
  ]);
});

test('afterCommit of a changed child is called for its root too, since the version of the root was incremented', async () => {
  const plan = encodeURIComponent(
    JSON.stringify({ entity: 'c_List', properties: [{ name: 'items', fetchPlan: { properties: ['text'] } }] }),
  );
  const response = await send('POST', `c_List?responseFetchPlan=${plan}`, { name: 'root', items: [{ text: 'a' }] });
  seen.length = 0;
  await send('PUT', `c_Item/${response.json().items[0].id}`, { text: 'b' });
  expect(seen).toMatchObject([
    { entity: 'c_Item', change: 'updated', before: { text: 'a' }, after: { text: 'b' } },
    { entity: 'c_List', change: 'updated', before: { version: 1 }, after: { version: 2 } },
  ]);
});

test('afterCommit is called after the change is visible to others, and before the response', async () => {
  let committed: unknown;
  onCommit = async ({ id }) => {
    // Read with another connection, outside of any transaction of the service.
    [committed] = await data.query('SELECT name FROM c.list WHERE id = $1', [id]);
  };
  expect((await send('POST', 'c_List', { name: 'visible' })).status).toBe(201);
  expect([committed, seen[0]]).toMatchObject([{ name: 'visible' }, { stored: 'visible' }]);
});

test('afterCommit is not called for a change that was refused or rolled back', async () => {
  await send('POST', 'c_List', { name: 'taken' });
  seen.length = 0;
  const responses = [
    await send('POST', 'c_List', [{ name: 'free' }, { name: 'taken' }]),
    await send('POST', 'c_List', { name: 'x', items: [{ text: null }] }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([409, 400]);
  expect(seen).toEqual([]);
});

test('an error of a listener after the commit is logged; it affects neither the response nor other listeners', async () => {
  const response = await send('POST', 'c_List', { name: 'failing', items: [{ text: 'fail' }, { text: 'ok' }] });
  expect(response.status).toBe(201);
  expect(seen.map(({ entity, after }) => `${entity} ${after?.['text'] ?? ''}`)).toEqual([
    'c_List ',
    'c_Item fail',
    'c_Item ok',
  ]);
  expect(data.errors).toEqual([
    { err: expect.objectContaining({ message: 'failed for admin' }), entity: 'c_Item', change: 'created' },
  ]);
});

test('writes of a listener after the commit are a separate transaction with its own events', async () => {
  const { id } = (await send('POST', 'c_Note', { text: 'before' })).json();
  await send('POST', 'c_List', { name: 'writing', items: [{ text: 'write' }] });
  expect(await data.query('SELECT text, version FROM c.note WHERE id = $1', [id])).toEqual([
    { text: 'written after the commit', version: 2 },
  ]);
  const [event] = await data.query<{ subject: string }>(
    'SELECT subject FROM events.outbox ORDER BY position DESC LIMIT 1',
  );
  expect(event?.subject).toBe(`c_Note/${id}`);
});

test('a listener creates, saves and counts after the commit', async () => {
  await send('POST', 'c_List', { name: 'creating', items: [{ text: 'create' }] });
  const notes = await data.query<{ text: string }>("SELECT text FROM c.note WHERE text LIKE 'one of %'");
  expect(notes).toEqual([{ text: expect.stringMatching(/^one of \d+$/) }]);
});

test('a listener may remove instances after the commit', async () => {
  await send('POST', 'c_Note', { text: 'to be removed' });
  await send('POST', 'c_List', { name: 'removing', items: [{ text: 'remove' }] });
  expect(await data.query('SELECT text FROM c.note')).toEqual([]);
});
