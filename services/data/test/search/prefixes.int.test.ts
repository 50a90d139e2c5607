import { cases, fc } from '@lintel/testkit/properties';
import { type DataFixture, startData } from '../data-fixture.ts';
import { library } from './library-application.ts';

const FULL = ['system-full-access'];
const USERS = {
  admin: { resourceRoles: FULL },
  limited: { resourceRoles: FULL, rowLevelRoles: ['open-shelves'] },
  reader: { resourceRoles: ['reader'] },
};
type User = keyof typeof USERS;

/** More rows than are tested without an index, and more matches than are ranked. */
const ROWS = 12_000;
const RANKED = 1_000;

interface Book {
  readonly id: string;
  readonly code: readonly string[];
  readonly body: readonly string[];
  readonly shelf: string;
  readonly isDeleted: boolean;
}

/** All codes begin with `c`, every third one with `ca`; words of bodies are in a half, a 20th and a 1,000th of them. */
const BOOKS = Array.from(
  { length: ROWS },
  (_, at): Book => ({
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    code: [`c${at % 3 === 0 ? 'a' : 'b'}${at % 10}`, `k${at % 7}`],
    body: ['der', `h${at % 2}x`, `z${at % 20}x`, `r${at % 1_000}x`],
    shelf: at % 50 === 0 ? 'open' : 'closed',
    isDeleted: at % 11 === 0,
  }),
);

const isLent = ({ code, isDeleted }: Book): boolean => code[1] === 'k3' && !isDeleted;

let data: DataFixture;
beforeAll(async () => {
  data = await startData(library, USERS);
  const rows = BOOKS.map(({ id, code, body, shelf, isDeleted }) => {
    const deleted = isDeleted ? "'2026-11-30'" : 'NULL';
    return `('${id}', 1, '${code.join(' ')}', '${body.join(' ')}', '${shelf}', ${deleted}::timestamp)`;
  });
  await data.query(`INSERT INTO s.book (id, version, code, body, shelf, deleted_date) VALUES ${rows.join()}`);
  const loans = BOOKS.filter(isLent).map(({ id }) => `(gen_random_uuid(), 1, 'lent', '${id}')`);
  await data.query(`INSERT INTO s.loan (id, version, remark, book_id) VALUES ${loans.join()}`);
  await data.query('ANALYZE s.book, s.loan');
});
afterAll(() => data?.close());

/** The ids of what a search finds: bodies are German, in which `der` does not count, and have no beginnings of words. */
function expected(user: User, words: readonly string[]): ReadonlySet<string> {
  const last = words.at(-1) ?? '';
  const found = ({ code, body, shelf, isDeleted }: Book): boolean => {
    const visible = user === 'reader' ? code : [...code, ...body];
    const has = (word: string): boolean => visible.includes(word) || word === 'der';
    return (
      !isDeleted &&
      (user !== 'limited' || shelf === 'open') &&
      words.slice(0, -1).every(has) &&
      (has(last) || code.some((word) => word.startsWith(last)))
    );
  };
  return new Set(BOOKS.filter(found).map(({ id }) => id));
}

const requests = fc.record({
  user: fc.constantFrom<User>('admin', 'limited', 'reader'),
  words: fc
    .tuple(
      fc.array(fc.constantFrom('der', 'h1x', 'z4x', 'r4x', 'r5x', 'k3', 'ca0'), { maxLength: 2 }),
      fc.constantFrom('c', 'ca', 'cb', 'cb4', 'k', 'k3', 'h', 'h1x', 'none'),
    )
    .map(([others, last]) => [...others, last]),
});

const each = (user: User, ...words: readonly string[]): [{ user: User; words: string[] }] => [
  { user, words: [...words] },
];
const examples = [
  each('admin', 'r4x', 'c'),
  each('limited', 'r50x', 'c'),
  each('limited', 'h0x', 'c'),
  each('reader', 'k3', 'ca'),
  each('reader', 'r4x', 'c'),
  each('admin', 'der', 'c'),
  each('admin', 'h1x', 'c'),
];

// Asserts contract/search.md#rank, contract/search.md#rights.
test('words before the beginning of one that many texts have find the same as in memory', async () => {
  const property = fc.asyncProperty(requests, async ({ user, words }) => {
    const parameters = new URLSearchParams({ q: words.join(' '), limit: String(RANKED), returnCount: 'true' });
    const response = await data.send(user, 'GET', `/entities/s_Book?${parameters}`);
    expect(response.status).toBe(200);
    const found = new Set<string>(response.json().map(({ id }: { id: string }) => id));
    const all = expected(user, words);
    expect(response.headers.get('x-total-count')).toBe(String(all.size));
    expect(found.size).toBe(Math.min(all.size, RANKED));
    expect([...found].filter((id) => !all.has(id))).toEqual([]);
  });
  await fc.assert(property, { ...cases(20), examples });
});

// Asserts contract/search.md#q, contract/search.md#paths.
test('words before the beginning of one find the same in every order, number and way as in memory', async () => {
  const property = fc.asyncProperty(requests, async ({ user, words }) => {
    const q = words.join(' ');
    const all = [...expected(user, words)].sort().reverse();
    const page = { q, sort: '-id', limit: '40', fetchPlan: '_local' };
    const idsOf = async (path: string): Promise<string[]> =>
      (await data.send(user, 'GET', path)).json().map(({ id }: { id: string }) => id);
    const first = await data.send(
      user,
      'GET',
      `/entities/s_Book?${new URLSearchParams({ ...page, returnCount: 'true' })}`,
    );
    expect(first.headers.get('x-total-count')).toBe(String(all.length));
    expect(first.json().map(({ id }: { id: string }) => id)).toEqual(all.slice(0, 40));
    const cursor = /cursor=([^>&]+)/.exec(first.headers.get('link') ?? '')?.[1];
    const second = `/entities/s_Book?${new URLSearchParams(page)}`;
    if (cursor !== undefined) expect(await idsOf(`${second}&cursor=${cursor}`)).toEqual(all.slice(40, 80));
    expect(await idsOf(`${second}&offset=13`)).toEqual(all.slice(13, 53));
    const groups = { q, groupBy: ['shelf'], aggregates: { n: { count: '*' } } };
    const sums = await data.send(user, 'POST', '/aggregates/s_Book', groups, { 'content-type': 'application/json' });
    expect(sums.json().reduce((sum: number, { n }: { n: number }) => sum + n, 0)).toBe(all.length);
    const lent = all.filter((id) => BOOKS.some((book) => book.id === id && isLent(book)));
    const loans = await data.send(
      user,
      'GET',
      `/entities/s_Loan?${new URLSearchParams({ q, limit: '0', returnCount: 'true' })}`,
    );
    expect(loans.headers.get('x-total-count')).toBe(String(lent.length));
  });
  await fc.assert(property, { ...cases(5), examples });
});
