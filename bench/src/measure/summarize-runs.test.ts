import type { RunRecord } from './run-record.ts';
import { summarizeRuns } from './summarize-runs.ts';

const run = (perSecond: number, referencePerSecond: number, more: Partial<RunRecord> = {}): RunRecord => ({
  requests: perSecond,
  perSecond,
  referencePerSecond,
  p50Ms: 1,
  p99Ms: 2,
  bytesPerResponse: 100,
  failures: {},
  cpuMicros: 0,
  cpuMicrosPerRequest: { data: 100 },
  rssMiB: { data: 90 },
  rssGrowthMiB: {},
  loopLagP99Ms: {},
  ...more,
});

test('the ratio is the median of the paired ratios, not the ratio of the medians', () => {
  // The machine became slower by half after the first pair.
  const result = summarizeRuns('data', [run(900, 1_000), run(400, 500), run(300, 500)]);
  expect(result.ratio).toBe(0.8);
  expect(result.perSecond).toBe(400);
});

test('costs are medians by process, memory is the most that was seen, failures add up', () => {
  const result = summarizeRuns('gateway', [
    run(10, 10, { cpuMicrosPerRequest: { gateway: 100, data: 50 }, rssMiB: { gateway: 80 }, failures: { 500: 2 } }),
    run(10, 10, {
      cpuMicrosPerRequest: { gateway: 300, data: 70 },
      rssMiB: { gateway: 95 },
      rssGrowthMiB: {},
      loopLagP99Ms: {},
      failures: { 401: 1, 500: 3 },
    }),
  ]);
  expect(result.cpuMicrosPerRequest).toEqual({ gateway: 200, data: 60 });
  expect(result.rssMiB).toEqual({ gateway: 95 });
  expect(result.failures).toBe(6);
});

test('a reference without responses gives no infinite ratio', () => {
  expect(summarizeRuns('data', [run(10, 0)]).ratio).toBe(0);
});
