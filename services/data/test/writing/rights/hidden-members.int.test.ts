import { type DataFixture, startData } from '../../data-fixture.ts';
import { library } from '../library-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(library, {
    admin: { resourceRoles: ['system-full-access'] },
    modest: { resourceRoles: ['system-full-access'], rowLevelRoles: ['no-secrets'] },
  });
});
afterAll(() => data.close());

const send = (user: string, method: string, path: string, body?: unknown) =>
  data.send(user, method, `/entities/${path}`, body);
const create = async (entity: string, body: unknown): Promise<string> => {
  const response = await send('admin', 'POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const save = async (id: string, body: unknown): Promise<void> => {
  const response = await send('modest', 'PUT', `l_Shelf/${id}`, body);
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
};
let number = 0;
const text = () => `N${++number}`;
const boardsOf = async (id: string) =>
  (
    await data.query<{ id: string; load: number | null; deleted: boolean }>(
      'SELECT id, load, deleted_date IS NOT NULL AS deleted FROM l.board WHERE shelf_id = $1',
      [id],
    )
  ).toSorted((one, other) => (one.load ?? 0) - (other.load ?? 0));

describe('compositions with members that the caller cannot see (contract/row-policies.md#merge)', () => {
  const newShelf = async () => {
    const [shown, hidden] = [crypto.randomUUID(), crypto.randomUUID()];
    const shelf = await create('l_Shelf', {
      code: text(),
      boards: [
        { id: shown, label: text(), load: 1, hidden: false },
        { id: hidden, label: text(), load: 2, hidden: true },
      ],
    });
    return { shelf, shown, hidden };
  };

  // Asserts contract/row-policies.md#merge, contract/row-policies.md#writing.
  test('an array replaces the visible members; the hidden ones are kept', async () => {
    const { shelf, shown, hidden } = await newShelf();
    await save(shelf, { boards: [{ label: text(), load: 3 }] });
    const [first, second, third] = await boardsOf(shelf);
    expect([first, second]).toEqual([
      { id: shown, load: 1, deleted: true },
      { id: hidden, load: 2, deleted: false },
    ]);
    expect(third).toMatchObject({ load: 3, deleted: false });
    await save(shelf, { boards: [] });
    expect((await boardsOf(shelf)).filter(({ deleted }) => !deleted)).toEqual([
      { id: hidden, load: 2, deleted: false },
    ]);
  });

  // Asserts contract/row-policies.md#merge, contract/row-policies.md#writing.
  test('a hidden member in the body is neither created nor changed', async () => {
    const { shelf, shown, hidden } = await newShelf();
    await save(shelf, {
      boards: [
        { id: shown, load: 1 },
        { id: hidden, load: 99 },
      ].map((one) => ({ ...one, label: text() })),
    });
    expect(await boardsOf(shelf)).toEqual([
      { id: shown, load: 1, deleted: false },
      { id: hidden, load: 2, deleted: false },
    ]);
  });
});

describe('M:N associations with members that the caller cannot see', () => {
  const newShelf = async () => {
    const [shown, hidden] = [
      await create('l_Topic', { name: text() }),
      await create('l_Topic', { name: text(), hidden: true }),
    ];
    const shelf = await create('l_Shelf', { code: text(), topics: [{ id: shown }, { id: hidden }] });
    return { shelf, shown, hidden };
  };
  const topicsOf = async (shelf: string) =>
    (await data.query<{ topic_id: string }>('SELECT topic_id FROM l.shelf_topics_link WHERE shelf_id = $1', [shelf]))
      .map(({ topic_id }) => topic_id)
      .sort();

  // Asserts contract/row-policies.md#merge, contract/row-policies.md#writing.
  test.each([[[]], [null]])('%j removes the visible links; the hidden ones are kept', async (topics) => {
    const { shelf, hidden } = await newShelf();
    await save(shelf, { topics });
    expect(await topicsOf(shelf)).toEqual([hidden]);
  });

  // Asserts contract/row-policies.md#merge, contract/row-policies.md#writing.
  test('an array replaces the visible links; a hidden member in the body keeps its single link', async () => {
    const { shelf, shown, hidden } = await newShelf();
    const other = await create('l_Topic', { name: text() });
    await save(shelf, { topics: [{ id: other }, { id: hidden }] });
    expect(await topicsOf(shelf)).toEqual([other, hidden].sort());
    await save(shelf, { topics: [{ id: shown }] });
    expect(await topicsOf(shelf)).toEqual([shown, hidden].sort());
  });

  // Asserts contract/row-policies.md#merge, contract/row-policies.md#reading, contract/row-policies.md#writing.
  test('a hidden instance can be linked: references need no right to read', async () => {
    const { shelf, shown, hidden } = await newShelf();
    const other = await create('l_Topic', { name: text(), hidden: true });
    await save(shelf, { topics: [{ id: shown }, { id: other }] });
    expect(await topicsOf(shelf)).toEqual([shown, hidden, other].sort());
  });
});

describe('1:N associations with members that the caller cannot see', () => {
  // Asserts contract/decisions.md#6, contract/row-policies.md#merge, contract/row-policies.md#writing.
  test('the visible members are replaced; the hidden ones are kept', async () => {
    const shelf = await create('l_Shelf', { code: text() });
    const shown = await create('l_Book', { title: 'shown', shelf: { id: shelf } });
    const hidden = await create('l_Book', { title: 'hidden', hidden: true, shelf: { id: shelf } });
    const other = await create('l_Book', { title: 'other' });
    await save(shelf, { books: [{ id: other }] });
    const books = await data.query<{ id: string; shelf_id: string | null }>(
      'SELECT id, shelf_id FROM l.book WHERE id = ANY($1)',
      [[shown, hidden, other]],
    );
    expect(new Map(books.map(({ id, shelf_id }) => [id, shelf_id]))).toEqual(
      new Map([
        [shown, null],
        [hidden, shelf],
        [other, shelf],
      ]),
    );
  });
});

describe('1:N associations with an instance that the caller cannot see', () => {
  // Asserts contract/conventions.md#nothing-leaks, contract/decisions.md#6, contract/row-policies.md#merge,
  // contract/row-policies.md#writing.
  test('cannot be added: 400, as if it did not exist', async () => {
    const shelf = await create('l_Shelf', { code: text() });
    const hidden = await create('l_Book', { title: 'hidden', hidden: true });
    for (const id of [hidden, crypto.randomUUID()]) {
      const response = await send('modest', 'PUT', `l_Shelf/${shelf}`, { books: [{ id }] });
      expect([response.status, response.json()]).toEqual([
        400,
        { error: 'Entity update failed', details: "Referenced entity for property 'books' is missing" },
      ]);
    }
    expect(await data.query('SELECT shelf_id FROM l.book WHERE id = $1', [hidden])).toEqual([{ shelf_id: null }]);
  });
});

describe('to-one references to a deleted instance', () => {
  // Asserts contract/decisions.md#47, contract/row-policies.md#merge, contract/row-policies.md#writing.
  test('can be read and set to null by a caller with row-level roles, too', async () => {
    const shelf = await create('l_Shelf', { code: text() });
    const book = await create('l_Book', { title: 'gone' });
    const box = await create('l_Box', {
      name: text(),
      shelf: { id: shelf },
      items: [{ name: 'i', book: { id: book } }],
    });
    expect((await send('admin', 'DELETE', `l_Book/${book}`)).status).toBe(204);
    const [item] = await data.query<{ id: string; book_id: string }>(
      'SELECT id, book_id FROM l.item WHERE box_id = $1',
      [box],
    );
    expect(item?.book_id).toBe(book);
    expect((await send('modest', 'PUT', `l_Item/${item?.id}`, { book: null })).status).toBe(200);
    expect(await data.query('SELECT book_id FROM l.item WHERE id = $1', [item?.id])).toEqual([{ book_id: null }]);
  });
});

describe('to-one references to an instance that the caller cannot see', () => {
  // Asserts contract/row-policies.md#merge, contract/row-policies.md#writing.
  test.each([
    ['null', null],
    ['another instance', 'other'],
  ])('are kept when %s is sent', async (_case, sent) => {
    const book = await create('l_Book', { title: 'hidden', hidden: true });
    const other = await create('l_Book', { title: 'other' });
    const reader = await create('l_Person', { name: 'Ada' });
    const loan = await create('l_Loan', { book: { id: book } });
    const body = { book: sent === null ? null : { id: other }, reader: { id: reader } };
    const response = await send('modest', 'PUT', `l_Loan/${loan}`, body);
    expect(response.status).toBe(200);
    expect(await data.query('SELECT book_id, reader_id FROM l.loan WHERE id = $1', [loan])).toEqual([
      { book_id: book, reader_id: reader },
    ]);
  });
});
