import { fewerThanExpected } from './expected-counts.mjs';

const EXPECTED = { 'unit tests': 3, lint: 1 };
const lint = { title: 'lint', passed: 1, failed: 0 };

test.each([
  ['fewer tests', [lint, { title: 'unit tests', passed: 1, failed: 1 }], ['unit tests: 2 tests, ']],
  ['another title', [lint, { title: 'units', passed: 3, failed: 0 }], ['unit tests: 0 tests, ']],
  ['as many tests, some of which failed', [lint, { title: 'unit tests', passed: 2, failed: 1 }], []],
])('a stage with %s is reported only if tests are lost', (_, results, lines) => {
  expect(fewerThanExpected(results, EXPECTED)).toEqual(lines.map((line) => expect.stringContaining(line)));
});
