import { coverageRows } from './coverage-rows.ts';

const page = (...rows: readonly string[]): string =>
  ['# Topic', '', '| Row | Tests |', '|---|---|', ...rows].join('\n');

test('a row names tests by file and title, several with line breaks', () => {
  expect(
    coverageRows(
      page('| contract/reading.md#paging, limit | a/b.test.ts › it works<br>c.int.test.ts › it (really) works |'),
    ),
  ).toEqual([
    {
      line: 5,
      row: 'contract/reading.md#paging, limit',
      tests: [
        { path: 'a/b.test.ts', title: 'it works' },
        { path: 'c.int.test.ts', title: 'it (really) works' },
      ],
      excuse: undefined,
    },
  ]);
});

test('a bar in a title is escaped, and a citation may be set in code', () => {
  expect(coverageRows(page('| a | `a.test.ts › x \\| y` |'))[0]?.tests).toEqual([
    { path: 'a.test.ts', title: 'x | y' },
  ]);
});

test('an excused row cites decisions', () => {
  expect(coverageRows(page('| a | excused ([not built](../../contract/decisions.md#not-built)) |'))[0]).toMatchObject({
    tests: [],
    excuse: '[not built](../../contract/decisions.md#not-built)',
  });
});

test.each([
  ['a row without a test', page('| a | |'), 'line 5: a row has a place and its tests'],
  ['an excuse without a decision', page('| a | excused (later) |'), 'line 5: "excused (later)" is no'],
  ['a test without a title', page('| a | a.test.ts |'), 'line 5: "a.test.ts" is no'],
  ['a file that is no test', page('| a | a.ts › x |'), 'line 5: "a.ts › x" is no'],
  ['a table with other columns', '| Row | Status |', 'line 1: a table is headed'],
])('%s is refused', (_, text, message) => {
  expect(() => coverageRows(text)).toThrow(message);
});
