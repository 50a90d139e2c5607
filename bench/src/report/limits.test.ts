import type { SystemResult } from '../measure/run-record.ts';
import { checkLimits } from './check-limits.ts';
import { formatLimits, formatTarget } from './format-results.ts';

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

test('a target is a ratio to (c); yardsticks have none', () => {
  const systems = [result('express', 1), result('gateway', 0.8), result('forwarder-express', 0.5), result('data', 0.9)];
  const judged = systems.map((one) => formatTarget('R3', one));
  expect(judged).toEqual(['', '0.90 ✓', '', '1.15 ✗']);
});

test('the gateway may take half as much again for other operations than for R1', () => {
  const through = (operation: string, gateway: number, ...others: readonly SystemResult[]) => ({
    operation,
    about: '',
    systems: [
      result('gateway', 1, { cpuMicrosPerRequest: { gateway }, rssMiB: {}, rssGrowthMiB: {}, loopLagP99Ms: {} }),
      ...others,
    ],
  });
  const forwarder = result('forwarder-express', 1, { cpuMicrosPerRequest: { 'forwarder-express': 108, express: 90 } });
  expect(
    formatLimits(checkLimits([through('R1', 131, forwarder), through('W3', 190)]))
      .split('\n')
      .slice(2),
  ).toEqual([
    '| processor time of the gateway, R1 (the least forwarder: 108 µs) | 131 µs | 130 µs | ✗ |',
    '| processor time of the gateway, W3 | 190 µs | 195 µs | ✓ |',
    '| failed requests | 0 | 0 | ✓ |',
  ]);
});

test('all services in one process are compared with the data service, by processor time', () => {
  const measured = (system: string, micros: number) =>
    result(system, 1, { cpuMicrosPerRequest: { [system]: micros }, rssMiB: {}, rssGrowthMiB: {}, loopLagP99Ms: {} });
  const run = (operation: string) => ({
    operation,
    about: '',
    systems: [measured('data', 60), measured('standalone', 80)],
  });
  const checks = checkLimits([run('R1'), run('R2'), run('W1')]).filter(({ what }) => what.includes('one process'));
  expect(checks.map(({ what, isKept }) => [what.slice(-2), isKept])).toEqual([
    ['R1', true],
    ['W1', false],
  ]);
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
  expect(formatLimits(checkLimits(results)).split('\n').slice(2)).toEqual([
    '| p99 of R1, 16 connections, data service | 12 ms | 10 ms | ✗ |',
    '| p50 of R5, data service | 60 ms | 80 ms | ✓ |',
    '| growth of resident memory in R5, data | 30 MiB | 20 MiB | ✗ |',
    '| resident memory at the end of the load, data | 200 MiB | 220 MiB | ✓ |',
    '| event-loop lag under load, p99, data | 25 ms | 20 ms | ✗ |',
    '| failed requests | 2 | 0 | ✗ |',
  ]);
});

test('memory has a limit for each process, at the end of the load and 15 s later', () => {
  const systems = [result('gateway', 1, { rssMiB: { gateway: 129, data: 240 }, rssGrowthMiB: {}, loopLagP99Ms: {} })];
  const checks = checkLimits([{ operation: 'R2', about: '', systems }], { gateway: 131, data: 180 });
  expect(
    formatLimits(checks.filter(({ what }) => what.startsWith('resident')))
      .split('\n')
      .slice(2),
  ).toEqual([
    '| resident memory at the end of the load, data | 240 MiB | 220 MiB | ✗ |',
    '| resident memory 15 s after the load, data | 180 MiB | 220 MiB | ✓ |',
    '| resident memory at the end of the load, gateway | 129 MiB | 130 MiB | ✓ |',
    '| resident memory 15 s after the load, gateway | 131 MiB | 130 MiB | ✗ |',
  ]);
});

test.each([
  ['history', 110, 700, [true, false]],
  ['follow-ups', 131, 710, [false, true]],
])('writes with %s are compared with writes without it', (system, micros, perSecond, kept) => {
  const measured = (name: string, cpuMicros: number, rate: number) =>
    result(name, 1, {
      ...{ perSecond: rate, cpuMicrosPerRequest: { [name]: cpuMicros } },
      ...{ rssMiB: {}, rssGrowthMiB: {}, loopLagP99Ms: {} },
    });
  const checks = checkLimits([
    { operation: 'W1', about: '', systems: [measured('data', 100, 1000), measured(system, micros, perSecond)] },
  ]).filter(({ what }) => what.includes(system));
  expect(checks.map(({ isKept }) => isKept)).toEqual(kept);
});
