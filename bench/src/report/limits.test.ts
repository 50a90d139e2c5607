import type { SystemResult } from '../measure/run-record.ts';
import { checkLimits, formatLimits } from './check-limits.ts';
import { formatJudgement, judgeTarget } from './judge-target.ts';

const result = (system: string, ratio: number, more: Partial<SystemResult> = {}): SystemResult => ({
  system,
  runs: [],
  perSecond: 100,
  ratio,
  p50Ms: 5,
  p99Ms: 9,
  cpuMicrosPerRequest: {},
  rssMiB: { [system]: 200 },
  rssGrowthMiB: { [system]: 3 },
  loopLagP99Ms: { [system]: 4 },
  failures: 0,
  ...more,
});

test('the target through the gateway is about the same gateway in front of (c)', () => {
  const systems = [result('express', 1), result('gateway', 0.45), result('gateway-express', 0.5)];
  const judged = systems.map((one) => formatJudgement(judgeTarget('R3', one, systems)));
  expect(judged).toEqual(['', '0.90 of 0.85 ✓', '']);
  expect(judgeTarget('R3', result('gateway', 0.45), [result('express', 1)])).toBeUndefined();
});

test('limits that are no ratios are checked for our processes alone', () => {
  const slow = { p99Ms: 12, loopLagP99Ms: { data: 25.04 }, failures: 2 };
  const results = [
    {
      operation: 'R1',
      about: '',
      systems: [result('express', 1, { rssMiB: { express: 900 } }), result('data', 1, slow)],
    },
    { operation: 'R5', about: '', systems: [result('data', 1, { p50Ms: 60, rssGrowthMiB: { data: 30 } })] },
  ];
  expect(formatLimits(checkLimits(results)).split('\n')).toEqual([
    '✗ p99 of R1, 16 connections, data service: 12 ms, limit 10',
    '✓ p50 of R5, data service: 60 ms, limit 80',
    '✗ growth of resident memory in R5, data: 30 MiB, limit 20',
    '✓ resident memory after load, data: 200 MiB, limit 250',
    '✗ event-loop lag under load, p99, data: 25 ms, limit 20',
    '✗ failed requests: 2, limit 0',
  ]);
});
