import { summarizeRuns } from '../measure/summarize-runs.ts';
import { compareRuns, formatChanges } from './compare-runs.ts';

/** @param cpu of the reference it is 100 */
const system = (name: string, ratio: number, cpu: number) =>
  summarizeRuns(name, [
    {
      requests: 1,
      perSecond: ratio * 1_000,
      referencePerSecond: 1_000,
      p50Ms: 1,
      p99Ms: 1,
      bytesPerResponse: 1,
      failures: {},
      cpuMicros: 0,
      cpuMicrosPerRequest: { [name]: cpu },
      rssMiB: {},
      rssGrowthMiB: {},
      loopLagP99Ms: {},
    },
  ]);

const run = (operation: string, ratio: number, cpu: number, name = 'data') => ({
  operations: [{ operation, about: '', systems: [system('express', 1, 100), system(name, ratio, cpu)] }],
});
const verdictOf = (before: ReturnType<typeof run>, after: ReturnType<typeof run>) =>
  compareRuns(before, after).map(({ verdict }) => verdict);

test('a change counts when throughput and processor time agree on it beyond the error', () => {
  expect(verdictOf(run('R3', 1, 100), run('R3', 0.8, 125))).toEqual(['worse']);
  expect(verdictOf(run('R3', 0.8, 125), run('R3', 1, 100))).toEqual(['better']);
  // The machine was slow, the work is the same.
  expect(verdictOf(run('R3', 1, 100), run('R3', 0.6, 101))).toEqual(['same']);
  expect(verdictOf(run('R3', 1, 100), run('R3', 0.9, 150))).toEqual(['same']);
  // R1 is measured less exactly.
  expect(verdictOf(run('R1', 1, 100), run('R1', 0.8, 125))).toEqual(['same']);
  expect(verdictOf(run('R1', 1, 100), run('R1', 0.6, 160))).toEqual(['worse']);
});

test('yardsticks, the reference and what one run alone has are not compared', () => {
  expect(compareRuns(run('R1', 1, 100, 'forwarder-express'), run('R1', 0.1, 900, 'forwarder-express'))).toEqual([]);
  expect(compareRuns(run('R1', 1, 100), run('R2', 0.1, 900))).toEqual([]);
});

test('changes are printed with both figures of both runs', () => {
  const lines = formatChanges(compareRuns(run('R3', 1, 100), run('R3', 0.8, 125))).split('\n');
  expect(lines[1]).toMatch(/^R3 +data service +1\.00 → 0\.80 +1\.00 → 0\.80 +↓ worse$/);
});
