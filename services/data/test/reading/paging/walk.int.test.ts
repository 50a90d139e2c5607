import { cases, fc } from '@lintel/testkit/properties';
import { type DataFixture, startData, type TestResponse } from '../../data-fixture.ts';
import { shop } from '../../shop-application.ts';

let data: DataFixture;

beforeAll(async () => {
  data = await startData(shop, { admin: { resourceRoles: ['system-full-access'] } });
  await data.query(`INSERT INTO t.category (id, version, code, name)
    SELECT ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, 1, 'c' || i, CASE WHEN i > 1 THEN 'n' END
    FROM generate_series(0, 3) i`);
});
afterAll(() => data?.close());

/** Few different values, so that equal values and nulls occur. */
const customer = fc.record({
  name: fc.constantFrom('a', 'b', 'B', 'ä'),
  grade: fc.constantFrom(null, 'B', 'G'),
  birth_date: fc.constantFrom(null, '2000-01-01', '-infinity'),
  limit: fc.constantFrom(null, '1.00', '2.50', '-1.00'),
  active: fc.constantFrom(null, true, false),
  address_city: fc.constantFrom(null, 'x', 'y'),
  category: fc.constantFrom(null, 0, 1, 2, 3),
});
type Customer = typeof customer extends fc.Arbitrary<infer T> ? T : never;

const PATHS = ['name', 'grade', 'birthDate', 'limit', 'active', 'address.city', 'category', 'category.name', 'id'];
const sort = fc
  .uniqueArray(fc.record({ path: fc.constantFrom(...PATHS), sign: fc.constantFrom('', '-') }), {
    maxLength: 3,
    selector: ({ path }) => path,
  })
  .map((keys) => keys.map(({ sign, path }) => `${sign}${path}`).join(','));

/** The changes between two pages: rows are added, soft-deleted and removed. */
const change = fc.record({
  added: fc.array(customer, { maxLength: 3 }),
  softDeleted: fc.array(fc.nat(), { maxLength: 2 }),
  removed: fc.array(fc.nat(), { maxLength: 2 }),
});

const insert = (rows: readonly Customer[]): Promise<readonly { readonly id: string }[]> =>
  data.database.query({
    text: `INSERT INTO t.customer (id, version, name, grade, birth_date, "limit", active, address_city, category_id)
      SELECT gen_random_uuid(), 1, name, grade, birth_date, "limit", active, address_city,
        ('00000000-0000-4000-8000-' || lpad(category::text, 12, '0'))::uuid
      FROM json_to_recordset($1::json) AS r (name text, grade text, birth_date date, "limit" numeric, active boolean,
        address_city text, category int) RETURNING id`,
    values: [JSON.stringify(rows)],
  });

const execute = (text: string, ids: readonly string[]) => data.database.query({ text, values: [ids] });

const page = async (path: string): Promise<{ readonly ids: string[]; readonly next: string | undefined }> => {
  const response: TestResponse = await data.send('admin', 'GET', path);
  if (response.status !== 200) throw new Error(`${path}: ${response.text}`);
  const next = /^<\/rest([^>]*)>/.exec(response.headers.get('link') ?? '')?.[1];
  return { ids: response.json().map(({ id }: { id: string }) => id), next };
};

test('the pages contain every unchanged row once and in order while other rows are added and removed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(customer, { maxLength: 25 }),
      sort,
      fc.integer({ min: 1, max: 6 }),
      fc.array(change, { maxLength: 12 }),
      async (rows, order, limit, changes) => {
        await execute('DELETE FROM t.customer WHERE id <> ALL ($1::uuid[])', []);
        await insert(rows);
        const list = `/entities/t_Customer?fetchPlan=_instance_name&sort=${encodeURIComponent(order)}`;
        const before = (await page(`${list}&limit=10000`)).ids;
        const gone = new Set<string>();
        const seen: string[] = [];
        let next: string | undefined = `${list}&limit=${limit}`;
        for (let at = 0; next !== undefined; at += 1) {
          const read: Awaited<ReturnType<typeof page>> = await page(next);
          seen.push(...read.ids);
          next = read.next;
          const { added, softDeleted, removed } = changes[at] ?? { added: [], softDeleted: [], removed: [] };
          await insert(added);
          const pick = (numbers: readonly number[]): string[] =>
            before.length === 0 ? [] : numbers.map((number) => before[number % before.length] ?? '');
          const [toSoftDelete, toRemove] = [pick(softDeleted), pick(removed)];
          await execute('UPDATE t.customer SET deleted_date = now() WHERE id = ANY ($1::uuid[])', toSoftDelete);
          await execute('DELETE FROM t.customer WHERE id = ANY ($1::uuid[])', toRemove);
          for (const id of [...toSoftDelete, ...toRemove]) gone.add(id);
        }
        expect(new Set(seen).size).toBe(seen.length);
        const known = new Set(before);
        expect(seen.filter((id) => known.has(id) && !gone.has(id))).toEqual(before.filter((id) => !gone.has(id)));
      },
    ),
    cases(60),
  );
}, 600_000);
