import { testTitles } from './test-titles.ts';

test.each([
  ['test', "test('a b', () => {});", 'a b'],
  ['it, with a quote in the title', "it('it\\'s', () => {});", "it's"],
  ['a title on the next line', "test(\n  'next line',\n  () => {},\n);", 'next line'],
  ['a template literal', `test(\`row \${\`(\`} (b)\`, f);`, `row \${\`(\`} (b)`],
  ['a table of rows', "test.each([['(', \"'\"], [f('x')]])('%s works', f);", '%s works'],
  ['a table with a type', "test.each<[string, (a: string) => void]>([['a', g]])('%s typed', f);", '%s typed'],
  ['a table by name', "test.each(rows)('$name named', f);", '$name named'],
  ['a table in a template literal', `test.each\`a|b\n\${1}|\${2}\`('$a tagged', f);`, '$a tagged'],
  ['a regular expression before it', "const a = /['(]/; // it's (\ntest('after', f);", 'after'],
  ['a division before it', "const a = b / c / d;\ntest('after', f);", 'after'],
])('finds the title of %s', (_, source, title) => {
  expect([...testTitles(source)]).toEqual([title]);
});

test.each([
  "test.skip('a', f);",
  "describe('a', () => {});",
  "// test('a', f);",
  "/* test('a', f); */",
  'const a = "test(\'a\', f)";',
  "other.test('a');",
  "run(rows)('a');",
])('finds none in %s', (source) => {
  expect([...testTitles(source)]).toEqual([]);
});
