import { fingerprint, quoteIdentifier } from '@lintel/metadata';
import type { CountPlan, ObjectPlan, ReadPlan, ValuePlan } from '../plan/read-plan.ts';
import type { RowShape, StatementTemplate } from './compiled-statement.ts';
import { StatementText } from './statement-text.ts';
import { writeColumn, writeFrom, writeWhere } from './write-condition.ts';
import { writeMembers } from './write-value.ts';

const TEXT_SHAPE: RowShape = Object.freeze({ kind: 'text' });

/** Fifth stage: the text of the statement that answers one row for each root, with its JSON. */
export function compileRead(plan: ReadPlan): StatementTemplate {
  const statement = new StatementText();
  const members = writeMembers(plan.object.members, statement);
  const json = plan.omitNulls ? 'json_strip_nulls(row_to_json(root))' : 'row_to_json(root)';
  const version = plan.version === undefined ? '' : `, ${writeColumn(plan.version)}::text AS "version"`;
  const select = `SELECT ${json}::text AS "json"${version}`;
  const text =
    plan.page === undefined
      ? `${select} FROM ${writeFrom(plan.from, statement)} CROSS JOIN LATERAL (SELECT ${members}) root${writeWhere(plan.where, statement)}`
      : `${select} FROM (SELECT ${members} FROM ${writePage(plan, plan.page, statement)}) root`;
  return template(text, statement, needsObjects(plan.object) ? { kind: 'objects', object: plan.object } : TEXT_SHAPE);
}

/** The statement that counts, as text so that no digit is lost. */
export function compileCount(plan: CountPlan): StatementTemplate {
  const statement = new StatementText();
  return template(`SELECT count(*)::text AS "count" FROM ${writeTables(plan, statement)}`, statement, TEXT_SHAPE);
}

const writeTables = (plan: Pick<ReadPlan, 'from' | 'where'>, statement: StatementText): string =>
  `${writeFrom(plan.from, statement)}${writeWhere(plan.where, statement)}`;

function writePage(plan: ReadPlan, page: NonNullable<ReadPlan['page']>, statement: StatementText): string {
  const columns = page.columns.map(({ column, name }) => `${writeColumn(column)} AS ${quoteIdentifier(name)}`);
  const tables = writeTables(plan, statement);
  const order = plan.orderBy.map(({ column, descending }) => `${writeColumn(column)}${descending ? ' DESC' : ''}`);
  const orderBy = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;
  const paging = plan.limited
    ? ` LIMIT ${statement.parameter({ source: { kind: 'limit' }, sqlType: 'bigint' })} OFFSET ${statement.parameter({ source: { kind: 'offset' }, sqlType: 'bigint' })}`
    : '';
  return `(SELECT ${columns.join(', ')} FROM ${tables}${orderBy}${paging}) ${page.alias}`;
}

function template(text: string, statement: StatementText, shape: RowShape): StatementTemplate {
  let name: string | undefined;
  return Object.freeze({
    // Made when it is first asked for: a shape that comes once needs none.
    get name(): string {
      name ??= `q${fingerprint(text)}`;
      return name;
    },
    text,
    sources: statement.sources(),
    shape,
  });
}

const known = new WeakMap<ObjectPlan, boolean>();

/** Whether something in the object is left to the shape stage; found out once for each plan. */
export function needsObjects(object: ObjectPlan): boolean {
  const answer = known.get(object);
  if (answer !== undefined) return answer;
  const needed = object.predicates.length > 0 || object.members.some(({ value }) => valueNeedsObjects(value));
  known.set(object, needed);
  return needed;
}

/** Whether something in the value is left to the shape stage. */
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
      return false;
    default:
      return value satisfies never;
  }
}
