// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { findAliases, piecesOf } from './aliases.ts';

// Asserts contract/report-templates.md#values.
test('aliases have blanks around their name and an index', () => {
  expect(findAliases('${ a.b [3] }${größe}${a b}').map(({ name, index }) => [name, index])).toEqual([
    ['a.b', 3],
    ['größe', undefined],
  ]);
  expect(piecesOf('a ${b} c')).toEqual(['a ', { name: 'b', index: undefined, start: 2, end: 6 }, ' c']);
});

test('a million blanks after a name are read in one pass', () => {
  expect(findAliases(`\${a${' '.repeat(1_000_000)}`)).toEqual([]);
});
