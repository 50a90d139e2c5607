import { type DataFixture, startData } from '../../data-fixture.ts';
import { shop } from '../../shop-application.ts';
import { databaseChecksum } from '../database-checksum.ts';
import { library } from '../library-application.ts';

const REQUIRED = {
  'svc.core.entity-serialization-token-required': 'true',
  'svc.core.entity-serialization-token-encryption-key': 'the key of this test',
};
const full = { resourceRoles: ['system-full-access'] };
let data: DataFixture;
beforeAll(async () => {
  data = await startData(
    library,
    {
      admin: full,
      modest: { ...full, rowLevelRoles: ['no-secrets'] },
      coded: { ...full, rowLevelRoles: ['no-secret-topics'] },
    },
    REQUIRED,
  );
});
afterAll(() => data.close());

const send = (user: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  data.send(user, method, `/entities/${path}`, body, headers);
const create = async (entity: string, body: unknown): Promise<string> => {
  const response = await send('admin', 'POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
let number = 0;
const text = () => `N${++number}`;

const inline = (plan: object) => encodeURIComponent(JSON.stringify(plan));
const PLAN = inline({
  entity: 'l_Shelf',
  properties: [
    'code',
    'location',
    { name: 'boards', fetchPlan: { properties: ['label', { name: 'screws', fetchPlan: { properties: ['size'] } }] } },
    { name: 'topics', fetchPlan: { properties: ['name'] } },
    { name: 'books', fetchPlan: { properties: ['title'] } },
  ],
});
const read = async (user: string, id: string) => (await send(user, 'GET', `l_Shelf/${id}?fetchPlan=${PLAN}`)).json();

/** A shelf with a visible and a hidden member in each collection. */
async function newShelf() {
  const ids = Object.fromEntries(
    ['board', 'secretBoard', 'topic', 'secretTopic', 'book', 'secretBook'].map((name) => [name, crypto.randomUUID()]),
  ) as Record<'board' | 'secretBoard' | 'topic' | 'secretTopic' | 'book' | 'secretBook', string>;
  await create('l_Topic', { id: ids.topic, name: text() });
  await create('l_Topic', { id: ids.secretTopic, name: text(), hidden: true });
  const id = await create('l_Shelf', {
    code: text(),
    location: { room: 'a' },
    topics: [{ id: ids.topic }, { id: ids.secretTopic }],
    boards: [
      { id: ids.board, label: text(), screws: [{ size: 1 }], hidden: false },
      { id: ids.secretBoard, label: text(), screws: [], hidden: true },
    ],
  });
  await create('l_Book', { id: ids.book, title: 'shown', shelf: { id } });
  await create('l_Book', { id: ids.secretBook, title: 'secret', hidden: true, shelf: { id } });
  return { id, ...ids };
}

async function stored(id: string) {
  const of = async (query: string) => (await data.query<{ id: string }>(query, [id])).map((row) => row.id).sort();
  return {
    boards: await of('SELECT id FROM l.board WHERE shelf_id = $1 AND deleted_date IS NULL'),
    topics: await of('SELECT topic_id AS id FROM l.shelf_topics_link WHERE shelf_id = $1'),
    books: await of('SELECT id FROM l.book WHERE shelf_id = $1'),
  };
}

/** All objects of a response, at every depth. */
function objectsOf(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsOf);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(objectsOf)];
}

describe('every object of a response has a token as its last member (contract/row-policies.md#security-token)', () => {
  // Asserts contract/decisions.md#25, contract/instances.md#object.
  test('roots, children, references and embedded objects', async () => {
    const { id } = await newShelf();
    for (const user of ['admin', 'modest', 'coded']) {
      const objects = objectsOf(await read(user, id));
      expect(objects.length).toBeGreaterThan(4);
      for (const object of objects) expect(Object.keys(object).at(-1)).toBe('__securityToken');
      expect(JSON.stringify(objects)).not.toContain('$token');
    }
  });

  // Asserts contract/decisions.md#25, contract/instances.md#object, contract/row-policies.md#security-token.
  test('lists, responses of writes, and responses with only the id', async () => {
    const { id } = await newShelf();
    const list = (await send('modest', 'GET', 'l_Topic?limit=2')).json();
    const updated = (await send('admin', 'PUT', `l_Shelf/${id}`, { width: 2 })).json();
    const created = (await send('modest', 'POST', 'l_Topic', [{ name: text() }, { name: text() }])).json();
    const unseen = (await send('modest', 'POST', 'l_Topic', { name: text(), hidden: true })).json();
    expect(Object.keys(unseen)).toEqual(['_entityName', 'id', '__securityToken']);
    for (const object of objectsOf([list, updated, created]))
      expect(Object.keys(object).at(-1)).toBe('__securityToken');
  });

  // Asserts contract/row-policies.md#security-token.
  test('the same state has the same token, so that its ETag does not change', async () => {
    const { id } = await newShelf();
    const first = await send('modest', 'GET', `l_Shelf/${id}?fetchPlan=${PLAN}`);
    const again = await send('modest', 'GET', `l_Shelf/${id}?fetchPlan=${PLAN}`, undefined, {
      'if-none-match': first.headers.get('etag') ?? '',
    });
    expect(again.status).toBe(304);
    expect((await read('admin', id)).__securityToken).not.toBe(first.json().__securityToken);
  });
});

describe('an update with its token', () => {
  // The administrator sees everything: only the token has the members that were hidden from the other user.
  // Asserts contract/decisions.md#25, contract/row-policies.md#merge, contract/row-policies.md#reading,
  // contract/row-policies.md#security-token.
  test.each(['modest', 'coded'])(
    'keeps the members that were hidden when %s read it, although nothing is hidden now',
    async (user) => {
      const shelf = await newShelf();
      const seen = await read(user, shelf.id);
      const hidesAll = user === 'modest';
      expect(seen.topics.map((topic: { id: string }) => topic.id)).toEqual([shelf.topic]);
      expect(seen.boards).toHaveLength(hidesAll ? 1 : 2);
      const response = await send('admin', 'PUT', `l_Shelf/${shelf.id}`, seen);
      expect([response.status, response.text]).toEqual([200, expect.any(String)]);
      expect(await stored(shelf.id)).toEqual({
        boards: [shelf.board, shelf.secretBoard].sort(),
        topics: [shelf.topic, shelf.secretTopic].sort(),
        books: [shelf.book, shelf.secretBook].sort(),
      });
    },
  );

  // Asserts contract/row-policies.md#merge, contract/row-policies.md#security-token.
  test('replaces the visible members and keeps the hidden ones: for arrays and for null', async () => {
    const shelf = await newShelf();
    const { id, __securityToken } = await read('modest', shelf.id);
    const body = { id, __securityToken, boards: [], topics: null, books: [] };
    expect((await send('modest', 'PUT', `l_Shelf/${shelf.id}`, body)).status).toBe(200);
    expect(await stored(shelf.id)).toEqual({
      boards: [shelf.secretBoard],
      topics: [shelf.secretTopic],
      books: [shelf.secretBook],
    });
    expect((await send('admin', 'PUT', `l_Shelf/${shelf.id}`, body)).status).toBe(200);
    expect((await stored(shelf.id)).boards).toEqual([shelf.secretBoard]);
    const { __securityToken: _all, ...without } = body;
    expect((await send('admin', 'PUT', `l_Shelf/${shelf.id}`, without)).status).toBe(200);
    expect(await stored(shelf.id)).toEqual({ boards: [], topics: [], books: [] });
  });

  // Asserts contract/row-policies.md#security-token.
  test('neither creates nor changes a hidden member in the body', async () => {
    const shelf = await newShelf();
    const { id, __securityToken } = await read('modest', shelf.id);
    const boards = [{ id: shelf.secretBoard, label: 'stolen' }];
    expect((await send('modest', 'PUT', `l_Shelf/${shelf.id}`, { id, __securityToken, boards })).status).toBe(200);
    expect(await data.query('SELECT 1 FROM l.board WHERE label = $1', ['stolen'])).toEqual([]);
  });

  // Asserts contract/decisions.md#25, contract/row-policies.md#reading, contract/row-policies.md#security-token.
  test('keeps a hidden reference if null is sent', async () => {
    const book = await create('l_Book', { title: 'secret', hidden: true });
    const loan = await create('l_Loan', { book: { id: book }, day: '2026-01-01' });
    const plan = inline({ entity: 'l_Loan', properties: ['day', 'book'] });
    const seen = (await send('modest', 'GET', `l_Loan/${loan}?returnNulls=true&fetchPlan=${plan}`)).json();
    expect(seen.book).toBeNull();
    expect((await send('admin', 'PUT', `l_Loan/${loan}`, { ...seen, day: '2026-01-02' })).status).toBe(200);
    expect(await data.query('SELECT book_id FROM l.loan WHERE id = $1', [loan])).toEqual([{ book_id: book }]);
    expect((await send('admin', 'PUT', `l_Loan/${loan}`, { book: null })).status).toBe(400);
  });
});

describe('an update without the token (contract/row-policies.md#security-token)', () => {
  // Asserts contract/decisions.md#25, contract/errors.md#catalogue.
  test.each([
    ['a composition', { boards: [] }],
    ['an M:N association', { topics: [] }],
    ['a 1:N association', { books: [] }],
  ])('of %s whose members row rules may hide: 403, even if none is hidden', async (_case, body) => {
    const { id } = await newShelf();
    const before = await databaseChecksum(data.database);
    const response = await send('modest', 'PUT', `l_Shelf/${id}`, body);
    expect([response.status, response.json()]).toEqual([
      403,
      { error: 'Forbidden', details: `Could not read export/import token from entity l_Shelf-${id}.` },
    ]);
    expect((await send('modest', 'PUT', 'l_Shelf', [{ id, ...body }])).status).toBe(403);
    expect(await databaseChecksum(data.database)).toEqual(before);
    expect((await send('admin', 'PUT', `l_Shelf/${id}`, body)).status).toBe(200);
  });

  // Asserts contract/row-policies.md#security-token.
  test('of other attributes, and creating: no token is needed', async () => {
    const { id, topic } = await newShelf();
    expect((await send('modest', 'PUT', `l_Shelf/${id}`, { width: 3, boxes: [] })).status).toBe(200);
    expect((await send('modest', 'POST', 'l_Shelf', { code: text(), topics: [{ id: topic }] })).status).toBe(201);
  });

  // Asserts contract/row-policies.md#security-token.
  test('of children: they need a token for their parent if its rows may be hidden', async () => {
    const { id } = await newShelf();
    const seen = await read('modest', id);
    const [board] = seen.boards;
    const { __securityToken: _none, ...bare } = board;
    // The screws refer to a board, and boards may be hidden.
    const screws = board.screws.map(({ __securityToken: _token, ...screw }: Record<string, unknown>) => ({
      ...screw,
      size: 2,
    }));
    const body = (children: unknown) => ({ ...seen, boards: [{ ...bare, screws: children }] });
    const refused = await send('modest', 'PUT', `l_Shelf/${id}`, body(screws));
    expect([refused.status, refused.json().details]).toEqual([
      403,
      expect.stringMatching(/^Could not read export\/import token from entity l_Screw-/),
    ]);
    const taken = await send('modest', 'PUT', `l_Shelf/${id}`, body(board.screws));
    expect(taken.status).toBe(200);
  });
});

describe('an invalid token, or one of another instance (contract/decisions.md#25)', () => {
  // Asserts contract/row-policies.md#security-token.
  test.each<[string, (own: string, other: string, topic: string) => unknown, string]>([
    ['nonsense', () => 'nonsense', "'__securityToken' is no security token"],
    ['a number', () => 5, "'__securityToken' is no security token"],
    ['changed', (own) => `${own.slice(0, -3)}AAA`, "'__securityToken' is no security token"],
    ['of another instance', (_own, other) => other, "'__securityToken' is the security token of another instance"],
    ['of another entity', (_own, _other, topic) => topic, "'__securityToken' is the security token of another entity"],
  ])('%s: 400, and nothing changes', async (_case, choose, details) => {
    const [one, other] = [await newShelf(), await newShelf()];
    const [own, foreign] = [await read('modest', one.id), await read('modest', other.id)];
    const token = choose(own.__securityToken, foreign.__securityToken, own.topics[0].__securityToken);
    const before = await databaseChecksum(data.database);
    const responses = [
      await send('modest', 'PUT', `l_Shelf/${one.id}`, { ...own, width: 5, __securityToken: token }),
      await send('modest', 'PUT', 'l_Shelf', [{ ...own, width: 5, __securityToken: token }]),
    ];
    expect(responses.map((response) => [response.status, response.json()])).toEqual([
      [400, { error: 'Cannot deserialize an entity from JSON', details }],
      [400, { error: 'Cannot deserialize an entity from JSON', details: details.replace("'__", "'entities[0].__") }],
    ]);
    expect(await databaseChecksum(data.database)).toEqual(before);
  });

  // Asserts contract/decisions.md#25, contract/row-policies.md#security-token.
  test('is refused in children, references and embedded objects as well', async () => {
    const one = await newShelf();
    const own = await read('modest', one.id);
    const wrong = own.__securityToken;
    const bodies = [
      { boards: own.boards.map((board: object) => ({ ...board, __securityToken: wrong })) },
      { topics: own.topics.map((topic: object) => ({ ...topic, __securityToken: wrong })) },
      { location: { ...own.location, __securityToken: wrong } },
    ];
    for (const body of bodies) {
      const response = await send('modest', 'PUT', `l_Shelf/${one.id}`, { ...own, ...body });
      expect([response.status, response.json().details]).toEqual([400, expect.stringContaining('__securityToken')]);
    }
  });
});

// Asserts contract/row-policies.md#security-token.
test('objects with composite keys have tokens that are bound to the key', async () => {
  const rates = await startData(shop, { admin: full }, REQUIRED);
  try {
    const ids = ['2026-01-01', '2026-01-02'].map((validOn) => ({ currency: 'EUR', validOn }));
    const [one, other] = (
      await rates.send(
        'admin',
        'POST',
        '/entities/t_Rate?responseFetchPlan=_local',
        ids.map((id) => ({ id, rate: 1 })),
      )
    ).json();
    expect(Object.keys(one.id)).toEqual(['currency', 'validOn', '__securityToken']);
    const put = (__securityToken: string) =>
      rates.send('admin', 'PUT', '/entities/t_Rate', [{ id: one.id, rate: 2, __securityToken }]);
    expect((await put(one.__securityToken)).status).toBe(200);
    expect((await put(other.__securityToken)).status).toBe(400);
  } finally {
    await rates.close();
  }
});

// Asserts contract/row-policies.md#security-token.
test('the service does not start with tokens but without a key', async () => {
  const properties = { 'svc.core.entity-serialization-token-required': 'true' };
  await expect(startData(library, {}, properties)).rejects.toThrow(
    'svc.core.entity-serialization-token-required needs svc.core.entity-serialization-token-encryption-key',
  );
});

test('a JSON Patch needs no token: it is applied to what the caller sees now (contract/writing.md#json-patch)', async () => {
  const { id, board, secretBoard, topic, secretTopic, secretBook, book } = await newShelf();
  const operations = [
    { op: 'replace', path: `/boards/${board}/label`, value: text() },
    { op: 'add', path: '/boards/-', value: { label: text(), screws: [] } },
    { op: 'remove', path: `/topics/${topic}` },
    { op: 'remove', path: `/books/${book}` },
  ];
  const type = { 'content-type': 'application/json-patch+json' };
  const response = await send('modest', 'PATCH', `l_Shelf/${id}`, operations, type);
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  const { boards, topics, books } = await stored(id);
  expect(boards).toEqual(expect.arrayContaining([board, secretBoard]));
  expect([boards.length, topics, books]).toEqual([3, [secretTopic], [secretBook]]);
});
