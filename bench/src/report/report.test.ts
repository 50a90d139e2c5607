import { summarizeRuns } from '../measure/summarize-runs.ts';
import { combineLatest } from './combine-runs.ts';
import { formatTable } from './format-table.ts';
import { plotResults } from './plot-results.ts';
import type { RecordedRun } from './recorded-run.ts';
import { formatProfile, summarizeProfile } from './summarize-profile.ts';

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

const OPERATION = {
  operation: 'R1',
  about: 'one order by id',
  systems: [system('express', 1_000), system('data', 700)],
};

test('the table has a line for each system, with its target and whether it is met', () => {
  const lines = formatTable([OPERATION]).split('\n');
  expect(lines[0]).toBe('R1  one order by id');
  expect(lines[3]).toMatch(/data service +700 +0\.70 +1\.00 +0\.85 ✓ +1\.3 +9\.5 +data 110, postgres 60 +121 +0$/);
  expect(lines).toHaveLength(4);
});

const run = (commit: string, measuredAt: string): RecordedRun => ({
  commit,
  isChanged: false,
  measuredAt,
  machine: { cpu: 'x', cpus: 2, memoryGiB: 24, loadBefore: 0, node: '24', postgres: '18' },
  options: { rounds: 3, runMs: 4_000, referenceMs: 2_000 },
  startMs: {},
  operations: [OPERATION],
  limits: [],
});

test('runs of the latest commit are one, with the median of all paired ratios; those of others are left out', () => {
  const measured = (commit: string, day: number, perSecond: number): RecordedRun => ({
    ...run(commit, `2026-01-0${day}T00:00:00Z`),
    operations: [{ ...OPERATION, systems: [system('express', 1_000), system('data', perSecond)] }],
  });
  const idle = (gateway: number) => ({ idleMiB: { gateway } });
  const runs = [
    measured('aaaa', 1, 100),
    measured('bbbb', 2, 300),
    { ...measured('bbbb', 3, 900), ...idle(100) },
    { ...measured('bbbb', 4, 800), ...idle(99) },
  ];
  const combined = combineLatest(runs);
  expect(combined).toMatchObject({ commit: 'bbbb', runCount: 3 });
  expect(combined?.operations[0]?.systems.map(({ ratio }) => ratio)).toEqual([1, 0.8]);
  expect(combined?.limits.map(({ what }) => what)).toContain('p99 of R1, 16 connections, data service');
  expect(combined?.limits).toContainEqual(
    expect.objectContaining({ what: 'resident memory 15 s after the load, gateway', measured: 100 }),
  );
  expect(combineLatest([])).toBeUndefined();
});

test('the plot has a point for each run, the oldest first', () => {
  const svg = plotResults([run('bbbb', '2026-02-01T00:00:00Z'), run('aaaa', '2026-01-01T00:00:00Z')]);
  expect(svg.match(/<circle/g)).toHaveLength(2);
  expect(svg.indexOf('aaaa')).toBeLessThan(svg.indexOf('bbbb'));
  expect(svg).toContain('0.85');
  expect(svg.trim()).toMatch(/^<svg.*<\/svg>$/s);
});

test('a plot over nothing is empty and no error', () => {
  expect(plotResults([])).not.toContain('<circle');
});

const frame = (functionName: string, url = 'file:///app/libs/x/src/a.ts', lineNumber = 9) => ({
  functionName,
  url,
  lineNumber,
});

test('a profile has own and total time of each function for a request; recursion counts once', () => {
  const functions = summarizeProfile(
    {
      nodes: [
        { id: 1, callFrame: frame('(root)', ''), children: [2, 5] },
        { id: 2, callFrame: frame('outer'), children: [3] },
        { id: 3, callFrame: frame('inner', 'node:net', 4), children: [4] },
        { id: 4, callFrame: frame('outer') },
        { id: 5, callFrame: frame('(idle)', '') },
      ],
      samples: [2, 3, 4, 5],
      timeDeltas: [100, 50, 30, 1_000],
    },
    10,
  );
  expect(functions).toEqual([
    { name: 'outer', position: 'libs/x/src/a.ts:10', self: 13, total: 18 },
    { name: 'inner', position: 'node:net:5', self: 5, total: 8 },
  ]);
  expect(formatProfile(functions, 1)).toBe('  13.0   18.0  outer  libs/x/src/a.ts:10');
});
