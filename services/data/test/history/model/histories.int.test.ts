import { checkHistories } from './check-histories.ts';
import { type RecordedData, startRecordedData } from './world.ts';

let recorded: RecordedData;
beforeAll(async () => {
  recorded = await startRecordedData();
});
afterAll(() => recorded?.close());

// Asserts contract/history.md#changes, contract/history.md#at, contract/history.md#restore, contract/history.md#undo.
test('after random writes, restorations and undos the history explains every state', async () => {
  const tally = await checkHistories(recorded, 30);
  expect([...tally.values()].reduce((sum, { done }) => sum + done, 0)).toBeGreaterThan(15);
});
