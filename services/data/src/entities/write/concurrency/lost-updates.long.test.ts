import { contend, type Guard } from '../../../../test/contend.ts';
import { type DataFixture, startData } from '../../../../test/data-fixture.ts';
import { shop } from '../../../../test/shop-application.ts';

// Needs a database: createTestDatabase.

const WRITERS = 16;
const ROWS = 100;
const DURATION_MS = 60_000;

let data: DataFixture;
beforeAll(async () => {
  data = await startData(
    shop,
    { admin: { resourceRoles: ['system-full-access'] } },
    { 'svc.rest.optimistic-locking-enabled': 'true' },
  );
}, 60_000);
afterAll(() => data?.close());

test.each<[Guard, string]>([
  ['version', '400 Optimistic lock'],
  ['if-match', '412 Precondition failed'],
])(
  'sixteen writers on a hundred rows for a minute, guarded by %s: no update is lost, and the slower one gets %s',
  async (guard, refusal) => {
    const { answers, sum, updates, events } = await contend(data, {
      writers: WRITERS,
      rows: ROWS,
      durationMs: DURATION_MS,
      guard,
    });
    const { '200': succeeded = 0, [refusal]: refused = 0, ...others } = answers;
    expect(others).toEqual({});
    expect(succeeded).toBeGreaterThan(ROWS);
    // Without any, the writers would not have met.
    expect(refused).toBeGreaterThan(0);
    expect([sum, updates, events]).toEqual([succeeded, succeeded, succeeded]);
    expect(data.errors).toEqual([]);
  },
  DURATION_MS + 30_000,
);
