// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of data sets look like placeholders
import { labelsOf, parseDataSetText, placeholdersOf, writeDataSetText } from './data-set-text.ts';

/** Parameters named `none…` have no value, those named `list…` several. */
function written(text: string): string {
  let count = 0;
  return writeDataSetText(parseDataSetText(text), {
    isMissing: (name) => name.startsWith('none'),
    isList: (name) => name.startsWith('list'),
    isFolded: (name) => name.startsWith('folded'),
    write: (name) => {
      count += 1;
      return name.startsWith('list') ? `($${count}, more)` : `$${count}`;
    },
  });
}

// Asserts contract/report-data.md#data.
test.each([
  ['every placeholder has a place of its own', 'a = ${x} and b = ${x}', 'a = $1 and b = $2'],
  ['a field of a band', 'o.customer.id = ${ Customers.customer.id }', 'o.customer.id = $1'],
  ['a semicolon at the end', 'select 1 ;\n ', 'select 1'],
  ['a collection', 'a in ${list}', 'a in ($1, more)'],
  ['parentheses around a collection', 'a in (${list}) and b', 'a in ($1, more) and b'],
  ['parentheses of a function', 'f(${x})', 'f($1)'],
  ['a null before and', 'where a = ${none} and b = 1', 'where 1=1 and b = 1'],
  ['a null behind and', 'where b = 1 and a.b >= ${none} order by a', 'where b = 1 and 1=1 order by a'],
  ['a null beside or', 'where (a = ${none} or b = 2)', 'where (1=0 or b = 2)'],
  ['a null between or and and', 'where a = 1 or b = ${none} and c = 2', 'where a = 1 or 1=1 and c = 2'],
  ['a null on the left', 'where ${none} < a.b', 'where 1=1'],
  ['in and not in', 'where a in (${none}) and b not in ${none} or c', 'where 1=1 and 1=1 or c'],
  ['like with an escape character', "where a not like ${none} escape '!' and b", 'where 1=1 and b'],
  ['a function of an attribute', 'where lower(a.b, 1) = ${none} and c', 'where 1=1 and c'],
  ['a sum', 'where (a + 2) * 3 > ${none} + 1 or c', 'where 1=0 or c'],
  ['a negation', 'where b and not a = ${none}', 'where b and 1=1'],
  [
    'patterns without case',
    "where a.b like ${folded} and (c || d) not like ${folded} escape '!' or e = ${folded}",
    "where lower(a.b) like $1 and lower((c || d)) not like $2 escape '!' or e = $3",
  ],
  ['a test for null', 'where ${none} is null or a = ${none}', 'where 1=1 or 1=0'],
  ['a test for a value', 'where ${none} is not null and a', 'where 1=0 and a'],
  ['the bounds of between', 'where a between ${none} and ${x}', 'where a between $1 and $2'],
  ['an argument of a function', 'select coalesce(${none}, a) from b', 'select coalesce($1, a) from b'],
  ['a select list', 'select ${none}, a from b where c', 'select $1, a from b where c'],
  ['a fragment with a value', 'where a [[and b = ${x} ]] order', 'where a and b = $1  order'],
  ['a fragment without one', 'where a [[and b = ${none} and c = ${x} ]] order', 'where a  order'],
  ['nested fragments', 'a [[b ${x} [[c ${none}]] d]] e', 'a b $1  d e'],
  ['a fragment around another', 'a [[b ${none} [[c ${x}]] d]] e', 'a  e'],
  ['constants and comments', "a = '[[ or b = c' -- ${none} [[\n and b", "a = '[[ or b = c' -- ${none} [[\n and b"],
  ['names in quotes', '"a or" = ${none} and "x y" = ${x}', '1=1 and "x y" = $1'],
  ['constants in dollars', "select $q$ or [[ $q$, $$it's$$", "select $q$ or [[ $q$, $$it's$$"],
  [
    'fields of an axis',
    'x as T_dynamic_header@id where y in ${list@x}',
    'x as T_dynamic_header_id where y in ($1, more)',
  ],
  ['fields of an axis as parameters', 'y in ${T_master_data@id}', 'y in $1'],
])('%s', (_, text, expected) => {
  expect(written(text)).toBe(expected);
});

// Asserts contract/report-data.md#data.
test.each([
  ['a placeholder that does not end', 'select ${x from y', 'line 1, column 8'],
  ['a placeholder without a name', 'select\n ${}', 'line 2, column 2'],
  ['a placeholder in a constant', "a like '%${x}%'", 'cannot stand inside of a constant'],
  ['a fragment that does not end', 'a [[ b', 'Every [[ needs its ]]'],
  ['an end of no fragment', 'a ]] [[ b', 'Every [[ needs its ]]'],
  ['a constant that does not end', "a = 'b", 'The constant does not end (line 1, column 5)'],
  ['a constant in dollars that does not end', 'a = $b$ c', 'The constant does not end (line 1, column 5)'],
  ['a comment that does not end', 'a /* b', 'The comment does not end (line 1, column 3)'],
])('%s is refused', (_, text, message) => {
  expect(() => parseDataSetText(text)).toThrow(message);
});

/** Processor time in seconds, so that other work of the machine does not count. */
function secondsOf(work: () => void): number {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1e6;
}

// In the square of the time, each of them would take more than ten seconds.
test.each([
  ['blanks', `select a${' '.repeat(190_000)}b`, /^select a {22}$/],
  ['lists', `a in (${'${list},'.repeat(25_000)}1)`, /^a in \(\(\$1, more\),/],
  ['placeholders without values', '${none} '.repeat(25_000), /^\$1 \$2 /],
  ['conditions without values', 'a = ${none} or '.repeat(15_000), /^1=0 or 1=0 or /],
  ['patterns', 'like ${folded} '.repeat(12_000), /^lower\(like \$1\) like /],
  [
    'patterns after comments',
    `${'/**/'.repeat(100_000)}${'a like ${folded} '.repeat(60_000)}`,
    /^(?:\/\*\*\/){7}\/\*$/,
  ],
])('a text with very many %s is written in less than five seconds of processor time', (_, text, expected) => {
  const seconds = secondsOf(() => expect(written(text).slice(0, 30)).toMatch(expected));
  expect(seconds).toBeLessThan(5);
});

test('a text with very many comments that do not end is refused in less than five seconds of processor time', () => {
  const text = 'a /* $b$ '.repeat(20_000);
  const seconds = secondsOf(() => expect(() => parseDataSetText(text)).toThrow('does not end'));
  expect(seconds).toBeLessThan(5);
});

test('placeholders and labels are found', () => {
  const text = parseDataSetText(
    'select a as totalAmount, b AS "quoted", c as T_dynamic_header@id from d where ${x} = ${y.z} or ${x} in ${T_master_data@id}',
  );
  expect(placeholdersOf(text)).toEqual(['x', 'y.z', 'T_master_data_id']);
  expect(labelsOf(text)).toEqual(['totalAmount', 'T_dynamic_header_id']);
});
