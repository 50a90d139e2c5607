import { expectNothingLost, GUARDS, startContended } from '../../contend.ts';
import type { DataFixture } from '../../data-fixture.ts';

// Needs a database: createTestDatabase.

const DURATION_MS = 5_000;

let data: DataFixture;
beforeAll(async () => {
  data = await startContended();
}, 60_000);
afterAll(() => data?.close());

test.each(GUARDS)(
  'sixteen writers on a hundred rows, guarded by %s: no update is lost, and the slower one gets %s',
  (guard, refusal) => expectNothingLost(data, guard, refusal, DURATION_MS),
  DURATION_MS + 30_000,
);
