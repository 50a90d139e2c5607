import { sheetName } from './workbook-parts.ts';

test.each([
  ['Orders', 'Orders'],
  ['Orders [all]: 1/2', 'Orders  all   1 2'],
  ["'quoted'", 'quoted'],
  ['A name of more than thirty-one characters', 'A name of more than thirty-one'],
  ['[]', 'Sheet'],
])('the sheet of %j is %j', (text, name) => {
  expect(sheetName(text)).toBe(name);
});
