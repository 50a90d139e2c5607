import { type DataFixture, startData } from '../../data-fixture.ts';
import { library } from '../library-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(
    library,
    {
      admin: { resourceRoles: ['system-full-access'] },
      modest: { resourceRoles: ['system-full-access'], rowLevelRoles: ['no-secrets'] },
    },
    { 'svc.rest.optimistic-locking-enabled': 'true' },
  );
});
afterAll(() => data.close());

const send = (method: string, path: string, body?: unknown, user = 'admin') =>
  data.send(user, method, `/entities/${path}`, body);
const create = async (entity: string, body: unknown): Promise<string> => {
  const response = await send('POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const plan = {
  entity: 'l_Shelf',
  properties: [
    'code',
    'version',
    { name: 'boards', fetchPlan: { properties: ['label', 'load', 'version'] } },
    { name: 'boxes', fetchPlan: { properties: ['name', 'version', 'lid'] } },
    { name: 'things', fetchPlan: { properties: ['name', 'version'] } },
    { name: 'topics', fetchPlan: { properties: ['name'] } },
  ],
};
const read = async (id: string) =>
  (await send('GET', `l_Shelf/${id}?fetchPlan=${encodeURIComponent(JSON.stringify(plan))}`)).json();
let number = 0;
const code = () => `C${++number}`;
const newShelf = (values: object = {}) => create('l_Shelf', { code: code(), ...values });
const storedBoards = (id: string) =>
  data.query<{ label: string; deleted: boolean; version: number }>(
    'SELECT label, deleted_date IS NOT NULL AS deleted, version FROM l.board WHERE shelf_id = $1 ORDER BY label',
    [id],
  );

describe('soft-deleted children (contract/row-policies.md#merge)', () => {
  // Asserts contract/row-policies.md#writing.
  test('a removed child is soft-deleted; its id restores it; repeating the removal changes nothing', async () => {
    const id = await newShelf({ boards: [{ label: 'a' }, { label: 'b' }] });
    const [a, b] = ['a', 'b'].map(
      async (label) => (await read(id)).boards.find((board: { label: string }) => board.label === label).id,
    );
    const [first, second] = [await a, await b];
    expect((await send('PUT', `l_Shelf/${id}`, { boards: [{ id: first, label: 'a' }] })).status).toBe(200);
    expect(await storedBoards(id)).toEqual([
      { label: 'a', deleted: false, version: 1 },
      { label: 'b', deleted: true, version: 2 },
    ]);
    const back = {
      boards: [
        { id: first, label: 'a' },
        { id: second, label: 'b2' },
      ],
    };
    expect((await send('PUT', `l_Shelf/${id}`, back)).status).toBe(200);
    expect(await storedBoards(id)).toEqual([
      { label: 'a', deleted: false, version: 1 },
      { label: 'b2', deleted: false, version: 3 },
    ]);
    await send('PUT', `l_Shelf/${id}`, { boards: [] });
    const before = await storedBoards(id);
    await send('PUT', `l_Shelf/${id}`, { boards: [] });
    expect(await storedBoards(id)).toEqual(before);
    expect((await read(id)).version).toBe(4);
  });
});

describe('children of several entities', () => {
  // Asserts contract/writing.md#create.
  test('are created as the entity that they name; an abstract entity returns 400', async () => {
    const id = await newShelf({
      things: [
        { _entityName: 'l_Lamp', name: 'lamp', watts: 40 },
        { _entityName: 'l_Vase', name: 'vase', colour: 'blue' },
      ],
    });
    expect(await data.query('SELECT watts FROM l.lamp l JOIN l.thing t USING (id) WHERE shelf_id = $1', [id])).toEqual([
      { watts: 40 },
    ]);
    const refused = await send('PUT', `l_Shelf/${id}`, { things: [{ name: 'none' }] });
    expect([refused.status, refused.json()]).toEqual([
      400,
      {
        error: 'Cannot deserialize an entity from JSON',
        details: "l_Thing has no instances of its own: 'things[0]._entityName' must name l_Lamp or l_Vase",
      },
    ]);
  });

  // Asserts contract/writing.md#body, contract/writing.md#update.
  test('the entity of a stored child cannot be changed', async () => {
    const id = await newShelf({ things: [{ _entityName: 'l_Lamp', name: 'lamp', watts: 40 }] });
    const [thing] = (await read(id)).things;
    const refused = await send('PUT', `l_Shelf/${id}`, {
      things: [{ id: thing.id, _entityName: 'l_Vase', name: 'lamp', colour: 'red' }],
    });
    expect([refused.status, refused.json().details]).toEqual([400, "'things[0]._entityName' must name l_Lamp"]);
    // Without a name, the attributes are those of the declared entity of the collection.
    const kept = await send('PUT', `l_Shelf/${id}`, { things: [{ id: thing.id, name: 'desk' }] });
    expect(kept.status).toBe(200);
    expect(await data.query('SELECT watts FROM l.lamp WHERE id = $1', [thing.id])).toEqual([{ watts: 40 }]);
  });
});

describe('the entity name of a body', () => {
  // Asserts contract/writing.md#body, contract/writing.md#update.
  test('an update with the name of another or of an unknown entity: 400', async () => {
    const shelf = await newShelf();
    const lamp = await create('l_Lamp', { name: 'x', shelf: { id: shelf } });
    for (const _entityName of ['l_Vase', 'l_Shelf', 'no_Such', 5]) {
      const response = await send('PUT', `l_Thing/${lamp}`, { _entityName, name: 'y' });
      expect([response.status, response.json().error]).toEqual([400, 'Cannot deserialize an entity from JSON']);
    }
    for (const _entityName of ['l_Lamp', 'l_Thing', null])
      expect((await send('PUT', `l_Thing/${lamp}`, { _entityName, name: 'z' })).status).toBe(200);
  });
});

describe('versions of children (contract/writing.md#versions)', () => {
  test('are compared like that of the root: an outdated one returns 400 and changes nothing', async () => {
    const id = await newShelf({ boards: [{ label: 'v1' }], boxes: [{ name: 'box', lid: { colour: 'red' } }] });
    const before = await read(id);
    const [board] = before.boards;
    const stale = await send('PUT', `l_Shelf/${id}`, { boards: [{ id: board.id, label: 'v2', version: 7 }] });
    expect([stale.status, stale.json().error]).toEqual([400, 'Optimistic lock']);
    expect(stale.json().details).toContain('l_Board');
    const deep = { boxes: [{ id: before.boxes[0].id, name: 'box', lid: { colour: 'blue', version: 2 } }] };
    expect((await send('PUT', `l_Shelf/${id}`, deep)).json().error).toBe('Optimistic lock');
    expect(await read(id)).toEqual(before);
    const right = { boards: [{ id: board.id, label: 'v2', version: board.version }] };
    expect((await send('PUT', `l_Shelf/${id}`, right)).status).toBe(200);
  });
});

describe('the order of checks of a batch (contract/writing.md#check-order)', () => {
  // Asserts contract/errors.md#catalogue.
  test('is element by element: id, existence, body', async () => {
    const id = await newShelf();
    const missing = crypto.randomUUID();
    const errorOf = async (...items: unknown[]) => (await send('PUT', 'l_Shelf', items)).json().error;
    expect(await errorOf({ id, width: 'x' }, { id: missing })).toBe('Cannot deserialize an entity from JSON');
    expect(await errorOf({ id: missing }, { id, width: 'x' })).toBe('Entity not found');
    expect(await errorOf({ id: missing }, { id: 'x' })).toBe('Entity not found');
    expect(await errorOf({ id, width: 'x' }, { id: 'x' })).toBe('Cannot deserialize an entity from JSON');
    expect(await errorOf({ id }, { code: 'no id' })).toBe('Required attribute id is not presented');
  });
});

describe('1:N associations in one batch', () => {
  const shelvesOf = async (...books: string[]) => {
    const rows = await data.query<{ id: string; shelf_id: string | null; version: number }>(
      'SELECT id, shelf_id, version FROM l.book WHERE id = ANY($1)',
      [books],
    );
    return books.map((id) => rows.find((row) => row.id === id)).map((row) => [row?.shelf_id, row?.version]);
  };

  test('members are exchanged; the version of each is incremented once', async () => {
    const [one, other] = [await newShelf(), await newShelf()];
    const first = await create('l_Book', { title: 'first', shelf: { id: one } });
    const second = await create('l_Book', { title: 'second', shelf: { id: other } });
    const response = await send('PUT', 'l_Shelf', [
      { id: one, books: [{ id: second }] },
      { id: other, books: [{ id: first }] },
    ]);
    expect(response.status).toBe(200);
    expect(await shelvesOf(first, second)).toEqual([
      [other, 2],
      [one, 2],
    ]);
  });

  test('a member that two instances name belongs to the last one', async () => {
    const [one, other] = [await newShelf(), await newShelf()];
    const book = await create('l_Book', { title: 'x' });
    const both = [one, other].map((id) => ({ id, books: [{ id: book }] }));
    expect((await send('PUT', 'l_Shelf', both)).status).toBe(200);
    expect(await shelvesOf(book)).toEqual([[other, 2]]);
  });
});

describe('values and references that move between instances within one request', () => {
  test('instances of a batch may refer to each other in a cycle, and have children', async () => {
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const response = await send('POST', 'l_Shelf', [
      { id: one, code: code(), next: { id: other }, plate: { text: 'x' } },
      { id: other, code: code(), next: { id: one }, plate: { text: 'y' } },
    ]);
    expect([response.status, response.text]).toEqual([201, expect.any(String)]);
    expect(await data.query('SELECT next_id FROM l.shelf WHERE id = $1', [other])).toEqual([{ next_id: one }]);
  });

  test('a unique value that one child gives up can be used by another, new or stored', async () => {
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    const id = await newShelf({
      boards: [
        { id: first, label: 'h1' },
        { id: second, label: 'h2' },
      ],
    });
    const boards = [{ id: second, label: 'h1' }, { label: 'h2' }, { id: first, label: 'h3' }];
    const response = await send('PUT', `l_Shelf/${id}`, { boards });
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    expect((await storedBoards(id)).map(({ label, version }) => [label, version])).toEqual([
      ['h1', 2],
      ['h2', 1],
      ['h3', 2],
    ]);
  });
});

describe('keys generated by the database', () => {
  // Asserts contract/decisions.md#8, contract/writing.md#create.
  test('are returned for a batch of new instances', async () => {
    const response = await send('POST', 'l_Stamp', [{ text: 'a' }, { text: 'b' }]);
    expect(response.status).toBe(201);
    const [one, other] = response.json();
    expect([typeof one.id, typeof other.id, one.id === other.id]).toEqual(['number', 'number', false]);
  });
});

describe('attributes that are not stored', () => {
  // Asserts contract/writing.md#response, contract/writing.md#update.
  test('are checked, not stored, and returned if the response plan names them', async () => {
    const named = encodeURIComponent(JSON.stringify({ entity: 'l_Shelf', properties: ['code', 'hint'] }));
    const sent = { code: code(), hint: 'left of the door' };
    const created = await send('POST', `l_Shelf?responseFetchPlan=${named}`, sent);
    expect([created.status, created.json()]).toEqual([201, expect.objectContaining(sent)]);
    const { id } = created.json();
    const updated = await send('PUT', `l_Shelf/${id}?responseFetchPlan=${named}`, { hint: 'right' });
    expect(updated.json()).toMatchObject({ hint: 'right' });
    expect((await send('GET', `l_Shelf/${id}?fetchPlan=${named}`)).json()).not.toHaveProperty('hint');
    expect((await send('POST', 'l_Shelf', sent)).status).toBe(409);
    expect((await send('PUT', `l_Shelf/${id}`, { hint: 5 })).json().details).toContain("'hint'");
  });
});
