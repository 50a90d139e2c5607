import { isPlatformError } from '@lintel/errors';
import { parsePolicyCondition, parseSelect, QuerySyntaxError } from '@lintel/query';
import { cases, fc } from '@lintel/testkit/properties';
import { compileRequest } from '../run-stages.ts';
import { generatedQuery } from './generate-query.ts';

/** Any text gives a tree, or an error with a position. */
function expectHandled(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(QuerySyntaxError);
    const { line, column, message } = error as QuerySyntaxError;
    expect(line).toBeGreaterThanOrEqual(1);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(message).not.toBe('');
  }
}

const words = fc.constantFrom(
  ...'select distinct from where group by having order asc desc nulls first last join left inner outer fetch on'.split(
    ' ',
  ),
  ...'and or not in is between like escape null empty member of exists all any some case when then else end'.split(' '),
  ...'true false trim both leading trailing extract treat type count sum avg min max as current_date'.split(' '),
  ...'p q t_Pet t_Owner name age owner tags visits t.Color.RED {E} :name :ids lower concat coalesce size'.split(' '),
  ...[
    '@between',
    '@today',
    '@enum',
    '@nope',
    "'text'",
    "''",
    '1',
    '1.5',
    '-',
    '+',
    '*',
    '/',
    '||',
    '(',
    ')',
    '((',
    '.',
    ',',
  ],
  ...['=', '<>', '<', '>=', "{d '2026-01-01'}", "{ts 'x'}", '--', '/*', "'", '"', ';', '\u0000', 'é', '?'],
);

test('any soup of words is read, or refused with its place', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), (list) => {
      const text = list.join(' ');
      expectHandled(() => parseSelect(text));
      expectHandled(() => parsePolicyCondition(text));
      expectHandled(() => parsePolicyCondition('{E}.age = 1', undefined, text));
    }),
    cases(500),
  );
});

test('any text is read, or refused with its place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      expectHandled(() => parseSelect(text));
      expectHandled(() => parseSelect(`select p from t_Pet p where ${text}`));
    }),
    // Telling what was expected takes a while.
    cases(100),
  );
});

test('a query with a part cut out, doubled or put elsewhere is compiled, or refused with its place', () => {
  const offset = fc.integer({ min: 0, max: 400 });
  fc.assert(
    fc.property(generatedQuery, offset, offset, fc.nat(2), (query, one, other, how) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const { text } = query;
      const part = text.slice(from, to);
      const changed = [text.slice(0, from) + text.slice(to), text.slice(0, to) + part + text.slice(to), part + text][
        how
      ];
      expectHandled(() =>
        compileRequest({ operation: 'list', entityName: 't_Pet', query: { ...query, text: changed ?? text } }),
      );
    }),
    cases(500),
  );
});

test.each([
  ['parentheses', `${'('.repeat(20_000)}1${')'.repeat(20_000)} = 1`],
  ['negations', `${'not '.repeat(20_000)}p.age = 1`],
  ['signs', `${'- '.repeat(20_000)}1 = 1`],
  ['sums', `1${' + 1'.repeat(20_000)} = 1`],
  ['calls', `${'lower('.repeat(5_000)}'x'${')'.repeat(5_000)} = 'x'`],
  ['cases', `${'case when 1 = 1 then '.repeat(2_000)}1${' end'.repeat(2_000)} = 1`],
  ['subqueries', `${'exists (select p from t_Pet p where '.repeat(1_000)}1 = 1${')'.repeat(1_000)}`],
  ['a long text', `p.name = '${'x'.repeat(200_000)}'`],
])('%s without end are refused', (_, condition) => {
  const text = `select p from t_Pet p where ${condition}`;
  expect(() => parseSelect(text)).toThrow(/nested deeper than 200 levels|longer than 100000 characters/);
});

test('many conditions side by side are no depth', () => {
  const text = `select p from t_Pet p where ${Array.from({ length: 1_000 }, (_, at) => `p.age = ${at}`).join(' or ')}`;
  const { values } = compileRequest({ operation: 'list', entityName: 't_Pet', query: { text } });
  expect(values).toHaveLength(1_002);
});

const QUERIES = [
  "select p from t_Pet p where p.name = :name and p.name like :name escape '!' order by p.name",
  'select p from t_Pet p where lower(p.name) = concat(:name, p.name) or :name in (p.name, p.owner.name)',
  'select p.name as name, coalesce(p.name, :name) as other, case when p.name > :name then :name end as more from t_Pet p where p.name in :names',
];

// Asserts contract/queries.md#parameters.
test('no value of a parameter changes the text of the statement', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      "' or 1=1 --",
      "'; drop table t.pet; --",
      '$1',
      '\\',
      '%',
      '"',
      "E'\\''",
      '1); select 1',
      ':name',
      '{E}',
    ),
  );
  for (const text of QUERIES) {
    const parameters = { name: 'string', ...(text.includes(':names') ? { names: 'string[]' } : {}) };
    const statement = (name: string, names: readonly string[]) =>
      compileRequest({
        operation: 'list',
        entityName: 't_Pet',
        query: { text, parameters, given: { name, names } },
        members: text.startsWith('select p ') ? { fetchPlan: '_local' } : {},
      });
    const usual = statement('Rex', ['Rex']);
    fc.assert(
      fc.property(hostile, fc.array(hostile, { maxLength: 3 }), (name, names) => {
        try {
          const { text: changed, values } = statement(name, names);
          expect(changed).toBe(usual.text);
          expect(values).toContain(name);
        } catch (error) {
          // A text with the character zero is no value.
          expect(isPlatformError(error) && error.code).toBe('REQ_INVALID_PARAMETER');
          expect([name, ...names].join('')).toContain('\u0000');
        }
      }),
      cases(500),
    );
  }
});

test('no literal of a query is in the text of the statement', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z;"\\$%-]{6,20}$/), (literal) => {
      const text = `select p from t_Pet p where p.name = '${literal}' and p.name like '${literal}'`;
      const { text: sql, values } = compileRequest({ operation: 'list', entityName: 't_Pet', query: { text } });
      expect(sql).not.toContain(literal);
      expect(values.filter((value) => value === literal)).toHaveLength(2);
    }),
    cases(500),
  );
});
