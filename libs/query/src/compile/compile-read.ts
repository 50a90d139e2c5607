import { fingerprint, quoteIdentifier } from '@lintel/metadata';
import type { OrderPlan } from '../plan/language/sql-expression.ts';
import type { Parameter } from '../plan/parameter.ts';
import type { CountPlan, ObjectPlan, ReadPlan, SortPlan, SqlCondition, ValuePlan } from '../plan/read-plan.ts';
import type { RowShape, StatementTemplate } from './compiled-statement.ts';
import { type ResultBounds, StatementText, type TableInSql } from './statement-text.ts';
import { writeColumn, writeFrom, writeTable, writeWhere } from './write-condition.ts';
import { writeExpression } from './write-expression.ts';
import { isFlatObject, writeFlatObject } from './write-flat-object.ts';
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

/** The statement that returns the planner's estimate of the number of rows. */
export function compileEstimate(plan: CountPlan): StatementTemplate {
  const statement = new StatementText();
  return template(`EXPLAIN (FORMAT JSON) SELECT FROM ${writeTables(plan, statement)}`, statement, TEXT_SHAPE);
}

const writeTables = (plan: Pick<ReadPlan, 'from' | 'where'>, statement: StatementText): string =>
  `${writeFrom(plan.from, statement)}${writeWhere(plan.where, statement)}`;

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

/** Rows that show whether many have the beginning of a word, and rows that are tested if they do. */
const PREFIX = { sample: 40, frequent: 10, tested: 5_000 } as const;

/**
 * Any matches of a search, as many as are ranked. An index collects all rows with a beginning of a word before it returns
 * the first one, which takes seconds if a million have it. So if many of the first rows match, rows are tested without
 * it; where they are too few, they do not count.
 */
function writeMatches(
  plan: ReadPlan,
  columns: string,
  { last, before }: { readonly last: string; readonly before: string },
  statement: StatementText,
): string {
  const page = `${last} + ${before}`;
  const limit = `LIMIT greatest(${RANKED_MATCHES}, ${page})`;
  if (!plan.where.some(isByPrefix)) return `SELECT ${columns} FROM ${writeTables(plan, statement)} ${limit}`;
  const table = writeTable(plan.from.table, statement);
  const first = (rows: number, where = ''): string =>
    `${writeFrom(plan.from, statement, `(SELECT * FROM ${table}${where} LIMIT ${rows})`)}${writeWhere(plan.where, statement)}`;
  const isFrequent = `(SELECT count(*) >= ${PREFIX.frequent} FROM ${first(PREFIX.sample)})`;
  const near = `SELECT ${columns} FROM ${first(PREFIX.tested, ` WHERE ${page} <= ${RANKED_MATCHES} AND ${isFrequent}`)} LIMIT ${RANKED_MATCHES}`;
  const count = '(SELECT count(*) FROM near)';
  const rest = `SELECT ${columns} FROM ${writeTables(plan, statement)} AND ${count} < ${RANKED_MATCHES} ${limit}`;
  return `WITH near AS MATERIALIZED (${near}) SELECT * FROM near WHERE ${count} = ${RANKED_MATCHES} UNION ALL (${rest})`;
}

/** Whether rows are found by words alone, the last one of which may be the beginning of one. */
function isByPrefix(condition: SqlCondition): boolean {
  if (condition.kind === 'search')
    return condition.query.source.kind === 'search' && condition.query.source.prefix !== '';
  return (
    (condition.kind === 'and' || (condition.kind === 'or' && condition.conditions.length === 1)) &&
    condition.conditions.some(isByPrefix)
  );
}

/** The rows of the page, as a table. */
export function writePage(plan: ReadPlan, page: NonNullable<ReadPlan['page']>, statement: StatementText): string {
  const columns = page.columns.map(({ column, name }) => `${writeColumn(column)} AS ${quoteIdentifier(name)}`);
  const limit = (): string => (plan.limited ? ` LIMIT ${statement.parameter(LIMIT)}` : '');
  const rows = (where: readonly SqlCondition[]): string =>
    `SELECT ${columns.join(', ')} FROM ${writeTables({ ...plan, where }, statement)}${writeOrder(plan.orderBy, statement)}${limit()}`;
  const { candidates } = plan;
  if (candidates !== undefined) {
    const [last, before] = [statement.parameter(LIMIT), statement.parameter(OFFSET)];
    const found = writeMatches(plan, columns.join(', '), { last, before }, statement);
    const after = plan.after?.ranges.map((conditions) => ({ kind: 'and', conditions }) as const);
    const where = writeWhere(after === undefined ? [] : [{ kind: 'or', conditions: after }], statement);
    return `(SELECT * FROM (${found}) ${page.alias}${where}${writeOrder(candidates, statement)} LIMIT ${last} OFFSET ${before}) ${page.alias}`;
  }
  if (plan.after === undefined) {
    const first = rows(plan.where);
    const offset = plan.limited ? ` OFFSET ${statement.parameter(OFFSET)}` : '';
    return `(${first}${offset}) ${page.alias}`;
  }
  const ranges = plan.after.ranges.map((conditions) => `(${rows([...plan.where, ...conditions])})`);
  if (ranges.length === 1) return `${ranges[0]} ${page.alias}`;
  // The ranges are in order, but only ORDER BY guarantees it.
  const order = writeOrder(plan.after.orderBy, statement);
  return `(SELECT * FROM (${ranges.join(' UNION ALL ')}) ${page.alias}${order}${limit()}) ${page.alias}`;
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
