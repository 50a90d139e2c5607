import { fingerprint, quoteIdentifier } from '@lintel/metadata';
import type { OrderPlan } from '../plan/language/sql-expression.ts';
import type { Parameter } from '../plan/parameter.ts';
import type { CountPlan, From, ObjectPlan, ReadPlan, SortPlan, SqlCondition, ValuePlan } from '../plan/read-plan.ts';
import type { RowShape, StatementTemplate } from './compiled-statement.ts';
import { type ResultBounds, StatementText, type TableInSql } from './statement-text.ts';
import { writeAll, writeColumn, writeFrom, writeTable, writeWhere } from './write-condition.ts';
import { writeExpression } from './write-expression.ts';
import { isFlatObject, writeFlatObject } from './write-flat-object.ts';
import { writeParts, writeTest } from './write-search.ts';
import { writeMembers } from './write-value.ts';

/** The columns of `root` as members, nulls included: leaving them out is cheaper later (`withoutNulls`). */
const JSON_COLUMN = 'row_to_json(root)::text AS "json"';
const TEXT_SHAPE: RowShape = Object.freeze({ kind: 'text', hasNulls: true });
const FLAT_SHAPE: RowShape = Object.freeze({ kind: 'text', hasNulls: false });

/**
 * Fifth stage: the text of the statement that returns one row for each root, with its JSON.
 *
 * @param bounds of its collections: the statement fails for a row that exceeds them
 * @param withNulls absent values are null in the response; otherwise the statement may leave them out
 * @param tableInSql of one instance: what is read instead of tables
 */
export function compileRead(
  plan: ReadPlan,
  bounds?: ResultBounds,
  withNulls = true,
  tableInSql?: TableInSql,
): StatementTemplate {
  const { object } = plan;
  if (plan.page !== undefined && !withNulls && isFlatObject(object.members) && !needsObjects(object))
    return compileFlatPage(plan, plan.page);
  const statement = new StatementText(bounds, tableInSql);
  const members = writeMembers(plan.object.members, statement);
  const version = plan.version === undefined ? '' : `, ${writeColumn(plan.version)}::text AS "version"`;
  const shape: RowShape = needsObjects(plan.object) ? { kind: 'objects', object: plan.object } : TEXT_SHAPE;
  if (plan.page === undefined) {
    const from = `${writeFrom(plan.from, statement)} CROSS JOIN LATERAL (SELECT ${members}) root`;
    const text = `SELECT ${JSON_COLUMN}${version} FROM ${from}${writeWhere(plan.where, statement)}`;
    return template(text, statement, shape);
  }
  const position = writePosition(plan);
  const page = writePage(plan, plan.page, statement);
  const text =
    position === ''
      ? `SELECT ${JSON_COLUMN} FROM (SELECT ${members} FROM ${page}) root`
      : `SELECT ${JSON_COLUMN}, ${position} FROM ${page} CROSS JOIN LATERAL (SELECT ${members}) root`;
  return template(text, statement, shape, plan);
}

/** The same for a page whose rows have no objects or collections in them. */
function compileFlatPage(plan: ReadPlan, pageOfPlan: NonNullable<ReadPlan['page']>): StatementTemplate {
  const statement = new StatementText();
  const json = writeFlatObject(plan.object.members, statement);
  const page = writePage(plan, pageOfPlan, statement);
  const position = writePosition(plan);
  const text = `SELECT ${json} AS "json"${position === '' ? '' : `, ${position}`} FROM ${page}`;
  return template(text, statement, FLAT_SHAPE, plan);
}

/** The statement that returns where a full page ends: the position of its last row; no row for a shorter page. */
export function compileEnd(plan: ReadPlan): StatementTemplate {
  if (plan.page === undefined || !plan.limited) throw new Error('Only a page has an end');
  const statement = new StatementText();
  const page = writePage(plan, plan.page, statement);
  const text = `SELECT ${writePosition(plan)} FROM ${page} OFFSET ${statement.parameter(LIMIT)} - 1`;
  return template(text, statement, TEXT_SHAPE, plan);
}

const writePosition = ({ position }: ReadPlan): string =>
  position.map((column, at) => `${writeColumn(column)}::text AS "position_${at}"`).join(', ');

/** The statement that counts, as text so that no digit is lost. */
export function compileCount(plan: CountPlan): StatementTemplate {
  const statement = new StatementText();
  return template(`SELECT count(*)::text AS "count" FROM ${writeTables(plan, statement)}`, statement, TEXT_SHAPE);
}

/** The statement that returns whether one of several reads finds a row. */
export function compileAny(plans: readonly CountPlan[]): StatementTemplate {
  const statement = new StatementText();
  const tests = plans.map((plan) => `EXISTS (SELECT 1 FROM ${writeTables(plan, statement)})`);
  return template(`SELECT ${tests.join(' OR ')} AS "found"`, statement, TEXT_SHAPE);
}

/** The statement that returns the planner's estimate of the number of rows: for any array of a branch it would be 10. */
export function compileEstimate({ from, where }: CountPlan): StatementTemplate {
  const statement = new StatementText();
  const rows = `${writeFrom(from, statement)}${writeWhere(searched(where, { parts: undefined }), statement)}`;
  return template(`EXPLAIN (FORMAT JSON) SELECT FROM ${rows}`, statement, TEXT_SHAPE);
}

const writeTables = (
  { from, where }: Pick<ReadPlan, 'from' | 'where'>,
  statement: StatementText,
  { rows, test }: Pick<RowsInstead, 'rows' | 'test'> = {},
): string => {
  statement.branch ??= statement.tableInSql === undefined ? branchOf(where, from) : undefined;
  const tables = writeFrom(from, statement, rows);
  return test === undefined
    ? `${tables}${writeWhere(where, statement)}`
    : `${tables} WHERE ${test} AND ${writeAll(where, statement)}`;
};

/**
 * The branch of a tree in which all rows are, if their keys are tested by no other list: rows are read in the order of
 * the keys, and a page ends with its last row; a join reads all rows of a branch. A test that no index serves searches
 * the array for each row.
 */
function branchOf(where: readonly SqlCondition[], { alias }: From): SqlCondition | undefined {
  const all = withMembers(where);
  return all.find((condition) => {
    if (condition.kind !== 'in-branch' || !condition.isFixed || condition.value.kind !== 'column') return false;
    const { column } = condition.value;
    const [key] = condition.first.columns;
    const isKey = column.alias === alias && key?.kind === 'column' && key.column.name === column.name;
    return isKey && !all.some((other) => other.kind === 'any' && other.column.name === column.name);
  });
}

/** Conditions that all rows meet. */
const withMembers = (conditions: readonly SqlCondition[]): readonly SqlCondition[] =>
  conditions.flatMap((condition) =>
    condition.kind === 'and' || (condition.kind === 'or' && condition.conditions.length === 1)
      ? withMembers(condition.conditions)
      : [condition],
  );

type Search = Extract<SqlCondition, { kind: 'search' }>;

const searchIn = (where: readonly SqlCondition[]): Search | undefined =>
  withMembers(where).find((condition) => condition.kind === 'search');

/** Conditions whose search is done otherwise. */
const searched = (where: readonly SqlCondition[], as: Partial<Search>): readonly SqlCondition[] =>
  searchIn(where) === undefined
    ? where
    : withMembers(where).map((one) => (one.kind === 'search' ? { ...one, ...as } : one));

const LIMIT: Parameter = Object.freeze({ source: Object.freeze({ kind: 'limit' }), sqlType: 'bigint' });
const OFFSET: Parameter = Object.freeze({ source: Object.freeze({ kind: 'offset' }), sqlType: 'bigint' });

function writeOrder(orderBy: readonly (SortPlan | OrderPlan)[], statement: StatementText): string {
  if (orderBy.length === 0) return '';
  const keys = orderBy.map((key) => {
    const direction = key.descending ? ' DESC' : '';
    if ('column' in key) return `${writeColumn(key.column)}${direction}`;
    const nulls = key.nulls === undefined ? '' : ` NULLS ${key.nulls.toUpperCase()}`;
    return `${writeExpression(key.expression, statement)}${direction}${nulls}`;
  });
  return ` ORDER BY ${keys.join(', ')}`;
}

/** Matches of a search that are ranked at least, if there are so many: ranking takes about 0.05 ms for a short text. */
export const RANKED_MATCHES = 1_000;

/** Rows that are tested for matches at most, if many have the beginning of a word. */
const TESTED = 5_000;

/**
 * Any matches of a search, as many as are ranked. If many rows have the beginning of a word, rows with the other words are
 * tested without it, or any if there are no others. They count if they are enough, or all that there are.
 */
function writeMatches(
  plan: ReadPlan,
  columns: string,
  { last, before }: { readonly last: string; readonly before: string },
  statement: StatementText,
): string {
  const page = `${last} + ${before}`;
  const limit = `LIMIT greatest(${RANKED_MATCHES}, ${page})`;
  const search = searchIn(plan.where);
  if (search?.parts === undefined) return `SELECT ${columns} FROM ${writeTables(plan, statement)} ${limit}`;
  const { alias } = plan.from;
  const parts = writeParts(search, search.parts, statement);
  const where = searched(plan.where, { isWhole: true });
  const table = writeTable(plan.from.table, statement);
  // Texts of an ancestor can be in another table, which is joined.
  const isHere = parts.alias === alias;
  const hasOthers = isHere ? parts.hasOthers() : 'FALSE';
  const rows = (isFor: string) => `SELECT * FROM ${table} ${alias} WHERE (SELECT is_frequent AND ${isFor} FROM words)`;
  const tested = isHere
    ? `${rows('NOT has_others')} UNION ALL ${rows('has_others')} AND ${parts.by(parts.others())}`
    : rows('TRUE');
  const isAll = `(SELECT is_frequent AND has_others AND (SELECT count(*) < ${TESTED} FROM tested) FROM words)`;
  return `WITH words AS MATERIALIZED (SELECT ${page} <= ${RANKED_MATCHES} AND ${parts.isFrequent()} AS is_frequent, ${hasOthers} AS has_others), tested AS MATERIALIZED (SELECT * FROM (${tested}) ${alias} LIMIT ${TESTED}), near AS MATERIALIZED (SELECT ${columns} FROM ${writeFrom(plan.from, statement, 'tested')}${writeWhere(where, statement)} LIMIT ${RANKED_MATCHES}), enough AS MATERIALIZED (SELECT count(*) = ${RANKED_MATCHES} OR ${isAll} AS is_so FROM near) SELECT * FROM near WHERE (SELECT is_so FROM enough) UNION ALL (SELECT ${columns} FROM ${writeTables({ ...plan, where }, statement)} AND NOT (SELECT is_so FROM enough) ${limit})`;
}

/** Rows of a page, which are read instead of the table. */
interface RowsInstead {
  readonly rows?: string;
  readonly where: readonly SqlCondition[];
  /** A further condition. */
  readonly test?: string;
}

/**
 * Two ways to the rows of a sorted page, of which one has rows: a few that a search finds are sorted; of others the page
 * is full soon in the order of an index, in which a few would be found last.
 */
function writeWays(plan: ReadPlan, statement: StatementText): { readonly first: string; readonly ways: RowsInstead[] } {
  const { where, from, limited, orderBy } = plan;
  const search = searchIn(where);
  const isHere = search?.columns.every(({ column }) => column.alias === from.alias);
  const isSorted = limited && orderBy.length > 0 && statement.tableInSql === undefined;
  if (search?.parts === undefined || !isHere || !isSorted) return { first: '', ways: [{ where }] };
  const { isFrequent, hasOthers, others, all, rowsBy, few } = writeParts(search, search.parts, statement);
  const query = `CASE WHEN NOT is_so THEN ${all()} WHEN ${hasOthers()} THEN ${others()} END`;
  const tested = `${rowsBy('(SELECT query FROM words)')} LIMIT ${few}`;
  const isFew = `(SELECT query IS NOT NULL AND (SELECT count(*) FROM tested) < ${few} FROM words)`;
  const test = writeTest(search, '(SELECT is_so FROM frequent)', statement);
  return {
    first: `WITH frequent AS MATERIALIZED (SELECT ${isFrequent()} AS is_so), words AS MATERIALIZED (SELECT ${query} AS query FROM frequent), tested AS MATERIALIZED (${tested}) `,
    ways: [
      {
        rows: 'tested',
        where: withMembers(where).filter((one) => one !== search),
        test: `${isFew} AND ${test}`,
      },
      { where: searched(where, { isWhole: true }), test: `NOT ${isFew}` },
    ],
  };
}

/** The rows of the page, as a table. */
export function writePage(plan: ReadPlan, page: NonNullable<ReadPlan['page']>, statement: StatementText): string {
  const columns = page.columns.map(({ column, name }) => `${writeColumn(column)} AS ${quoteIdentifier(name)}`);
  const limit = (): string => (plan.limited ? ` LIMIT ${statement.parameter(LIMIT)}` : '');
  const { candidates } = plan;
  if (candidates !== undefined) {
    const [last, before] = [statement.parameter(LIMIT), statement.parameter(OFFSET)];
    const found = writeMatches(plan, columns.join(', '), { last, before }, statement);
    const after = plan.after?.ranges.map((conditions) => ({ kind: 'and', conditions }) as const);
    const where = writeWhere(after === undefined ? [] : [{ kind: 'or', conditions: after }], statement);
    return `(SELECT * FROM (${found}) ${page.alias}${where}${writeOrder(candidates, statement)} LIMIT ${last} OFFSET ${before}) ${page.alias}`;
  }
  const { first, ways } = writeWays(plan, statement);
  const rows = (conditions: readonly SqlCondition[], end = () => ''): readonly string[] =>
    ways.map((way) => {
      const tables = writeTables({ ...plan, where: [...way.where, ...conditions] }, statement, way);
      return `SELECT ${columns.join(', ')} FROM ${tables}${writeOrder(plan.orderBy, statement)}${limit()}${end()}`;
    });
  if (plan.after === undefined) {
    const [only = '', ...more] = rows([], () => (plan.limited ? ` OFFSET ${statement.parameter(OFFSET)}` : ''));
    const text = more.length === 0 ? only : [only, ...more].map((one) => `(${one})`).join(' UNION ALL ');
    return `(${first}${text}) ${page.alias}`;
  }
  const ranges = plan.after.ranges.flatMap((conditions) => rows(conditions).map((range) => `(${range})`));
  if (ranges.length === 1) return `${ranges[0]} ${page.alias}`;
  // The ranges are in order, but only ORDER BY guarantees it.
  const order = writeOrder(plan.after.orderBy, statement);
  return `(${first}SELECT * FROM (${ranges.join(' UNION ALL ')}) ${page.alias}${order}${limit()}) ${page.alias}`;
}

/** A statement with its parameters. */
export function template(
  text: string,
  statement: StatementText,
  shape: RowShape,
  { order, position }: Pick<ReadPlan, 'order' | 'position'> = { order: '', position: [] },
): StatementTemplate {
  let name: string | undefined;
  return Object.freeze({
    // Computed at its first use: a shape that is used once needs no name.
    get name(): string {
      name ??= `q${fingerprint(text)}`;
      return name;
    },
    text,
    sources: statement.sources(),
    shape,
    order,
    positionColumns: position.length,
  });
}

const known = new WeakMap<ObjectPlan, boolean>();

/** Whether the shape stage must complete the object; determined once for each plan. */
export function needsObjects(object: ObjectPlan): boolean {
  const value = known.get(object);
  if (value !== undefined) return value;
  const needed =
    object.token !== undefined ||
    object.policies.length > 0 ||
    object.members.some(({ value }) => valueNeedsObjects(value));
  known.set(object, needed);
  return needed;
}

/** Whether the shape stage must complete the value. */
export function valueNeedsObjects(value: ValuePlan): boolean {
  switch (value.kind) {
    case 'name':
      return value.recipe !== undefined;
    case 'computed':
      return value.attribute.kind === 'datatype' && value.attribute.compute !== undefined;
    case 'object':
    case 'one':
    case 'many':
      return needsObjects(value.object);
    case 'constant':
    case 'column':
    case 'elements':
    case 'count':
    case 'names':
    case 'highlights':
    case 'scalar':
      return false;
    default:
      return value satisfies never;
  }
}
