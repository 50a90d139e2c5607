import { cases, fc } from '@lintel/testkit/properties';
import { type DataFixture, startData } from '../../data-fixture.ts';
import { catalogue, USERS } from './catalogue-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(catalogue, USERS);
});
afterAll(() => data.close());

interface Row {
  readonly code: string;
  readonly email: string | null;
  readonly name: string | null;
}
type Item = Pick<Row, 'code'> & Partial<Row>;
interface Step {
  readonly user: 'admin' | 'modest';
  readonly resolution: 'merge' | 'ignore';
  readonly items: readonly Item[];
}

const STEP: fc.Arbitrary<Step> = fc.record({
  user: fc.constantFrom('admin', 'modest'),
  resolution: fc.constantFrom('merge', 'merge', 'ignore'),
  items: fc.array(
    fc.record(
      {
        code: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        email: fc.constantFrom('X@y', 'x@Y', 'z@y', null),
        name: fc.constantFrom('n', 'm', 'Secret', null),
      },
      { requiredKeys: ['code'] },
    ),
    { maxLength: 4 },
  ),
});

/** Outcome of a step: the statuses of its items, or the status of its refusal, which changes nothing. */
function expected(rows: Map<string, Row>, { user, resolution, items }: Step): readonly string[] | number {
  if (new Set(items.map(({ code }) => code)).size < items.length) return 400;
  if (user === 'modest' && items.some(({ code }) => rows.get(code)?.name === 'Secret')) return 409;
  const after = new Map(rows);
  const statuses = items.map((item) => {
    const stored = rows.get(item.code);
    if (stored !== undefined && resolution === 'ignore') return 'unchanged';
    const row = { email: null, name: null, ...stored, ...item };
    after.set(item.code, row);
    if (stored === undefined) return 'created';
    return stored.email === row.email && stored.name === row.name ? 'unchanged' : 'updated';
  });
  const emails = [...after.values()].flatMap(({ email }) => email?.toLowerCase() ?? []);
  if (new Set(emails).size < emails.length) return 409;
  for (const [code, row] of after) rows.set(code, row);
  return statuses;
}

// Asserts contract/writing.md#upsert.
test('random upserts have the statuses and leave the rows of a model in memory', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 6 }), async (steps) => {
      await data.query('DELETE FROM u.customer');
      const rows = new Map<string, Row>();
      for (const step of steps) {
        const { user, resolution, items } = step;
        const headers = { prefer: `resolution=${resolution}-duplicates` };
        const response = await data.send(user, 'PUT', '/entities/u_Customer?key=code', items, headers);
        const body = response.json();
        const outcome = Array.isArray(body) ? body.map(({ _status }) => _status) : response.status;
        expect([step, outcome]).toEqual([step, expected(rows, step)]);
      }
      const stored = await data.query<Row>('SELECT code, email, name FROM u.customer ORDER BY code');
      expect(stored).toEqual([...rows.values()].sort((a, b) => (a.code < b.code ? -1 : 1)).map(inOrder));
    }),
    cases(20),
  );
  expect(data.errors).toEqual([]);
});

const inOrder = ({ code, email, name }: Row): Row => ({ code, email, name });
