import { summarizeRuns } from '../measure/summarize-runs.ts';
import { formatPeers, formatSettings } from './format-peers.ts';
import { PEER_CALLS, PEER_NAMES } from './peer-calls.ts';
import { PEERS } from './peers.ts';

const result = (system: string, perSecond: number, micros: number, failures = {}) =>
  summarizeRuns(system, [
    {
      ...{ requests: perSecond, perSecond, referencePerSecond: 1_000, p50Ms: 4, p99Ms: 9.96, bytesPerResponse: 1 },
      ...{ cpuMicros: 0, rssMiB: {}, rssGrowthMiB: {}, loopLagP99Ms: {}, failures },
      cpuMicrosPerRequest: { [system]: micros, postgres: 100, generator: 50 },
    },
  ]);

test('a system is compared with ours by throughput and by processor time', () => {
  const systems = [result('gateway', 1_000, 400), result('directus', 250, 1_900)];
  const table = formatPeers([{ operation: 'R1', about: '', systems }]);
  expect(table.split('\n').slice(2)).toEqual([
    '| **Lintel** (gateway and data service) | 1000/s |',
    '| Directus 12.4.0 | 0.25, 0.25 |',
  ]);
});

test('failed requests are shown', () => {
  const systems = [result('directus', 1_000, 400, { 500: 3 })];
  const table = formatPeers([{ operation: 'R1', about: '', systems }]);
  expect(table).toContain('| 1000/s, 3 failed |');
});

test('each product has requests and settings', () => {
  expect(PEERS.map(({ name }) => name)).toEqual(PEER_NAMES);
  for (const { about } of PEERS) expect(formatSettings()).toContain(`**${about}**`);
});

test.each(PEER_NAMES)('requests of %s have other parameters each time', (name) => {
  // Groups (A1) are over all orders: there is one such request.
  const { A1: _, ...calledOften } = PEER_CALLS[name];
  for (const draw of Object.values(calledOften)) {
    const calls = Array.from({ length: 20 }, () => JSON.stringify(draw?.()));
    expect(new Set(calls).size).toBeGreaterThan(1);
  }
});
