import { cases } from '@lintel/testkit/properties';
import { checkHistories } from './check-histories.ts';
import { type RecordedData, startRecordedData } from './world.ts';

/** Five thousand steps, other ones than in the short run; `LINTEL_PROPERTY_RUNS` says another number. */
const STEPS = cases(5_000).numRuns;

let recorded: RecordedData;
beforeAll(async () => {
  recorded = await startRecordedData();
});
afterAll(() => recorded?.close());

test('after thousands of random writes, restorations and undos the history explains every state', async () => {
  const tally = await checkHistories(recorded, STEPS);
  console.log(Object.fromEntries(tally));
}, 7_200_000);
