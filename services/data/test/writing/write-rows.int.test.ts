import { type DataFixture, NOW, startData } from '../data-fixture.ts';
import { shop } from '../shop-application.ts';
import { library } from './library-application.ts';

let data: DataFixture;
let shopData: DataFixture;
const full = { resourceRoles: ['system-full-access'] };
beforeAll(async () => {
  data = await startData(
    library,
    {
      admin: full,
      porter: { resourceRoles: ['porter'] },
      robot: { ...full, kind: 'client' },
      anonymous: { ...full, kind: 'anonymous' },
    },
    { 'svc.rest.anonymous-url-patterns': '/rest/entities/l_Topic' },
  );
  shopData = await startData(shop, { admin: full });
});
afterAll(async () => {
  await data.close();
  await shopData.close();
});

const send = (method: string, path: string, body?: unknown, user = 'admin') =>
  data.send(user, method, `/entities/${path}`, body);
const create = async (entity: string, body: unknown): Promise<string> => {
  const response = await send('POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const shopSend = (method: string, path: string, body?: unknown) =>
  shopData.send('admin', method, `/entities/${path}`, body);
const inline = (entity: string, ...properties: unknown[]) => encodeURIComponent(JSON.stringify({ entity, properties }));
let number = 0;
const code = () => `C${++number}`;
const newShelf = (values: object = {}) => create('l_Shelf', { code: code(), ...values });

describe('the order of checks (contract/writing.md#check-order)', () => {
  const missing = crypto.randomUUID();
  test.each<[string, string, unknown, string, string]>([
    ['JSON before the entity', 'no_Such', '{', 'admin', 'Malformed request JSON data structure'],
    ['the entity before the right', 'no_Such', {}, 'porter', 'Entity not found'],
    ['the right before the plan', 'l_Topic?responseFetchPlan=nope', {}, 'porter', 'Creation forbidden'],
    ['the plan before the members', 'l_Topic?responseFetchPlan=nope', { name: 5 }, 'admin', 'Fetch plan not found'],
    ['the members before the references', 'l_Book', { title: 5, shelf: { id: missing } }, 'admin', 'deserialize'],
    ['the references before the rules', 'l_Book', { shelf: { id: missing } }, 'admin', 'Entity creation failed'],
  ])('of POST: %s', async (_case, path, body, user, error) => {
    expect((await send('POST', path, body, user)).json().error).toContain(error);
  });

  // Asserts contract/writing.md#check-order.
  test.each<[string, string, unknown, string, string]>([
    ['the entity before the right', 'no_Such/x', {}, 'porter', 'Entity not found'],
    ['the right before the plan', 'l_Topic/x?responseFetchPlan=nope', {}, 'porter', 'Updating forbidden'],
    ['the plan before the id', 'l_Topic/x?responseFetchPlan=nope', {}, 'admin', 'Fetch plan not found'],
    ['the id before the row', 'l_Topic/x', '{', 'admin', 'Invalid entity ID'],
    ['the row before the body', `l_Topic/${missing}`, '{', 'admin', 'Entity not found'],
  ])('of PUT: %s', async (_case, path, body, user, error) => {
    expect((await send('PUT', path, body, user)).json().error).toContain(error);
  });

  // Asserts contract/writing.md#check-order.
  test.each<[string, string, unknown, string, string]>([
    ['the entity before the right', 'no_Such', '{', 'porter', 'Entity not found'],
    ['the right before the plan', 'l_Topic?responseFetchPlan=nope', '{', 'porter', 'Updating forbidden'],
    ['the plan before JSON', 'l_Topic?responseFetchPlan=nope', '{', 'admin', 'Fetch plan not found'],
    ['JSON before the array', 'l_Topic', '{', 'admin', 'Malformed request JSON data structure'],
    ['the array before its elements', 'l_Topic', { id: 'x' }, 'admin', 'should be an array'],
  ])('of a PUT batch: %s', async (_case, path, body, user, error) => {
    expect((await send('PUT', path, body, user)).json().error).toContain(error);
  });

  // Asserts contract/writing.md#check-order.
  test.each<[string, string, string, string]>([
    ['the entity before the right', 'no_Such/x', 'porter', 'Entity not found'],
    ['the right before the id', 'l_Topic/x', 'porter', 'Deletion forbidden'],
    ['the id before the row', 'l_Topic/x', 'admin', 'Invalid entity ID'],
  ])('of DELETE: %s', async (_case, path, user, error) => {
    expect((await send('DELETE', path, undefined, user)).json().error).toContain(error);
  });
});

describe('responses (contract/writing.md#response)', () => {
  test('the _local plan returns all values of a new audited instance', async () => {
    const response = await send('POST', 'l_Book?responseFetchPlan=_local', { title: 'Emma' });
    expect(response.json()).toEqual({
      _entityName: 'l_Book',
      _instanceName: 'Emma',
      id: expect.any(String),
      version: 1,
      createdDate: NOW,
      createdBy: 'admin',
      lastModifiedDate: NOW,
      title: 'Emma',
      hidden: false,
    });
  });

  // Asserts contract/writing.md#response.
  test('nulls are omitted for every plan', async () => {
    const response = await send(
      'POST',
      `l_Book?returnNulls=true&responseFetchPlan=${inline('l_Book', 'title', 'shelf')}`,
      {
        title: 'x',
      },
    );
    expect(Object.keys(response.json())).toEqual(['_entityName', '_instanceName', 'id', 'title']);
  });

  // Asserts contract/writing.md#response.
  test('a plan may have attributes that are not in the request, references too', async () => {
    const shelf = await newShelf();
    const book = await create('l_Book', { title: 'x', shelf: { id: shelf } });
    const plan = inline('l_Book', 'title', { name: 'shelf', fetchPlan: { properties: ['code'] } });
    const response = await send('PUT', `l_Book/${book}?responseFetchPlan=${plan}`, { title: 'y' });
    expect(response.json()).toMatchObject({ title: 'y', shelf: { id: shelf, _instanceName: expect.any(String) } });
  });
});

describe('creating (contract/writing.md#create)', () => {
  // Asserts contract/roles.md#attributes-write.
  test('defaults apply to attributes that are not sent; null stays null', async () => {
    const shown = async (body: object) =>
      (await send('POST', `l_Book?responseFetchPlan=_local`, { title: 'x', ...body })).json().hidden;
    expect([await shown({}), await shown({ hidden: null }), await shown({ hidden: true })]).toEqual([
      false,
      undefined,
      true,
    ]);
  });

  // Asserts contract/writing.md#create.
  test('id has priority over the name of the key', async () => {
    const response = await shopSend('POST', 't_Warehouse', { id: 'WINS', code: 'LOSES', name: 'x' });
    expect(response.json()).toMatchObject({ id: 'WINS', code: 'WINS' });
  });

  // Asserts contract/decisions.md#8, contract/writing.md#create.
  test('a batch with an item without its text key: 400 with the items of contract/writing.md#validation', async () => {
    const response = await shopSend('POST', 't_Warehouse', [{ code: 'B1', name: 'x' }, { name: 'y' }]);
    expect([response.status, response.json()]).toEqual([
      400,
      [expect.objectContaining({ path: 'entities[1].code', message: 'may not be null', invalidValue: null })],
    ]);
    expect((await shopSend('GET', 't_Warehouse/B1')).status).toBe(404);
  });

  // Asserts contract/writing.md#validation, contract/writing.md#versions.
  test('the users of the audit attributes: a client by its id, a call without a user as anonymous (contract/writing.md#audit)', async () => {
    const by = async (user: string) =>
      (await send('POST', 'l_Topic?responseFetchPlan=_local', { name: user }, user)).json().createdBy;
    expect([await by('robot'), await by('anonymous')]).toEqual(['robot', 'anonymous']);
  });
});

describe('updating (contract/writing.md#update)', () => {
  // Asserts contract/decisions.md#30, contract/row-policies.md#security-token.
  test('the id of the URL has priority over that of the body; unknown members are ignored', async () => {
    const [one, other] = [await create('l_Book', { title: 'one' }), await create('l_Book', { title: 'other' })];
    const body = { id: other, _instanceName: 'mine', __securityToken: 'x', nothing: [1], title: 'changed' };
    expect((await send('PUT', `l_Book/${one}`, body)).json()).toMatchObject({ id: one, _instanceName: 'changed' });
    expect((await send('GET', `l_Book/${other}`)).json()).toMatchObject({ title: 'other', version: 1 });
  });

  // Asserts contract/decisions.md#30, contract/roles.md#attributes-write, contract/writing.md#update.
  test('read-only attributes are ignored', async () => {
    const { id } = (await shopSend('POST', 't_Everything', { number: 1 })).json();
    expect((await shopSend('PUT', `t_Everything/${id}`, { fixed: 'x', number: 2 })).status).toBe(200);
    expect((await shopSend('GET', `t_Everything/${id}`)).json()).toMatchObject({ number: 2, version: 2 });
    expect((await shopSend('GET', `t_Everything/${id}`)).json()).not.toHaveProperty('fixed');
  });

  // Asserts contract/writing.md#update.
  test('a reference can be set to a soft-deleted instance; its other members are ignored', async () => {
    const shelf = await newShelf();
    expect((await send('DELETE', `l_Shelf/${shelf}`)).status).toBe(204);
    const book = await create('l_Book', { title: 'x' });
    expect((await send('PUT', `l_Book/${book}`, { shelf: { id: shelf, code: 'new', version: 9 } })).status).toBe(200);
    expect(await data.query('SELECT shelf_id FROM l.book WHERE id = $1', [book])).toEqual([{ shelf_id: shelf }]);
    expect(await data.query('SELECT version FROM l.shelf WHERE id = $1', [shelf])).toEqual([{ version: 2 }]);
  });

  // Asserts contract/writing.md#batches.
  test('a batch of composite keys is matched by them (contract/decisions.md#18)', async () => {
    const ids = ['2027-01-01', '2027-01-02'].map((validOn) => ({ currency: 'EUR', validOn }));
    await shopSend(
      'POST',
      't_Rate',
      ids.map((id) => ({ id, rate: 1 })),
    );
    const response = await shopSend(
      'PUT',
      't_Rate?responseFetchPlan=_local',
      ids.map((id, at) => ({ id, rate: at + 2 })),
    );
    expect([response.status, response.json().map(({ rate }: { rate: number }) => rate)]).toEqual([200, [2, 3]]);
  });

  // Asserts contract/writing.md#update.
  test('members of an M:N association that are named twice are linked once', async () => {
    const topic = await create('l_Topic', { name: 'twice' });
    const shelf = await newShelf({ topics: [{ id: topic }, { id: topic }] });
    expect(await data.query('SELECT topic_id FROM l.shelf_topics_link WHERE shelf_id = $1', [shelf])).toHaveLength(1);
  });

  // Asserts contract/decisions.md#18, contract/writing.md#body, contract/writing.md#update.
  test('a child whose id is twice in its collection: 400', async () => {
    const id = crypto.randomUUID();
    const response = await send('POST', 'l_Shelf', {
      code: code(),
      boards: [
        { id, label: 'm' },
        { id, label: 'n' },
      ],
    });
    expect([response.status, response.json().details]).toEqual([
      400,
      "Attribute 'boards' has two members with the same id",
    ]);
  });

  // Asserts contract/row-policies.md#merge.
  test('children are removed from a member without their attribute if a sibling has it (contract/writing.md#update)', async () => {
    const shelf = await newShelf({
      boxes: [
        { name: 'a', items: [{ name: 'i' }], lid: { colour: 'red' } },
        { name: 'b', items: [{ name: 'j' }], lid: { colour: 'blue' } },
      ],
    });
    const boxes = await data.query<{ id: string; name: string }>(
      'SELECT id, name FROM l.box WHERE shelf_id = $1 ORDER BY name',
      [shelf],
    );
    const [a, b] = boxes.map(({ id }) => id);
    const items = [{ name: 'k' }];
    expect((await send('PUT', `l_Shelf/${shelf}`, { boxes: [{ id: a, items, name: 'a' }, { id: b }] })).status).toBe(
      400,
    );
    const bodies = [
      { id: a, name: 'a', items, lid: { colour: 'red' } },
      { id: b, name: 'b' },
    ];
    expect((await send('PUT', `l_Shelf/${shelf}`, { boxes: bodies })).status).toBe(200);
    const left = await data.query(
      'SELECT b.name, b.lid_id IS NULL AS bare, count(i.id)::int AS items FROM l.box b LEFT JOIN l.item i ON i.box_id = b.id WHERE b.shelf_id = $1 GROUP BY b.name, b.lid_id ORDER BY 1',
      [shelf],
    );
    expect(left).toEqual([
      { name: 'a', bare: false, items: 1 },
      { name: 'b', bare: true, items: 0 },
    ]);
  });
});

describe('rights (contract/roles.md#attributes-write)', () => {
  test('a link needs only the right to the attribute, not the right to read its target', async () => {
    const shelf = await newShelf();
    const response = await send('POST', 'l_Book', { title: 'x', shelf: { id: shelf } }, 'porter');
    expect(response.status).toBe(201);
    expect(await data.query('SELECT shelf_id FROM l.book WHERE id = $1', [response.json().id])).toEqual([
      { shelf_id: shelf },
    ]);
  });

  // Asserts contract/roles.md#attributes-write.
  test('children of a composition that may not be modified are ignored completely, with any content', async () => {
    const response = await send('POST', 'l_Book', { title: 'y', hidden: true }, 'porter');
    expect(response.status).toBe(201);
    expect(await data.query('SELECT hidden FROM l.book WHERE id = $1', [response.json().id])).toEqual([
      { hidden: false },
    ]);
    const shelf = crypto.randomUUID();
    const before = await data.query('SELECT count(*)::int AS n FROM l.board');
    const refused = await send('POST', 'l_Shelf', { id: shelf, width: 1, boards: [{ label: 'dropped' }] }, 'porter');
    // The mandatory code was ignored as well, and is reported as missing.
    expect([refused.status, refused.json()]).toEqual([
      400,
      [expect.objectContaining({ path: 'code', message: 'may not be null' })],
    ]);
    expect(await data.query('SELECT count(*)::int AS n FROM l.board')).toEqual(before);
  });
});

describe('rules (contract/writing.md#validation)', () => {
  // Asserts contract/writing.md#batches.
  test('paths in batches have every level; invalid values are returned as they were sent (contract/decisions.md#50)', async () => {
    const response = await send('POST', 'l_Shelf', [
      { code: code() },
      { code: code(), boards: [{ label: 'ok' }, { label: 'x', load: '101', screws: [{ size: 1 }, { size: -1 }] }] },
    ]);
    expect([response.status, response.json()]).toEqual([
      400,
      expect.arrayContaining([
        expect.objectContaining({ path: 'entities[1].boards[1].load', invalidValue: '101' }),
        expect.objectContaining({ path: 'entities[1].boards[1].screws[1].size', invalidValue: -1 }),
      ]),
    ]);
    expect(response.json()).toHaveLength(2);
  });

  // Asserts contract/writing.md#validation.
  test('a rule of the entity is evaluated on the children after the save, and has the path of its instance', async () => {
    const wide = { code: code(), width: 1000 };
    const refused = await send('POST', 'l_Shelf', [wide]);
    expect([refused.status, refused.json()]).toEqual([
      400,
      [
        {
          message: 'A wide shelf needs a board',
          messageTemplate: 'A wide shelf needs a board',
          path: 'entities[0]',
          invalidValue: null,
        },
      ],
    ]);
    const id = await create('l_Shelf', { ...wide, boards: [{ label: code() }] });
    expect((await send('PUT', `l_Shelf/${id}`, { boards: [] })).json()[0].path).toBe('');
    expect((await send('PUT', `l_Shelf/${id}`, { boards: [], width: 1 })).status).toBe(200);
  });

  // Asserts contract/writing.md#validation.
  test('a stored mandatory value need not be sent again', async () => {
    const id = await newShelf();
    expect((await send('PUT', `l_Shelf/${id}`, { width: 5 })).status).toBe(200);
  });
});
