import { badRequest } from '../protocol/scim-failure.ts';
import type { Comparison, Filter, FilterValue } from './filter.ts';

/** How an attribute is stored: an expression of SQL without any part of a request. */
export interface AttributeColumn {
  readonly sql: string;
  /** `text` has no case, `exact` has; `relation` is a subquery up to a condition on `sql`, and knows `eq` and `pr` only. */
  readonly kind: 'text' | 'exact' | 'id' | 'boolean' | 'date' | 'relation';
  /** Of a relation: `SELECT … WHERE …`. */
  readonly from?: string;
}

export type AttributeColumns = ReadonlyMap<string, AttributeColumn>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/**
 * Compiles a filter into a condition. Values become parameters, which are added to `parameters`; paths only select
 * columns.
 *
 * @throws ScimFailure invalidFilter for an attribute that is not known, or a value of another type
 */
export function compileFilter(filter: Filter, columns: AttributeColumns, parameters: unknown[]): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${filter.terms.map((term) => compileFilter(term, columns, parameters)).join(filter.kind === 'and' ? ' AND ' : ' OR ')})`;
    case 'not':
      return negation(compileFilter(filter.term, columns, parameters));
    case 'present':
      return presence(columnOf(filter.path, columns));
    case 'compare': {
      const { path, comparison, value } = filter;
      const column = columnOf(path, columns);
      // An attribute without a value is not equal to any.
      if (value === null && (comparison === 'eq' || comparison === 'ne'))
        return comparison === 'eq' ? `NOT ${presence(column)}` : presence(column);
      if (comparison === 'ne') return negation(comparisonOf({ path, comparison: 'eq', value }, column, parameters));
      return comparisonOf({ path, comparison, value }, column, parameters);
    }
    default:
      return filter satisfies never;
  }
}

/** A comparison with an attribute that has no value is NULL; only here it must be false, and indexes stay usable. */
const negation = (condition: string): string => `NOT coalesce(${condition}, false)`;

export function columnOf(path: string, columns: AttributeColumns): AttributeColumn {
  const column = columns.get(path);
  if (column === undefined) throw badRequest('invalidFilter', `filter: the attribute ${path} is not known`);
  return column;
}

function presence({ sql, kind, from }: AttributeColumn): string {
  if (kind === 'relation') return `EXISTS (${from})`;
  return kind === 'text' || kind === 'exact' ? `(coalesce(${sql}, '') <> '')` : `(${sql} IS NOT NULL)`;
}

interface Compared {
  readonly path: string;
  readonly comparison: Exclude<Comparison, 'ne'>;
  readonly value: FilterValue;
}

function comparisonOf(compared: Compared, column: AttributeColumn, parameters: unknown[]): string {
  const { path, comparison, value } = compared;
  const wrong = (expected: string) => badRequest('invalidFilter', `filter: ${path} ${comparison} needs ${expected}`);
  const bind = (bound: unknown, type: string): string => `$${parameters.push(bound)}::${type}`;
  const { sql, kind } = column;
  if (kind === 'boolean') {
    const isTrue = typeof value === 'string' ? value.toLowerCase() === 'true' : value;
    if (comparison !== 'eq') throw badRequest('invalidFilter', `filter: ${path} has only eq, ne and pr`);
    if (typeof isTrue !== 'boolean' || (typeof value === 'string' && !/^(?:true|false)$/i.test(value)))
      throw wrong('true or false');
    return `${sql} = ${bind(isTrue, 'boolean')}`;
  }
  if (typeof value !== 'string') throw wrong('a text in quotes');
  if (kind === 'date') {
    if (comparison === 'co' || comparison === 'sw' || comparison === 'ew')
      throw badRequest('invalidFilter', `filter: ${path} has no ${comparison}`);
    const time = timeOf(value);
    if (time === undefined) throw wrong('a date and time in the years 1 to 9999');
    return `${sql} ${OPERATORS[comparison]} ${bind(time, 'timestamptz')}`;
  }
  if (kind === 'relation') {
    if (comparison !== 'eq') throw badRequest('invalidFilter', `filter: ${path} has only eq, ne and pr`);
    return isUuid(value) ? `EXISTS (${column.from} AND ${sql} = ${bind(value, 'uuid')})` : 'false';
  }
  if (kind === 'id' && comparison === 'eq') return isUuid(value) ? `(${sql} = ${bind(value, 'uuid')})` : 'false';
  const isExact = kind === 'exact';
  const text = kind === 'id' ? `${sql}::text` : sql;
  const left = isExact ? text : `lower(${text})`;
  const right = isExact ? bind(value, 'text') : `lower(${bind(value, 'text')})`;
  return textComparison(comparison, left, right);
}

/** A time in UTC as PostgreSQL accepts it: an offset may lead to another year. */
function timeOf(value: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d/.test(value) || Number.isNaN(Date.parse(value))) return undefined;
  const time = new Date(value).toISOString();
  return /^(?!0000)\d{4}-/.test(time) ? time : undefined;
}

const OPERATORS = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

/** No pattern is made of a value. */
function textComparison(comparison: Exclude<Comparison, 'ne'>, left: string, right: string): string {
  switch (comparison) {
    case 'co':
      return `strpos(${left}, ${right}) > 0`;
    case 'sw':
      return `starts_with(${left}, ${right})`;
    case 'ew':
      return `right(${left}, length(${right})) = ${right}`;
    default:
      return `${left} ${OPERATORS[comparison]} ${right}`;
  }
}
