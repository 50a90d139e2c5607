import { violationsOf } from '../violations-of.ts';

test('limits of tests that are shorter than the default are found', () => {
  const limits = [30_000, 120_000, 240_000, 2].map((limit) => `test('x', () => {\n}, ${limit});`);
  const sources = { 'libs/a/src/a.test.ts': limits.join('\n'), 'libs/a/src/a.ts': 'setTimeout(() => {\n}, 30_000);' };
  expect(violationsOf('tests-have-time', sources)).toEqual([
    'libs/a/src/a.test.ts:2 ends after 30000 ms',
    'libs/a/src/a.test.ts:4 ends after 120000 ms',
  ]);
});
