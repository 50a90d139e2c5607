import { quoteIdentifier } from '@lintel/metadata';
import type { BranchRows, SelectPlan, SqlExpression, SqlTest } from '../plan/language/sql-expression.ts';
import { quoteConstant, type StatementText } from './statement-text.ts';
import { writeColumn, writeCondition, writeFrom, writeWhere } from './write-condition.ts';

/** Forms of `now()`, and no keywords: a schema that comes before `pg_catalog` can then replace it in tests. */
const NOW = {
  date: 'now()::date',
  time: 'now()::time(0)',
  timestamp: 'now()::timestamp',
  instant: 'now()',
} as const;

/** An expression, in parentheses if it needs them. */
export function writeExpression(expression: SqlExpression, statement: StatementText): string {
  const write = (one: SqlExpression): string => writeExpression(one, statement);
  switch (expression.kind) {
    case 'column':
      return writeColumn(expression.column);
    case 'parameter':
      return statement.parameter(expression.parameter);
    case 'number':
      return expression.value < 0 ? `(${expression.value})` : String(expression.value);
    case 'constant':
      return `${quoteConstant(expression.text)}::text`;
    case 'null':
      return `NULL::${expression.sqlType}`;
    case 'binary':
      return `(${write(expression.left)} ${expression.operator} ${write(expression.right)})`;
    case 'negative':
      return `(- ${write(expression.operand)})`;
    case 'call':
      return `${expression.name}(${expression.args.map(write).join(', ')})`;
    case 'cast':
      return `(${write(expression.operand)})::${expression.sqlType}`;
    case 'extract':
      return `extract(${expression.field} FROM ${write(expression.operand)})`;
    case 'trim': {
      const characters = expression.characters === undefined ? '' : `${write(expression.characters)} `;
      return `trim(${expression.side.toUpperCase()} ${characters}FROM ${write(expression.text)})`;
    }
    case 'case':
      return writeCase(expression, statement);
    case 'aggregate':
      return writeAggregate(expression, statement);
    case 'percentile':
      return `percentile_disc(${statement.parameter(expression.at)}) WITHIN GROUP (ORDER BY ${write(expression.argument)})`;
    case 'select':
      return `(${statement.inSubquery(() => writeSelect(expression.select, statement))})`;
    case 'now':
      return NOW[expression.of];
    case 'truncate':
      return `date_trunc('${expression.unit}', ${write(expression.moment)})`;
    case 'later': {
      const argument =
        expression.unit === 'minute' ? 'mins' : expression.unit === 'second' ? 'secs' : `${expression.unit}s`;
      return `(${write(expression.moment)} + make_interval(${argument} => ${write(expression.units)}))`;
    }
    case 'zoned':
      return `(${write(expression.moment)} AT TIME ZONE ${write(expression.zone)})`;
    default:
      return expression satisfies never;
  }
}

function writeCase(
  { branches, otherwise }: Extract<SqlExpression, { kind: 'case' }>,
  statement: StatementText,
): string {
  const cases = branches.map(
    ({ when, value }) => `WHEN ${writeCondition(when, statement)} THEN ${writeExpression(value, statement)}`,
  );
  const rest = otherwise === undefined ? '' : ` ELSE ${writeExpression(otherwise, statement)}`;
  return `CASE ${cases.join(' ')}${rest} END`;
}

function writeAggregate(
  { name, distinct, args }: Extract<SqlExpression, { kind: 'aggregate' }>,
  statement: StatementText,
): string {
  const written = args.map((argument) => writeExpression(argument, statement));
  const [first] = written;
  if (first === undefined) return 'count(*)';
  if (written.length === 1) return `${name}(${distinct ? 'DISTINCT ' : ''}${first})`;
  // A row of nulls is no null: keys that are not there must not be counted.
  return `count(${distinct ? 'DISTINCT ' : ''}(${written.join(', ')})) FILTER (WHERE ${first} IS NOT NULL)`;
}

/** A `SELECT` without order and limit. */
export function writeSelect(select: SelectPlan, statement: StatementText): string {
  const columns = select.columns.map(
    ({ expression, name }) => `${writeExpression(expression, statement)} AS ${quoteIdentifier(name)}`,
  );
  const from = `${writeFrom(select.from, statement)}${writeWhere(select.where, statement)}`;
  const groupBy = select.groupBy.map((expression) => writeExpression(expression, statement));
  const having = select.having.map((condition) => writeCondition(condition, statement));
  return [
    `SELECT ${select.distinct ? 'DISTINCT ' : ''}${columns.length === 0 ? '1' : columns.join(', ')} FROM ${from}`,
    groupBy.length === 0 ? '' : ` GROUP BY ${groupBy.join(', ')}`,
    having.length === 0 ? '' : ` HAVING ${having.join(' AND ')}`,
  ].join('');
}

/** A test of expressions. */
export function writeTest(test: SqlTest, statement: StatementText): string {
  const write = (one: SqlExpression): string => writeExpression(one, statement);
  const not = 'negated' in test && test.negated ? 'NOT ' : '';
  switch (test.kind) {
    case 'relation':
      return `${write(test.left)} ${test.operator} ${write(test.right)}`;
    case 'quantified':
      return `${write(test.left)} ${test.operator} ${test.quantifier.toUpperCase()} (${writeSelect(test.select, statement)})`;
    case 'pattern': {
      // Without ESCAPE the database would use the backslash as the escape character.
      const escaping = test.escape === undefined ? "''" : write(test.escape);
      return `${write(test.text)} ${not}LIKE ${write(test.pattern)} ESCAPE ${escaping}`;
    }
    case 'one-of':
      return `${write(test.value)} ${not}IN (${test.items.map(write).join(', ')})`;
    case 'one-of-array':
      return `${write(test.value)} ${test.negated ? '<> ALL' : '= ANY'} (${statement.parameter(test.parameter)})`;
    case 'one-of-select': {
      const values = test.values.map(write);
      const row = values.length === 1 ? values.join() : `(${values.join(', ')})`;
      return `${row} ${not}IN (${writeSelect(test.select, statement)})`;
    }
    case 'in-branch': {
      const { value, alias, first, next, depth, isFixed } = test;
      const isEndless = depth === undefined;
      const rows = ({ columns, from, where }: BranchRows, level: string, others = ''): string =>
        `SELECT ${columns.map(write).join(', ')}${isEndless ? '' : `, ${level}`} FROM ${others}${writeFrom(from, statement)}${writeWhere(where, statement)}`;
      const last = isEndless ? '' : ` AND ${alias}.level < ${depth}`;
      const begin = rows(first, '0');
      const following = `${rows(next, `${alias}.level + 1`, `${alias} CROSS JOIN `)}${last}`;
      // UNION ends for rows that are below themselves: others than Lintel may write the table.
      const keys = `WITH RECURSIVE ${alias} (key, link${isEndless ? '' : ', level'}) AS (${begin} UNION ${following}) SELECT key FROM ${alias}`;
      if (statement.branch === test) return `${write(value)} = ANY (ARRAY(${keys}))`;
      const isThere = `${write(value)} IN (${keys})`;
      // A value that is null is in no empty branch, but undecided; as a further test it would keep IN from being a join.
      if (statement.isNegated) return `(${isThere} OR NOT (${write(value)} = ${write(value)}))`;
      // As a join within a subquery, the branch would be read again for each row: a further test keeps it as a set.
      return isFixed && statement.isInSubquery ? `(${isThere}) IS TRUE` : isThere;
    }
    case 'absent': {
      const tests = test.values.map((value) => `${write(value)} IS ${not}NULL`);
      return tests.length === 1 ? tests.join() : `(${tests.join(test.negated ? ' OR ' : ' AND ')})`;
    }
    case 'exists-select':
      return `EXISTS (${writeSelect(test.select, statement)})`;
    default:
      return test satisfies never;
  }
}
