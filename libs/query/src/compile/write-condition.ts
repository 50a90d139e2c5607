import { quoteIdentifier, quoteTable } from '@lintel/metadata';
import type { Column, FillPlan, From, SqlCondition, TallyPlan } from '../plan/read-plan.ts';
import { entityNameText, entityTestText } from './discriminator-text.ts';
import { quoteConstant, type StatementText } from './statement-text.ts';
import { writeSelect, writeTest } from './write-expression.ts';
import { writeJsonTest } from './write-json-test.ts';
import { writeRank, writeSearch } from './write-search.ts';

/** A column by its alias; a discriminator as the name of the entity, null if it stands for none. */
export function writeColumn({ alias, name, readAs, lowerCase, comparedAs, entities }: Column): string {
  const column = `${alias}.${quoteIdentifier(name)}`;
  if (entities !== undefined) return entityNameText(column, entities);
  if (lowerCase === true) return `lower(${column}::text)`;
  if (comparedAs !== undefined) return `${column}::${comparedAs}`;
  if (readAs === undefined) return column;
  if (typeof readAs === 'string') return `${column}::${readAs}`;
  const [yes, no] = [readAs.true, readAs.false].map((value) => quoteConstant(String(value)));
  return `(CASE ${column} WHEN ${yes} THEN TRUE WHEN ${no} THEN FALSE END)`;
}

/** A table with what is joined to it; `rows` are read instead of the table. */
export function writeFrom(from: From, statement: StatementText, rows?: string): string {
  const table = rows ?? writeTable(from.table, statement);
  const joins = from.joins.map((join) => {
    const joined = writeFrom(join.from, statement);
    const group = join.from.joins.length === 0 ? joined : `(${joined})`;
    return ` ${join.kind === 'left' ? 'LEFT JOIN' : 'JOIN'} ${group} ON ${writeAll(join.on, statement)}`;
  });
  const columns = 'unnest' in from.table ? ' (value, position)' : '';
  return `${table} ${from.alias}${columns}${joins.join('')}`;
}

export function writeTable(table: From['table'], statement: StatementText): string {
  if ('tests' in table) return writeTally(table, statement);
  if ('fill' in table) return writeFill(table, statement);
  if ('rank' in table) return `LATERAL (SELECT ${writeRank(table.rank, statement)} AS rank)`;
  if ('unnest' in table) return `unnest(${writeColumn(table.unnest)}) WITH ORDINALITY`;
  return 'columns' in table
    ? `(${writeSelect(table, statement)})`
    : (statement.tableInSql?.(table) ?? quoteTable(table));
}

function writeTally({ from, where, keys, tests }: TallyPlan, statement: StatementText): string {
  const rows = statement.inSubquery(() => {
    const flags = tests.map((test, at) => `bool_or(${writeCondition(test, statement)}) AS b${at}`);
    const columns = [...keys.map((key, at) => `${writeColumn(key)} AS k${at}`), ...flags].join(', ');
    return `SELECT ${columns} FROM ${writeFrom(from, statement)}${writeWhere(where, statement)}`;
  });
  return keys.length === 0 ? `LATERAL (${rows})` : `(${rows} GROUP BY ${keys.map(writeColumn).join(', ')})`;
}

/** Each row is followed by the units until the next one with the same groups; the first one also begins them. */
function writeFill({ fill, column, unit, units, groups, zeros }: FillPlan, statement: StatementText): string {
  const isOwn = 'unit IS NULL OR unit = own';
  const columns = fill.columns.map(({ name }) => {
    const quoted = quoteIdentifier(name);
    if (units.includes(name)) return `COALESCE(unit::date, ${quoted}) AS ${quoted}`;
    if (groups.includes(name)) return quoted;
    return `CASE WHEN ${isOwn} THEN ${quoted}${zeros.includes(name) ? ' ELSE 0' : ''} END AS ${quoted}`;
  });
  const step = `interval '${unit === 'quarter' ? '3 month' : `1 ${unit}`}'`;
  const partition = groups.length === 0 ? '' : `PARTITION BY ${groups.map(quoteIdentifier).join(', ')} `;
  // Infinite dates have no next one.
  const own = `SELECT *, CASE WHEN isfinite(${quoteIdentifier(column)}) THEN ${quoteIdentifier(column)} END AS own FROM (${writeSelect(fill, statement)}) grouped`;
  const near = `SELECT *, lag(own) OVER near AS before, lead(own) OVER near AS after, min(own) OVER () AS first, max(own) OVER () AS last FROM (${own}) owned WINDOW near AS (${partition}ORDER BY own)`;
  const series = `generate_series((CASE WHEN before IS NULL THEN first ELSE own END)::timestamp, COALESCE(after - ${step}, last), ${step})`;
  return `(SELECT ${columns.join(', ')} FROM (${near}) neighbours LEFT JOIN LATERAL ${series} unit ON own IS NOT NULL)`;
}

/** Conditions joined by AND. */
export const writeAll = (conditions: readonly SqlCondition[], statement: StatementText): string =>
  conditions.length === 0 ? 'TRUE' : conditions.map((condition) => writeCondition(condition, statement)).join(' AND ');

export const writeWhere = (conditions: readonly SqlCondition[], statement: StatementText): string =>
  conditions.length === 0 ? '' : ` WHERE ${writeAll(conditions, statement)}`;

/** A condition, in parentheses if it needs them. */
export function writeCondition(condition: SqlCondition, statement: StatementText): string {
  switch (condition.kind) {
    case 'constant':
      return condition.value ? 'TRUE' : 'FALSE';
    case 'and':
    case 'or':
      return writeGroup(condition.kind, condition.conditions, statement);
    case 'not':
      return statement.negated(() => writeCondition(condition.condition, statement));
    case 'not-true':
      return `(${writeCondition(condition.condition, statement)}) IS NOT TRUE`;
    case 'same':
      return `${writeColumn(condition.left)} = ${writeColumn(condition.right)}`;
    case 'compare':
      return `${writeColumn(condition.column)} ${condition.operator} ${statement.parameter(condition.parameter)}`;
    case 'like':
      return `lower(${writeColumn(condition.column)}::text) ${condition.negated ? 'NOT LIKE' : 'LIKE'} lower(${statement.parameter(condition.parameter)})`;
    case 'prefix': {
      // A range by code points: the search index of an attribute serves it, under a generic plan, too.
      const text = `lower(${writeColumn(condition.column)}::text)`;
      const [first, end] = [statement.parameter(condition.first), statement.parameter(condition.end)];
      return `(${text} ~>=~ lower(${first}) AND ${text} ~<=~ lower(${end}))`;
    }
    case 'any':
      return `${writeColumn(condition.column)} ${condition.negated ? '<> ALL' : '= ANY'} (${statement.parameter(condition.parameter)})`;
    case 'array': {
      // Not an EXISTS of the elements: an index of the array serves these operators.
      const parameter = statement.parameter(condition.parameter);
      const [operator, values] = condition.has === 'value' ? ['@>', `ARRAY[${parameter}]`] : ['&&', parameter];
      const column = writeColumn(condition.column);
      // False without an array, so that its negation is true, as that of an EXISTS is.
      return `(${column} IS NOT NULL AND ${column} ${operator} ${values}::${condition.elementType}[])`;
    }
    case 'row-any': {
      const columns = condition.columns.map(writeColumn).join(', ');
      const arrays = condition.parameters.map((parameter) => statement.parameter(parameter)).join(', ');
      return `(${columns}) ${condition.negated ? 'NOT IN' : 'IN'} (SELECT * FROM unnest(${arrays}))`;
    }
    case 'null':
      return writeNullTest(condition.columns, condition.negated);
    case 'named':
      return entityTestText(
        writeColumn({ ...condition.column, entities: undefined }),
        condition.column.entities,
        condition.names,
      );
    case 'exists': {
      const { from, where } = condition;
      const rows = statement.inSubquery(() => `${writeFrom(from, statement)}${writeWhere(where, statement)}`);
      const exists = `EXISTS (SELECT 1 FROM ${rows})`;
      return condition.isApart ? `(${exists}) IS TRUE` : exists;
    }
    case 'json': {
      const { column, path, test } = condition;
      return writeJsonTest(writeColumn(column), statement.parameter(path), test, statement);
    }
    case 'search':
      return writeSearch(condition, statement);
    case 'among':
      return `${writeColumn(condition.column)} = ANY (ARRAY(SELECT ${writeColumn(condition.value)} FROM ${writeFrom(condition.from, statement)}${writeWhere(condition.where, statement)}))`;
    case 'flag':
      return `COALESCE(${writeColumn(condition.column)}, FALSE)`;
    default:
      return writeTest(condition, statement);
  }
}

function writeGroup(kind: 'and' | 'or', conditions: readonly SqlCondition[], statement: StatementText): string {
  if (conditions.length === 0) return kind === 'and' ? 'TRUE' : 'FALSE';
  const parts = conditions.map((condition) => writeCondition(condition, statement));
  return `(${parts.join(kind === 'and' ? ' AND ' : ' OR ')})`;
}

function writeNullTest(columns: readonly Column[], negated: boolean): string {
  const tests = columns.map((column) => `${writeColumn(column)} IS ${negated ? 'NOT ' : ''}NULL`);
  return tests.length === 1 ? (tests[0] ?? 'TRUE') : `(${tests.join(negated ? ' OR ' : ' AND ')})`;
}
