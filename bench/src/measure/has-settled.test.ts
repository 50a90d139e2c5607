import { hasSettled } from './has-settled.ts';

const runs = (requests: number, ...perRequest: number[]) =>
  perRequest.map((cost) => ({ requests, micros: cost * requests }));

test.each<[string, number, number[], boolean]>([
  ['two runs have nothing before them', 20_000, [500, 500], false],
  ['too few requests', 6_000, [500, 500, 500], false],
  ['the cost still falls', 7_000, [900, 700, 600, 550], false],
  ['the last run is cheaper', 7_000, [900, 600, 600, 550], false],
  ['the last two runs are not cheaper', 7_000, [900, 600, 590, 610], true],
  ['a run on a busy machine hides nothing', 7_000, [900, 600, 900, 590], true],
  ['no request at all', 0, [0, 0, 0], false],
])('%s', (_, requests, costs, expected) => {
  expect(hasSettled(runs(requests, ...costs))).toBe(expected);
});
