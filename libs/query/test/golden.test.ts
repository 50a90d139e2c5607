import { fromExpectedSql, toExpectedSql } from './golden/expected-sql.ts';
import { expectedText, filesOf, goldenAreas } from './golden/golden-cases.ts';
import { compileRequest } from './run-stages.ts';

const CASE_FILES = ['request.json', 'expected.sql', 'expected.jsonl'];

const areas = goldenAreas();

describe.each(areas)('statements of $area', ({ cases }) => {
  test.each(cases)('$title', (golden) => {
    const { text, values } = compileRequest(golden.request, golden.access);
    const found = toExpectedSql(golden.title, { text, values });
    const expected = expectedText(golden, 'expected.sql', found);
    expect(found).toBe(expected);
    // Formatting must lose nothing: the file, read back, is the compiled statement character by character.
    expect(fromExpectedSql(expected)).toStrictEqual({ text, values });
  });

  test('have titles of their own, and folders with nothing but the files of a case', () => {
    const others = cases.flatMap(filesOf).filter((name) => !CASE_FILES.includes(name));
    expect(others).toEqual([]);
    expect(new Set(cases.map(({ title }) => title)).size).toBe(cases.length);
  });
});

test('no case is overlooked', () => {
  expect(areas.flatMap(({ cases }) => cases).length).toBeGreaterThanOrEqual(189);
});
