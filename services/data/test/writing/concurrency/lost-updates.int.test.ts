import { expectNothingLost, GUARDS, startContended } from '../../contend.ts';
import type { DataFixture } from '../../data-fixture.ts';

const DURATION_MS = 1_500;

let data: DataFixture;
beforeAll(async () => {
  data = await startContended();
});
afterAll(() => data?.close());

test.each(GUARDS)(
  'sixteen writers on a hundred rows, with the guard %s: no update is lost, and the later one gets %s',
  (guard, refusal) => expectNothingLost(data, guard, refusal, DURATION_MS),
  DURATION_MS + 180_000,
);
