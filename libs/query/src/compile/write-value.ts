import { type Datatype, type Enumeration, quoteIdentifier } from '@lintel/metadata';
import { temporalText } from '../literals/temporal-text.ts';
import type {
  Column,
  ColumnFormat,
  MemberPlan,
  NamePlan,
  ObjectPlan,
  SortPlan,
  TextFormat,
  TextPlan,
  ValuePlan,
} from '../plan/read-plan.ts';
import { quoteConstant, type ResultBounds, type StatementText } from './statement-text.ts';
import { writeAll, writeColumn, writeFrom, writeWhere } from './write-condition.ts';
import { writeDisplay } from './write-display.ts';
import { writeHighlights } from './write-highlights.ts';

type DatatypeFormat = Extract<ColumnFormat, { readonly kind: 'datatype' }>;

/** A date-time as contract/decisions.md#3 has it: three digits of fraction, always; six if the attribute says so. */
const dateTimeForm = ({ microseconds }: DatatypeFormat, zone = ''): string =>
  `'YYYY-MM-DD"T"HH24:MI:SS.${microseconds === true ? 'US' : 'MS'}${zone}'`;

/** @param textOf the text for the name of a value */
export function writeEnum(column: string, { values }: Enumeration, textOf = (name: string): string => name): string {
  const cases = values.map(
    ({ name, id }) => `WHEN ${typeof id === 'number' ? id : quoteConstant(id)} THEN ${quoteConstant(textOf(name))}`,
  );
  return cases.length === 0 ? 'NULL::text' : `CASE ${column} ${cases.join(' ')} END`;
}

/**
 * A whole number keeps its `.0` (contract/instances.md#values), which PostgreSQL leaves out. From `exponentAt` on
 * PostgreSQL writes an exponent; so does it for what is no number, which is greater than everything.
 */
const floatingForm = (column: string, exponentAt: string): string =>
  `CASE WHEN ${column} = trunc(${column}) AND abs(${column}) < ${exponentAt} THEN (${column}::text || '.0')::json ELSE to_json(${column}) END`;

/** The forms that PostgreSQL's own JSON does not have; undefined if it has the right one. */
function specialForm(column: string, format: DatatypeFormat): string | undefined {
  switch (format.datatype) {
    case 'dateTime':
    case 'localDateTime':
      return temporalText(format, column, `to_char(${column}, ${dateTimeForm(format)})`);
    case 'offsetDateTime':
      return temporalText(format, column, `to_char(${column} AT TIME ZONE 'UTC', ${dateTimeForm(format, '"Z"')})`);
    case 'offsetTime':
      return `regexp_replace(regexp_replace(${column}::text, '[+-]00(:00)?$', 'Z'), '([+-]\\d\\d)$', '\\1:00')`;
    case 'float':
      return floatingForm(column, '1e6');
    case 'double':
      return floatingForm(column, '1e15');
    case 'byteArray':
      return `translate(encode(${column}, 'base64'), E'\\n', '')`;
    default:
      return undefined;
  }
}

/** `normalText` in SQL. */
function normalForm(column: string, { equality, scale }: DatatypeFormat): string {
  switch (equality) {
    case undefined:
      return column;
    case 'padded':
      return `${column}::text`;
    case 'caseless':
      return `lower(${column}::text)`;
    case 'numeric':
      return scale === undefined ? `trim_scale(${column})` : column;
    default:
      return equality satisfies never;
  }
}

/** The value of a column, such that its JSON is the attribute's (contract/instances.md#values). */
function writeColumnValue(column: Column, format: ColumnFormat): string {
  const text = writeColumn(column);
  switch (format.kind) {
    case 'text':
      return `${format.of === undefined ? text : normalForm(text, format.of)}::text`;
    case 'enum':
      return writeEnum(text, format.enumeration);
    case 'datatype':
      return specialForm(text, format) ?? normalForm(text, format);
    default:
      return format satisfies never;
  }
}

/** Whether SQL has the numbers as JSON. */
export const isFloating = (datatype: Datatype): boolean => datatype === 'float' || datatype === 'double';

/** The value as a part of an instance name. */
function columnText(column: Column, format: TextFormat): string {
  switch (format.kind) {
    case 'captions':
    case 'number':
    case 'temporal':
      return writeDisplay(writeColumn(column), format);
    case 'datatype':
      return `${isFloating(format.datatype) ? writeColumn(column) : writeColumnValue(column, format)}::text`;
    case 'text':
    case 'enum':
      return writeColumnValue(column, format);
    default:
      return format satisfies never;
  }
}

function writeText(plan: TextPlan, statement: StatementText): string {
  switch (plan.kind) {
    case 'text-constant':
      return plan.text === null ? 'NULL::text' : `${quoteConstant(plan.text)}::text`;
    case 'text-column': {
      const text = columnText(plan.column, plan.format);
      return plan.orEmpty ? `COALESCE(${text}, '')` : text;
    }
    case 'text-concat':
      return `(${plan.parts.map((part) => writeText(part, statement)).join(' || ')})`;
    case 'text-select': {
      const text = writeText(plan.text, statement);
      const select = `(SELECT ${text} FROM ${writeFrom(plan.from, statement)}${writeWhere(plan.where, statement)} LIMIT 1)`;
      return plan.orEmpty ? `COALESCE(${select}, '')` : select;
    }
    default:
      return plan satisfies never;
  }
}

function writeName(plan: NamePlan, statement: StatementText): string {
  switch (plan.kind) {
    case 'name-items':
      return `json_build_array(${plan.items.map((item) => writeName(item, statement)).join(', ')})`;
    case 'name-values':
      return `json_build_array(${plan.values.map(({ column, format }) => (column === undefined ? 'NULL::text' : writeColumnValue(column, format))).join(', ')})`;
    case 'name-select': {
      const name = writeName(plan.name, statement);
      return `(SELECT ${name} FROM ${writeFrom(plan.from, statement)}${writeWhere(plan.where, statement)} LIMIT 1)`;
    }
    case 'name-by-entity': {
      const branch = (name: NamePlan, at: number): string =>
        plan.tagged ? `json_build_array(${at}, ${writeName(name, statement)})` : writeName(name, statement);
      const discriminator = writeColumn(plan.discriminator);
      const cases = plan.cases.map(
        ({ names, name }, at) =>
          `WHEN ${discriminator} IN (${names.map(quoteConstant).join(', ')}) THEN ${branch(name, at + 1)}`,
      );
      return `CASE ${cases.join(' ')} ELSE ${branch(plan.otherwise, 0)} END`;
    }
    default:
      return writeText(plan, statement);
  }
}

/** `a AS "x", b AS "y"`: the columns that `row_to_json` turns into members. */
export const writeMembers = (members: readonly MemberPlan[], statement: StatementText): string =>
  members.map(({ name, value }) => `${writeValue(value, statement)} AS ${quoteIdentifier(name)}`).join(', ');

/** An object of a row that is in scope. */
function writeObject(members: readonly MemberPlan[], statement: StatementText): string {
  const alias = statement.alias();
  return `(SELECT row_to_json(${alias}) FROM (SELECT ${writeMembers(members, statement)}) ${alias})`;
}

/** The short form for an instance that is among its own ancestors, else the whole one. */
function writeCyclicObject(object: ObjectPlan, statement: StatementText): string {
  const cycles = object.cycles.map((pairs) =>
    pairs.map(({ own, above }) => `${writeColumn(own)} = ${writeColumn(above)}`).join(' AND '),
  );
  const short = writeObject(object.short, statement);
  return `CASE WHEN ${cycles.join(' OR ')} THEN ${short} ELSE ${writeObject(object.members, statement)} END`;
}

function writeOne(plan: Extract<ValuePlan, { kind: 'one' }>, statement: StatementText): string {
  const { object } = plan;
  const rest = (): string => `FROM ${writeFrom(plan.from, statement)}${writeWhere(plan.where, statement)} LIMIT 1`;
  if (object.cycles.length > 0) return `(SELECT ${writeCyclicObject(object, statement)} ${rest()})`;
  const alias = statement.alias();
  const members = writeMembers(object.members, statement);
  return `(SELECT row_to_json(${alias}) FROM (SELECT ${members} ${rest()}) ${alias})`;
}

function writeMany(plan: Extract<ValuePlan, { kind: 'many' }>, statement: StatementText): string {
  const { object } = plan;
  const alias = statement.alias();
  const isCyclic = object.cycles.length > 0;
  const columns = isCyclic
    ? `${writeCyclicObject(object, statement)} AS "object"`
    : writeMembers(object.members, statement);
  const selected = `SELECT ${columns} FROM ${writeFrom(plan.from, statement)}${writeWhere(plan.where, statement)}`;
  const member = isCyclic ? `${alias}."object"` : `row_to_json(${alias})`;
  const { bounds } = statement;
  const { limit, offset } = plan.part ?? {};
  const maxRows = Math.min(limit ?? Number.POSITIVE_INFINITY, (bounds?.collectionRows ?? Number.POSITIVE_INFINITY) + 1);
  const part = `${maxRows === Number.POSITIVE_INFINITY ? '' : ` LIMIT ${maxRows}`}${offset === undefined ? '' : ` OFFSET ${offset}`}`;
  const limited = `(${selected} ORDER BY ${plan.orderBy.map(writeSort).join(', ')}${part}) ${alias}`;
  if (bounds === undefined) return `(SELECT ${orEmpty(listOf(member), plan)} FROM ${limited})`;
  if (!isUnbounded(object))
    return `(SELECT ${withinRows(orEmpty(listOf(member), plan), plan, bounds)} FROM ${limited})`;
  // The sum so far: the statement fails at the first member beyond the size, and no later one is read.
  const sized = `SELECT m.e, sum(octet_length(m.e::text)) OVER (ROWS UNBOUNDED PRECEDING) AS s FROM (SELECT ${member} AS e FROM ${limited} OFFSET 0) m`;
  const checked = `CASE WHEN s.s > ${bounds.collectionBytes} THEN ${writeRefusal('bytes', plan.name, 's.s')} ELSE s.e END`;
  return `(SELECT ${withinRows(orEmpty(listOf(checked), plan), plan, bounds)} FROM (${sized}) s)`;
}

const writeSort = (key: Column | Pick<SortPlan, 'column' | 'descending'>): string =>
  'column' in key ? `${writeColumn(key.column)}${key.descending ? ' DESC' : ''}` : writeColumn(key);

/** Whether nothing but the limit of its rows bounds the size of a collection of these objects. */
const isUnbounded = ({ members }: ObjectPlan): boolean =>
  members.some(({ value }) => {
    switch (value.kind) {
      case 'column':
        return value.isLong === true;
      case 'many':
      case 'elements':
        return true;
      case 'one':
      case 'object':
        return isUnbounded(value.object);
      default:
        return false;
    }
  });

const withinRows = (list: string, { name }: { readonly name: string }, { collectionRows }: ResultBounds): string =>
  `CASE WHEN count(*) > ${collectionRows} THEN ${writeRefusal('rows', name, 'count(*)')} ELSE ${list} END`;

function writeElements(plan: Extract<ValuePlan, { kind: 'elements' }>, statement: StatementText): string {
  const value = writeColumnValue(plan.value, plan.format);
  const from = `${writeFrom(plan.from, statement)}${writeWhere(plan.where, statement)}`;
  const list = orEmpty(listOf(value, ` ORDER BY ${writeColumn(plan.orderBy)}`), plan);
  return `(SELECT ${statement.bounds === undefined ? list : withinRows(list, plan, statement.bounds)} FROM ${from})`;
}

/** A list without the blanks that `json_agg` puts between its elements. */
const listOf = (element: string, order = ''): string => `array_to_json(array_agg(${element}${order}))`;

const orEmpty = (aggregate: string, { orNull }: { readonly orNull?: true }): string =>
  orNull === true ? aggregate : `COALESCE(${aggregate}, '[]'::json)`;

/** The value of a member. */
export function writeValue(plan: ValuePlan, statement: StatementText): string {
  switch (plan.kind) {
    case 'constant':
      return `${quoteConstant(plan.text)}::text`;
    case 'column':
      return writeColumnValue(plan.column, plan.format);
    case 'name':
      return writeName(plan.name, statement);
    case 'object': {
      const object = writeObject(plan.object.members, statement);
      if (plan.presentWhen === undefined) return object;
      if (plan.presentWhen.length === 0) return 'NULL::json';
      const present = writeAll([{ kind: 'null', columns: plan.presentWhen, negated: true }], statement);
      return `CASE WHEN ${present} THEN ${object} END`;
    }
    case 'one':
      return writeOne(plan, statement);
    case 'many':
      return writeMany(plan, statement);
    case 'elements':
      return writeElements(plan, statement);
    case 'count':
      return `(SELECT count(*) FROM ${writeFrom(plan.from, statement)}${writeWhere(plan.where, statement)})`;
    case 'highlights':
      return writeHighlights(plan.texts, statement);
    case 'names':
      return `${quoteConstant(JSON.stringify(plan.names))}::json`;
    case 'scalar': {
      const value = writeColumnValue(plan.value, plan.format);
      return `(SELECT ${value} FROM ${writeFrom(plan.from, statement)}${writeWhere(plan.where, statement)} LIMIT 1)`;
    }
    case 'computed':
      return 'NULL::text';
    default:
      return plan satisfies never;
  }
}

/**
 * An expression of type JSON that always fails: SQL has no other way to fail without a function in the database.
 * `translateDatabaseError` of `@lintel/persistence` reads the message.
 *
 * @param collection `<entity>.<attribute>` of the collection that is too large
 * @param measure an expression over the rows: a constant would fail while the statement is planned
 */
const writeRefusal = (kind: 'rows' | 'bytes', collection: string, measure: string): string =>
  `to_json((${quoteConstant(`lintel-bound ${kind} ${collection} `)} || (${measure})::text)::integer)`;
