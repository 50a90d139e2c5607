import { cases, fc } from '@lintel/testkit/properties';
import { fromExpectedSql, toExpectedSql } from './expected-sql.ts';
import { flatSql, formatSql } from './format-sql.ts';
import { sqlTree } from './sql-tree.ts';

const formatted = (...lines: readonly string[]): string => lines.join('\n');

test('the clauses of a statement stand on lines of their own', () => {
  expect(
    formatSql('SELECT 1 FROM "t"."pet" t0 LEFT JOIN "t"."owner" t1 ON TRUE WHERE t0."id" = $1::uuid LIMIT 1'),
  ).toBe(
    formatted(
      'SELECT 1',
      'FROM "t"."pet" t0',
      'LEFT JOIN "t"."owner" t1 ON TRUE',
      'WHERE t0."id" = $1::uuid',
      'LIMIT 1',
    ),
  );
});

test('what fits on a line stays on it, and what does not is broken where it binds loosest', () => {
  const short = 'EXISTS (SELECT 1 FROM "t"."tag" t1 WHERE t1."a" = 1)';
  const long =
    'EXISTS (SELECT 1 FROM "t"."tag" t2 WHERE t2."label" = t0."name" AND t2."pet_id" = t0."id" AND t2."level" > 1000)';
  expect(formatSql(`SELECT 1 FROM "t"."pet" t0 WHERE ${short} AND ${long}`)).toBe(
    formatted(
      'SELECT 1',
      'FROM "t"."pet" t0',
      `WHERE ${short}`,
      '  AND EXISTS (',
      '    SELECT 1',
      '    FROM "t"."tag" t2',
      '    WHERE t2."label" = t0."name" AND t2."pet_id" = t0."id" AND t2."level" > 1000',
      '  )',
    ),
  );
});

test.each([
  ['a text with white space', `'a\n  b'`],
  ['a text with quotes and brackets', `'it''s (SELECT, "x"'`],
  ['a text with escapes', `E'\\'\\n( '`],
  ['a quoted name', '"a "" ( b"'],
])('%s keeps every character', (_, literal) => {
  const sql = `SELECT ${literal} AS "x", COALESCE(${Array(5).fill(literal).join(', ')}, ${literal}) AS "y" FROM "t"`;
  expect(formatSql(sql).split(literal)).toHaveLength(8);
  expect(flatSql(formatSql(sql))).toBe(sql);
});

test('values stand over the statement, one on each line', () => {
  const statement = { text: 'SELECT $1::text, $2::bigint[]', values: ['a\n\n"b"', [1, null, true]] };
  const file = toExpectedSql('a title = 1', statement);
  expect(file).toBe(
    formatted(
      '-- a title = 1',
      '-- $1 = "a\\n\\n\\"b\\""',
      '-- $2 = [1,null,true]',
      '',
      'SELECT $1::text, $2::bigint[]',
      '',
    ),
  );
  expect(fromExpectedSql(file)).toEqual(statement);
});

test.each([
  ['a bracket without its end', 'SELECT (1'],
  ['a bracket without its beginning', 'SELECT 1)'],
  ['brackets that cross', 'SELECT (ARRAY[1)]'],
  ['a CASE without its END', 'SELECT CASE WHEN TRUE THEN 1'],
  ['a text without its end', "SELECT 'a"],
])('%s is no statement', (_, sql) => {
  expect(() => sqlTree(sql)).toThrow(sql.slice(-1));
});

const atoms = fc.constantFrom(
  ...[
    't0."id"',
    '$1::uuid',
    "'a  b'",
    "'(,'",
    "E'\\n'",
    'now()',
    'NULL',
    '1e15',
    '"x y"',
    't0."a" IS DISTINCT FROM $1',
  ],
  ...['t0."owner_id" IS NOT NULL', 't0."name" ~>=~ \'WHEN AND\'', '(t0."ratio"::text || \'.0\')::json'],
);
const { sql } = fc.letrec<{ sql: string; list: string }>((tie) => ({
  list: fc.array(tie('sql'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(', ')),
  sql: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    atoms,
    fc.tuple(fc.constantFrom('', 'COALESCE', 'ARRAY'), tie('list')).map(([name, list]) => `${name}(${list})`),
    fc.tuple(tie('sql'), fc.constantFrom('AND', 'OR', '||', '+'), tie('sql')).map((parts) => parts.join(' ')),
    fc.tuple(tie('sql'), tie('sql'), tie('sql')).map(([a, b, c]) => `CASE WHEN ${a} THEN ${b} ELSE ${c} END`),
    fc.tuple(tie('list'), tie('sql')).map(([list, where]) => `(SELECT ${list} FROM "t" t1 WHERE ${where} LIMIT 1)`),
    fc.tuple(tie('sql'), tie('sql')).map(([a, b]) => `(SELECT DISTINCT ${a} FROM "t" UNION ALL SELECT ${b})`),
  ),
}));

test('formatting loses nothing: put on one line again, it is the statement', () => {
  fc.assert(
    fc.property(sql, (expression) => {
      const statement = `SELECT ${expression} FROM "t"."pet" t0 WHERE ${expression}`;
      expect(flatSql(formatSql(statement))).toBe(statement);
      expect(formatSql(flatSql(formatSql(statement)))).toBe(formatSql(statement));
    }),
    cases(300),
  );
});
