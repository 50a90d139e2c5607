import { type DataFixture, startData } from '../data-fixture.ts';
import { library } from './library-application.ts';

const FULL = ['system-full-access'];
const USERS = {
  admin: { resourceRoles: FULL },
  limited: { resourceRoles: FULL, rowLevelRoles: ['open-shelves'] },
  reader: { resourceRoles: ['reader'] },
  guest: { resourceRoles: ['rest-minimal'] },
};
type User = keyof typeof USERS;

const BOOKS: Readonly<Record<string, readonly [code: string, body: string, shelf: string]>> = {
  'Häuser am Fluss': ['A-0001', 'Die Müllerin wohnt im Haus.', 'open'],
  'Das Haus': ['A-0002', 'Von Gärten und Gärtnern', 'closed'],
  'Schmidt & Söhne': ['B-0003', "Geheim: Haus 'x' <b>\\", 'open'],
  'Łódź im Winter': ['B-0004', 'Σοφός und 日本', 'open'],
};

let data: DataFixture;
beforeAll(async () => {
  data = await startData(library, USERS);
  for (const [title, [code, body, shelf]] of Object.entries(BOOKS))
    await data.send('admin', 'POST', '/entities/s_Book', { title, code, body, shelf });
  for (const author of [
    { name: 'Running Waters', secretName: 'Waters' },
    { name: 'The Runner', secretName: 'Houses' },
    { name: null, secretName: 'Runs' },
  ])
    await data.send('admin', 'POST', '/entities/s_Author', author);
});
afterAll(() => data?.close());

const list = (user: User, parameters: Readonly<Record<string, string>>, entity = 's_Book') =>
  data.send(user, 'GET', `/entities/${entity}?${new URLSearchParams(parameters)}`);

async function found(user: User, q: string, entity = 's_Book'): Promise<readonly string[]> {
  const response = await list(user, { q }, entity);
  expect([response.status, response.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  return response.json().map(({ title, name }: { title?: string; name?: string }) => title ?? name);
}

// Asserts contract/search.md#words, contract/search.md#rank.
test.each([
  ['stems, the best first', 'Haus', ['Das Haus', 'Häuser am Fluss', 'Schmidt & Söhne']],
  ['words of several attributes', 'haus Mullerin', ['Häuser am Fluss']],
  ['words without accents', 'hauser MÜLLERIN', ['Häuser am Fluss']],
  ['a text in quotes and signs', '"Haus" & !(x)', ['Schmidt & Söhne']],
  ['stop words, which do not count', 'das Haus der Müllerin', ['Häuser am Fluss']],
  ['the beginning of the last word', 'a 000', ['Häuser am Fluss', 'Das Haus']],
  ['the beginning of a word where the attribute has no prefix', 'woh', []],
  ['the beginning of a word that is not the last one', '000 a', []],
  ['letters with strokes', 'lodz', ['Łódź im Winter']],
  ['letters of other scripts', 'ΣΟΦΌΣ 日本', ['Łódź im Winter']],
  ['a typing error', 'Schmitd', ['Schmidt & Söhne']],
  ['a typing error where the attribute has no typos', 'Müllerxn', []],
])('a search finds %s', async (_what, q, titles) => {
  const titlesFound = await found('admin', q);
  expect(q.startsWith('a ') ? new Set(titlesFound) : titlesFound).toEqual(
    q.startsWith('a ') ? new Set(titles) : titles,
  );
});

// Asserts contract/search.md#words.
test('english words are found by their stems, and words of other attributes as they are', async () => {
  expect(await found('reader', 'running water', 's_Author')).toEqual(['Running Waters']);
  expect(new Set(await found('reader', 'run', 's_Author'))).toEqual(new Set(['Running Waters']));
  expect(await found('admin', 'houses', 's_Author')).toEqual(['The Runner']);
  expect(new Set(await found('admin', 'run', 's_Author'))).toEqual(new Set(['Running Waters', undefined]));
});

// Asserts contract/search.md#rights.
test('attributes that the caller may not view match nothing, and only rows of the caller are found', async () => {
  expect(await found('reader', 'Müllerin')).toEqual([]);
  expect(await found('reader', 'haus x')).toEqual([]);
  expect(await found('reader', 'Haus')).toEqual(['Das Haus', 'Häuser am Fluss']);
  expect(await found('reader', 'houses', 's_Author')).toEqual([]);
  expect(await found('reader', 'Wters', 's_Author')).toEqual([]);
  expect(await found('limited', 'Haus')).toEqual(['Häuser am Fluss', 'Schmidt & Söhne']);
  const counted = await list('limited', { q: 'Haus', returnCount: 'true', limit: '1' });
  expect(counted.headers.get('x-total-count')).toBe('2');
  const refused = await list('reader', { q: 'x' }, 's_Note');
  expect([refused.status, refused.json().details]).toEqual([
    403,
    'Reading of all searchable attributes of s_Note is forbidden',
  ]);
});

// Asserts contract/search.md#rights.
test('hidden texts change neither order nor rank', async () => {
  const before = await list('reader', { q: 'haus', limit: '10' });
  await data.query(`UPDATE s.book SET body = repeat('Haus ', 50) || body WHERE title = 'Häuser am Fluss'`);
  const after = await list('reader', { q: 'haus', limit: '10' });
  expect(after.json().map(({ title }: { title: string }) => title)).toEqual(
    before.json().map(({ title }: { title: string }) => title),
  );
});

// Asserts contract/search.md#q.
test('searches, counts and aggregates take q beside their filter', async () => {
  const filter = { conditions: [{ property: 'shelf', operator: '=', value: 'open' }] };
  const search = await data.send('admin', 'POST', '/entities/s_Book/search', { filter, q: 'haus', sort: 'title' });
  expect(search.json().map(({ title }: { title: string }) => title)).toEqual(['Häuser am Fluss', 'Schmidt & Söhne']);
  const count = await data.send('admin', 'POST', '/entities/s_Book/search/count', { filter, q: 'haus' });
  expect(count.json()).toBe(2);
  const body = { q: 'haus', groupBy: ['shelf'], aggregates: { n: { count: '*' } }, sort: 'shelf' };
  const groups = await data.send('limited', 'POST', '/aggregates/s_Book', body);
  expect(groups.json()).toEqual([{ shelf: 'open', n: 2 }]);
  expect((await data.send('reader', 'POST', '/aggregates/s_Book', body)).json()).toEqual([
    { shelf: 'closed', n: 1 },
    { shelf: 'open', n: 1 },
  ]);
});

// Asserts contract/search.md#rank, contract/reading.md#cursors.
test.each(['-_rank', '_rank', '-_rank,title', ''])('pages in the order %j neither repeat nor skip', async (sort) => {
  const all = await list('admin', { q: 'haus', sort });
  const titles: string[] = [];
  let next: string | undefined = `/entities/s_Book?q=haus&sort=${sort}&limit=1`;
  while (next !== undefined) {
    const page = await data.send('admin', 'GET', next);
    titles.push(...page.json().map(({ title }: { title: string }) => title));
    next = /^<\/rest([^>]*)>/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect(titles).toEqual(all.json().map(({ title }: { title: string }) => title));
});

const highlightsOf = async (user: User, parameters: Readonly<Record<string, string>>, entity = 's_Book') =>
  (await list(user, { highlights: 'true', limit: '100', sort: 'id', ...parameters }, entity))
    .json()
    .flatMap(({ _highlights }: { _highlights?: readonly object[] }) => _highlights ?? []);

// Asserts contract/search.md#highlights.
describe('highlights', () => {
  const text = `${'word, '.repeat(100)}"Ä" <script>Häuser</script> — ½ ﬁve\u0001 ä\u0308 ${'x '.repeat(100)} Haus!`;
  const fragments = (words: readonly (readonly string[])[]) => words.map((each) => each[1]);

  beforeAll(() => data.send('admin', 'POST', '/entities/s_Book', { title: 'Long', code: 'Haus', body: text }));
  afterAll(() => data.query(`DELETE FROM s.book WHERE title = 'Long'`));

  test('parts of texts have the words that are found apart, and nothing in them is markup', async () => {
    const [, code, found] = await highlightsOf('admin', { q: 'long hauser' });
    expect(code).toEqual({ attribute: 'code', fragments: [['', 'Haus', '']] });
    expect(found.attribute).toBe('body');
    expect(found.fragments).toHaveLength(2);
    expect(found.fragments[0]).toEqual([
      expect.stringMatching(/^word, (?:word, )*"Ä" <script>$/),
      'Häuser',
      expect.stringMatching(/^<\/script> — 1⁄2 five {2}ä̈ x (?:x )*$/),
    ]);
    expect(fragments(found.fragments)).toEqual(['Häuser', 'Haus']);
  });

  test('words are marked by the stems and beginnings that each attribute has', async () => {
    const all = await highlightsOf('admin', { q: 'haus 000' });
    expect(all.filter(({ attribute }: { attribute: string }) => attribute === 'code')).toEqual([
      { attribute: 'code', fragments: [['A-', '0001', '']] },
      { attribute: 'code', fragments: [['A-', '0002', '']] },
      { attribute: 'code', fragments: [['B-', '0003', '']] },
    ]);
    expect(await highlightsOf('admin', { q: 'Schmitd' })).toEqual([]);
    expect(await highlightsOf('admin', { q: 'ΣΟΦΌΣ 日本 łodz' })).toEqual([
      { attribute: 'title', fragments: [['', 'Łódź', ' im Winter']] },
      { attribute: 'body', fragments: [['', 'Σοφός', ' und ', '日本', '']] },
    ]);
  });

  test('hidden attributes and rows are not shown', async () => {
    const all = await highlightsOf('reader', { q: 'haus' });
    expect(new Set(all.map(({ attribute }: { attribute: string }) => attribute))).toEqual(new Set(['title', 'code']));
    expect(await highlightsOf('reader', { q: 'run' }, 's_Author')).toEqual([
      { attribute: 'name', fragments: [['', 'Running', ' Waters']] },
    ]);
    expect(JSON.stringify(await highlightsOf('limited', { q: 'haus' }))).not.toContain('Das ');
  });

  test('searches and the search in all entities have them, other lists do not', async () => {
    const body = { filter: {}, q: 'mullerin', highlights: true, limit: 5 };
    const [found] = (await data.send('admin', 'POST', '/entities/s_Book/search', body)).json();
    expect(found._highlights).toEqual([
      { attribute: 'body', fragments: [[expect.stringMatching(/Die $/), 'Müllerin', ' wohnt im Haus.']] },
    ]);
    const all = (await searchAll('reader', { q: 'waters', highlights: 'true' })).json();
    expect(all.entities[0].instances[0]._highlights).toEqual([
      { attribute: 'name', fragments: [['Running ', 'Waters', '']] },
    ]);
    expect((await searchAll('reader', { q: 'waters' })).text).not.toContain('_highlights');
    expect((await list('admin', { q: 'haus' })).text).not.toContain('_highlights');
  });

  test.each([{ limit: '5' }, { q: 'haus' }, { q: 'haus', limit: '101' }])('%j is refused', async (parameters) => {
    const response = await list('admin', { highlights: 'true', ...parameters } as Record<string, string>);
    const details = "Parameter 'highlights' needs 'q' and a 'limit' of at most 100";
    expect([response.status, response.json().details]).toEqual([400, details]);
  });
});

// Asserts contract/search.md#paths, contract/search.md#rights.
describe('a search through references', () => {
  beforeAll(async () => {
    const books = (await list('admin', { sort: 'code', limit: '4' })).json();
    for (const [at, name] of ['east', 'south', 'west', 'north'].entries()) {
      const desk = (await data.send('admin', 'POST', '/entities/s_Desk', { name })).json();
      const loan = { remark: `Loan ${name}`, book: { id: books[at].id }, desk: { id: desk.id } };
      expect((await data.send('admin', 'POST', '/entities/s_Loan', loan)).status).toBe(201);
    }
  });
  afterAll(() => data.query('DELETE FROM s.loan'));

  const desks = async (user: User, q: string) =>
    (await list(user, { q, sort: 'name' }, 's_Desk')).json().map(({ name }: { name: string }) => name);

  test('instances are found by texts of what they refer to, and of their children', async () => {
    const loans = (await list('admin', { q: 'mullerin', fetchPlan: '_local' }, 's_Loan')).json();
    expect(loans).toMatchObject([{ remark: 'Loan east' }]);
    expect(await desks('admin', 'haus')).toEqual(['east', 'south', 'west']);
    expect(await desks('admin', 'loan west')).toEqual(['west']);
    expect(await desks('admin', 'Schmitd')).toEqual(['west']);
    expect(await desks('admin', 'west Schmidt')).toEqual([]);
    const count = await list('admin', { q: 'haus', returnCount: 'true', limit: '1' }, 's_Desk');
    expect(count.headers.get('x-total-count')).toBe('3');
  });

  test('own texts rank before others', async () => {
    await data.query(`UPDATE s.loan SET remark = 'Haus' WHERE remark = 'Loan north'`);
    const [first, ...others] = (await list('admin', { q: 'haus' }, 's_Loan')).json();
    expect([first.remark, others.length]).toEqual(['Haus', 3]);
    await data.query(`UPDATE s.loan SET remark = 'Loan north' WHERE remark = 'Haus'`);
  });

  // Asserts contract/fetch-plans.md#members.
  test('collections in plans are searched beside their filter, under the rights of the caller', async () => {
    const loansOf = async (user: User, item: object) => {
      const fetchPlan = {
        entity: 's_Desk',
        properties: ['name', { name: 'loans', fetchPlan: '_instance_name', count: true, ...item }],
      };
      const response = await list(user, { fetchPlan: JSON.stringify(fetchPlan), sort: 'name' }, 's_Desk');
      if (response.status !== 200) return [response.status, response.json().details];
      return response
        .json()
        .map(({ name, loans, _counts, _partial }: Record<string, object[]>) => [
          name,
          loans?.length,
          _counts,
          _partial,
        ]);
    };
    const facts = (loans: number) => [loans, { loans }, ['loans']];
    expect(await loansOf('admin', { q: 'mullerin' })).toEqual([
      ['east', ...facts(1)],
      ['north', ...facts(0)],
      ['south', ...facts(0)],
      ['west', ...facts(0)],
    ]);
    expect((await loansOf('reader', { q: 'mullerin' })).map(([, loans]: readonly unknown[]) => loans)).toEqual([
      0, 0, 0, 0,
    ]);
    const filter = { conditions: [{ property: 'remark', operator: '=', value: 'Loan west' }] };
    expect(await loansOf('admin', { q: 'loan', filter })).toContainEqual(['west', ...facts(1)]);
    expect(await loansOf('admin', { q: 'loan', filter })).toContainEqual(['south', ...facts(0)]);
    expect(await loansOf('admin', { q: '&' })).toEqual([400, expect.stringContaining("loans: Parameter 'q' must be")]);
    expect(await loansOf('admin', { q: 'x'.repeat(201) })).toEqual([
      400,
      expect.stringContaining("loans: Parameter 'q'"),
    ]);
  });

  test('hidden rows and attributes on the way find nothing', async () => {
    expect(await desks('limited', 'haus')).toEqual(['east', 'west']);
    expect(await desks('reader', 'haus')).toEqual(['east', 'south']);
    expect(await desks('reader', 'loan')).toEqual([]);
    const highlighted = await list('reader', { q: 'haus', highlights: 'true', limit: '5' }, 's_Desk');
    expect(highlighted.text).not.toContain('_highlights');
    await data.query(`UPDATE s.loan SET deleted_date = now() WHERE remark = 'Loan east'`);
    expect(await desks('admin', 'haus')).toEqual(['south', 'west']);
    expect((await list('guest', { q: 'haus' }, 's_Desk')).status).toBe(403);
  });
});

// Asserts contract/search.md#rank.
test('a list ranks some of many matches, which the response says; pages of any size are full', async () => {
  await data.query(`INSERT INTO s.book (id, version, title, code, shelf)
    SELECT gen_random_uuid(), 1, 'Frequent', 'F' || n, CASE n % 2 WHEN 0 THEN 'open' END FROM generate_series(1, 1100) n`);
  const lengthOf = async (parameters: Readonly<Record<string, string>>) => {
    const response = await list('admin', { q: 'frequent', fetchPlan: '_instance_name', ...parameters });
    return [response.json().length, response.headers.get('x-candidates')];
  };
  expect(await lengthOf({ limit: '10' })).toEqual([10, '1000']);
  expect(await lengthOf({})).toEqual([1_100, '10000']);
  expect(await lengthOf({ limit: '100', offset: '1050' })).toEqual([50, '1150']);
  expect(await lengthOf({ limit: '10', sort: 'code' })).toEqual([10, null]);
  const counted = await list('admin', { q: 'frequent', limit: '1', returnCount: 'true' });
  expect(counted.headers.get('x-total-count')).toBe('1100');
  // Half of the rows that are tested without the index are hidden: too few are left.
  const shown = await list('limited', { q: 'freq', limit: '600', fetchPlan: '_local' });
  expect(shown.json()).toHaveLength(550);
  expect(new Set(shown.json().map(({ shelf }: { shelf?: string }) => shelf))).toEqual(new Set(['open']));
  await data.query(`DELETE FROM s.book WHERE title = 'Frequent'`);
});

// Asserts contract/search.md#q, contract/search.md#rank.
test.each([
  [{ q: 'x'.repeat(201) }, 's_Book', "Parameter 'q' must be a text of at most 200 characters"],
  [{ q: '&|!():*' }, 's_Book', "Parameter 'q' must be a text with a letter or a digit"],
  [{ q: '\u0000' }, 's_Book', "Parameter 'q' must be a text with a letter or a digit"],
  [{ q: 'x' }, 's_Shelf', "Parameter 'q': s_Shelf has no searchable attributes"],
  [{ sort: '-_rank' }, 's_Book', "Cannot sort by _rank without 'q'"],
  [{ q: 'x', sort: 'title,-_rank' }, 's_Book', 'Cannot sort s_Book by _rank'],
])('%j of %s is refused', async (parameters, entity, details) => {
  const response = await list('admin', parameters as Record<string, string>, entity);
  expect([response.status, response.json().details]).toEqual([400, details]);
});

// Asserts contract/search.md#q.
test.each([
  'x'.repeat(200),
  'ab '.repeat(66),
  '\u0000haus\u0000',
  "haus' \\' | !haus",
  '\ud800haus',
  'é'.repeat(200),
  '0x1F 1e5 12.5 http://a.b/c?d=e a@b.de',
  '\uff07\uff06 x',
  '🏠 haus 🏠',
  'هاوس हिन्दी ไทย',
])('the text %j is searched', async (q) => {
  expect((await list('admin', { q })).status).toBe(200);
  expect((await list('reader', { q }, 's_Author')).status).toBe(200);
});

// Asserts contract/search.md#searchable.
test('the migration makes an index of the words, and one of the trigrams of each attribute with typos', async () => {
  const rows = await data.query<{ name: string }>(`SELECT regexp_replace(indexname, '_[0-9a-f]{8}$', '') AS name
    FROM pg_indexes WHERE schemaname = 's' AND indexdef LIKE '%USING gin%'`);
  expect(rows.map(({ name }) => name).sort()).toEqual([
    'ix_author__name__secret_name_',
    'ix_author__secret_name_',
    'ix_book__title_',
    'ix_book__title__code__body_',
    'ix_loan__remark_',
    'ix_note__hidden_',
  ]);
});

const searchAll = (user: User, parameters: Readonly<Record<string, string>>) =>
  data.send(user, 'GET', `/search?${new URLSearchParams(parameters)}`);
const namesIn = ({ json }: Awaited<ReturnType<typeof searchAll>>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    json().entities.map(({ entityName, instances }: { entityName: string; instances: { _instanceName: string }[] }) => [
      entityName,
      instances.map(({ _instanceName: name }) => name),
    ]),
  );

// Asserts contract/search.md#all.
describe('a search in all entities', () => {
  test('instances are found by entity, the best first, under the rights of the caller', async () => {
    await data.send('admin', 'POST', '/entities/s_Author', { name: 'Haus', secretName: 'Fluss' });
    await data.send('admin', 'POST', '/entities/s_Note', { hidden: 'Haus' });
    const all = await searchAll('admin', { q: 'haus' });
    expect([all.status, all.json().candidates]).toEqual([200, 1_000]);
    expect(Object.keys(namesIn(all))).toEqual(['s_Book', 's_Author', 's_Note']);
    expect(namesIn(all)['s_Book']).toHaveLength(3);
    expect(namesIn(await searchAll('limited', { q: 'haus', entities: 's_Book' }))).toEqual({
      s_Book: expect.not.arrayContaining(['Das Haus']),
    });
    expect(namesIn(await searchAll('reader', { q: 'haus' }))).toEqual({
      s_Book: ['Das Haus', 'Häuser am Fluss'],
      s_Author: ['Haus'],
    });
    expect(namesIn(await searchAll('reader', { q: 'fluss' }))).toEqual({ s_Book: ['Häuser am Fluss'] });
    expect(namesIn(await searchAll('reader', { q: 'haus', limit: '1', entities: 's_Book,s_Author' }))).toEqual({
      s_Book: ['Das Haus'],
      s_Author: ['Haus'],
    });
  });

  test.each([
    [{}, 400, "Parameter 'q' is missing"],
    [{ q: '&' }, 400, "Parameter 'q' must be a text with a letter or a digit"],
    [{ q: 'x', limit: '51' }, 400, 'limit must be an integer from 1 to 50'],
    [{ q: 'x', entities: ',' }, 400, "Parameter 'entities' must name entities, with commas"],
    [{ q: 'x', entities: 's_None' }, 404, 'Entity s_None not found'],
    [{ q: 'x', entities: 's_Shelf' }, 403, 'Reading of the s_Shelf is forbidden'],
    [{ q: 'x', entities: 's_Note' }, 403, 'Reading of all searchable attributes of s_Note is forbidden'],
  ])('%j is refused', async (parameters, status, details) => {
    const response = await searchAll('reader', parameters as Record<string, string>);
    expect([response.status, response.json().details]).toEqual([status, details]);
  });

  test('a wrong text is refused although the caller may search in no entity', async () => {
    expect((await searchAll('guest', { q: '&' })).status).toBe(400);
    expect((await searchAll('guest', { q: 'x'.repeat(201) })).status).toBe(400);
    expect(namesIn(await searchAll('guest', { q: 'haus' }))).toEqual({});
  });
});
