import { slopeOf } from '../measure/statistics.ts';
import { summarizeRuns } from '../measure/summarize-runs.ts';
import { formatGrowth } from '../modes/run-growth.ts';
import { formatSoak } from '../modes/run-soak.ts';
import { formatStarts } from '../modes/run-starts.ts';
import { formatFigures } from './format-results.ts';
import { describeHead } from './run-head.ts';

const system = (name: string, perSecond: number) =>
  summarizeRuns(name, [
    {
      requests: perSecond,
      perSecond,
      referencePerSecond: 1_000,
      p50Ms: 1.25,
      p99Ms: 9.5,
      bytesPerResponse: 350,
      failures: {},
      cpuMicros: 0,
      cpuMicrosPerRequest: { [name]: 110.4, postgres: 60 },
      rssMiB: { [name]: 120.6 },
      rssGrowthMiB: {},
      loopLagP99Ms: {},
    },
  ]);

test('the table has a line for each system, with its target and whether it is met', () => {
  const systems = [system('express', 1_000), system('data', 700)];
  const lines = formatFigures([{ operation: 'R1', about: 'one order by id', systems }]).split('\n');
  expect(lines.slice(2)).toEqual([
    '| **R1** one order by id | (c) Express + pg | 1000 | 1.00 | 1.00 |  | 1.3 / 9.5 | express 110, postgres 60 |',
    '|  | data service | 700 | 0.70 | 1.00 | 0.85 ✓ | 1.3 / 9.5 | data 110, postgres 60 |',
  ]);
});

const machine = { cpu: 'x', cpus: 2, memoryGiB: 24, loadBefore: 0.5, node: '24', postgres: '18' };
const HEAD = { commit: 'abc', isChanged: true, measuredAt: '2026-01-01T03:04:05Z', machine };

test('the head of a result names the tree, the time and the machine', () => {
  expect(describeHead(HEAD)).toBe(
    'Commit `abc` with changes, 2026-01-01 03:04 UTC; 2 × x, 24 GiB, Node 24, PostgreSQL 18, load before 0.5.',
  );
});

test('growth has a column for each size of the data and each number of connections', () => {
  const point = { operation: 'R1', perSecond: 9, p50Ms: 1, serviceMicros: 60, databaseMicros: 40 };
  const points = [
    { ...point, scale: 1, replicas: 1 },
    { ...point, scale: 4, replicas: 1 },
    { ...point, scale: 1, replicas: 4 },
  ];
  const text = formatGrowth({ ...HEAD, points });
  expect(text).toContain('|  | 1 × data | 4 × data | 4 × connections |');
  expect(text).toContain('| R1 | 60 + 40 | 60 + 40 | 60 + 40 |');
});

test('a start has a mark for the limit, and the figures of its libraries beside it', () => {
  const start = { startMs: 401, allMs: [401], idleMiB: 90.4 };
  const text = formatStarts([{ service: 'data', ...start, empty: { ...start, startMs: 200 } }]);
  expect(text).toContain('| data | ✗ | 401 | 90 | 200 | 90 |');
});

const soaked = (minutes: number, standalone: number) => ({
  ...{ minutes, requests: minutes * 100, rssMiB: { standalone } },
});

test('a soak has the largest memory, the memory at the end, and 15 s later', () => {
  const run = { durationMs: 120_000, requests: 200, failures: 0, samples: [soaked(1, 320.4), soaked(2, 310)] };
  const text = formatSoak({ ...run, share: 0.2, growthMiBPerHour: { standalone: -1 }, idleMiB: { standalone: 250 } });
  expect(text).toBe(
    '2 minutes, 200 requests through the gateway, in 20 % of the time, 0 failed. Resident memory: standalone at most 320 MiB (limit 350), at the end 310, 15 s later 250. In the second half it grew by: standalone -1.0 MiB per hour.',
  );
});

test('the slope is that of the line that fits best', () => {
  expect(
    slopeOf([
      [0, 1],
      [1, 3],
      [2, 5],
    ]),
  ).toBe(2);
  expect(slopeOf([[0, 1]])).toBe(0);
});
