import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { slopeOf } from '../measure/statistics.ts';
import { drawCurves } from './draw-curves.ts';
import { drawFlames } from './draw-flames.ts';
import { formatSoak, GROWTH, replacePart, writePage } from './write-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NAMES = ['figures', 'growth', 'soak', 'soak-standalone', 'starts', 'peers', 'console'];
const EMPTY = `By hand\n${NAMES.map((name) => `<!-- ${name} -->\n<!-- /${name} -->`).join('\n')}\nmore`;

test('figures come between their markers, again and again, and the rest stays', () => {
  const page = join(folder, 'page.md');
  writeFileSync(page, EMPTY);
  const point = { operation: 'R1', replicas: 1, perSecond: 9, p50Ms: 1, serviceMicros: 60, databaseMicros: 40 };
  const machine = { cpu: 'x', cpus: 2, memoryGiB: 24, loadBefore: 0, node: '24', postgres: '18' };
  const points = [1, 4].map((scale) => ({ ...point, scale }));
  const growth = { commit: 'abc', isChanged: false, measuredAt: '2026-01-01T00:00:00Z', machine, points };
  writeFileSync(join(folder, GROWTH), JSON.stringify(growth));
  writePage(folder, page);
  const once = readFileSync(page, 'utf8');
  writePage(folder, page);
  expect(readFileSync(page, 'utf8')).toBe(once);
  expect(once).toMatch(/^By hand\n.*Not measured yet: `npm run bench`\..*\nmore$/s);
  expect(once).toContain('| R1 | 60 + 40 | 60 + 40 |');
  expect(readFileSync(join(folder, 'growth.svg'), 'utf8')).toContain('<polyline');
});

const soaked = (minutes: number, standalone: number) => ({
  ...{ minutes, requests: minutes * 100, rssMiB: { standalone }, heapMiB: { standalone: 80 } },
});

test('a soak has the largest memory, that of the end, and that of 15 s later, which older records do not have', () => {
  const machine = { cpu: 'x', cpus: 2, memoryGiB: 24, loadBefore: 0, node: '24', postgres: '18' };
  const run = {
    ...{ commit: 'abc', isChanged: false, measuredAt: '2026-01-01T00:00:00Z', machine, durationMs: 120_000 },
    ...{
      requests: 200,
      failures: 0,
      samples: [soaked(1, 320.4), soaked(2, 310)],
      growthMiBPerHour: { standalone: -1 },
    },
  };
  const memory = 'Resident memory: standalone at most 320 MiB (limit 350), at the end 310';
  const growth = 'In the second half it grew by: standalone -1.0 MiB per hour.';
  expect(formatSoak(run)).toMatch(`2 minutes, 200 requests through the gateway, 0 failed. ${memory}. ${growth}`);
  expect(formatSoak({ ...run, share: 0.2, idleMiB: { standalone: 250 } })).toMatch(
    `2 minutes, 200 requests through the gateway, in 20 % of the time, 0 failed. ${memory}, 15 s later 250. ${growth}`,
  );
});

test('a page without the markers is an error that names them', () => {
  expect(() => replacePart('nothing', 'soak', 'x')).toThrow('<!-- soak -->');
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

const frame = (functionName: string) => ({ functionName, url: 'file:///a/b.ts', lineNumber: 1 });

test('a flame graph has a box for each function, as wide as it took time, and none for idling', () => {
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2, 3] },
      { id: 2, callFrame: frame('work<T>'), children: [4] },
      { id: 3, callFrame: frame('(idle)') },
      { id: 4, callFrame: frame('inner') },
    ],
    samples: [2, 4, 3],
    timeDeltas: [100, 300, 1_000],
  };
  const svg = drawFlames('R1 data', profile, 10);
  expect(svg).toContain('R1 data: 40 µs per request');
  expect(svg).toContain('work&lt;T&gt; b.ts: 40.0 µs per request');
  expect(svg).toContain('<rect width="900.0"');
  expect(svg).not.toContain('idle');
});

test('curves are drawn one for each name, also where there is one point', () => {
  const svg = drawCurves([
    {
      title: 'a',
      below: 'b',
      unit: 'c',
      curves: [
        {
          name: 'R1',
          points: [
            [1, 1],
            [4, 1.1],
          ],
        },
        { name: 'R2', points: [[1, 1]] },
      ],
    },
  ]);
  expect(svg.match(/<polyline/g)).toHaveLength(2);
  expect(svg).not.toContain('NaN');
});
