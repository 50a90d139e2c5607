import type { DatasetColumn, SqlDatasetRequest } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Datatype, Model } from '@lintel/metadata';
import { type Database, databaseErrorDetailsOf, type StatementDescription } from '@lintel/persistence';
import { assertLimit, type DataSetText, labelsOf, type QueryLimits, writeDataSetText } from '@lintel/query';
import { columnsLine, createParentNumbers, type DatasetLines } from './dataset-lines.ts';
import { type Placeholder, readDatasetText, refuse } from './dataset-values.ts';
import type { IsDeclaredSql } from './declared-sql.ts';
import { isMissing } from './read-query-dataset.ts';

export interface SqlDatasetPorts {
  /** The database with a login that may only read; absent if none is configured. */
  readonly reportDatabase: Database | undefined;
  /** Whether the application, or a report that an administrator saved, has a data set with this text. */
  readonly isDeclaredSql: IsDeclaredSql;
  readonly model: Model;
}

/** Rows fetched at once through the cursor. */
const BATCH_ROWS = 200;

/**
 * The rows of an SQL data set, run by a login that may only read. Values are always parameters. If they differ
 * between parents, one statement returns the rows of all parents.
 *
 * @throws PlatformError for a text that is not declared, or that the database refuses; REQ_COST_EXCEEDED for more
 *   values than the caller may send: each of a list is a parameter here, since only the database knows its type
 */
export async function* readSqlDataset(
  request: SqlDatasetRequest,
  { reportDatabase, isDeclaredSql, model }: SqlDatasetPorts,
  limits: QueryLimits,
  signal: AbortSignal,
): AsyncGenerator<DatasetLines> {
  if (!(await isDeclaredSql(request.sql))) throw refuse('The SQL belongs to no report');
  if (reportDatabase === undefined)
    throw new PlatformError(
      'DATA_UNAVAILABLE',
      'SQL data sets need svc.data.report-datasource-url: a login that may only read',
    );
  const { text, placeholders } = readDatasetText(request.sql, request, model);
  const lists = [...placeholders.values()].flatMap(({ isList, value }) =>
    isList ? [value as readonly unknown[]] : [],
  );
  assertLimit(
    limits,
    'listValues',
    lists.reduce((sum, list) => sum + list.length, 0),
  );
  const plain = writeSql(text, placeholders, (placeholderAt) => `$${placeholderAt}`);
  assertLimit(limits, 'statementParameters', plain.values.length);
  try {
    const description = await reportDatabase.describe({ text: plain.sql, values: plain.values.map(sampleOf) }, signal);
    yield { lines: [columnsLine(columnsOf(description, labelsOf(text)))], rows: 0 };
    const isVarying = plain.used.some((placeholder) => placeholder.isVarying);
    const statement = isVarying ? forEachParent(text, placeholders, description) : forAll(plain);
    const withParentNumbers = createParentNumbers();
    for await (const rows of reportDatabase.stream<Row>(statement, { batchSize: BATCH_ROWS, signal }))
      yield isVarying
        ? withParentNumbers(rows.map(({ at, json }) => ({ at: Number(at), json })))
        : { lines: rows.map(({ json }) => json), rows: rows.length };
  } catch (error) {
    throw toSqlError(error);
  }
}

interface Row {
  readonly at: string;
  readonly json: string;
}

interface WrittenSql {
  readonly sql: string;
  /** In the order of their numbers: `$1` first. */
  readonly values: readonly unknown[];
  /** The placeholder of each parameter number. */
  readonly used: readonly Placeholder[];
}

/** Every placeholder has its own number, so that each gets the type of the other operand. */
function writeSql(
  text: DataSetText,
  placeholders: ReadonlyMap<string, Placeholder>,
  placeholderAt: (placeholderAt: number, placeholder: Placeholder, value: unknown) => string,
): WrittenSql {
  const values: unknown[] = [];
  const used: Placeholder[] = [];
  const add = (placeholder: Placeholder, value: unknown): string => {
    used.push(placeholder);
    return placeholderAt(values.push(value), placeholder, value);
  };
  const sql = writeDataSetText(text, {
    isMissing: (name) => isMissing(placeholders.get(name)),
    isList: (name) => placeholders.get(name)?.isList === true,
    isFolded: (name) => placeholders.get(name)?.isFolded === true,
    write: (name) => {
      const placeholder = placeholders.get(name) as Placeholder;
      if (!placeholder.isList) return add(placeholder, placeholder.value);
      const items = placeholder.value as readonly unknown[];
      return `(${items.length === 0 ? 'NULL' : items.map((item) => add(placeholder, item)).join(', ')})`;
    },
  });
  return { sql, values, used };
}

/** A comment at the end of the text must not include what follows the text. */
const forAll = ({ sql, values }: WrittenSql) => ({
  text: `SELECT row_to_json(found)::text AS "json" FROM (\n${sql}\n) found`,
  values,
});

/** One statement for all parents: their values are columns of arrays, with the types that the database determined. */
function forEachParent(
  text: DataSetText,
  placeholders: ReadonlyMap<string, Placeholder>,
  { parameterTypes }: StatementDescription,
) {
  const values: unknown[] = [];
  const columns: string[] = [];
  const arrays: string[] = [];
  const { sql } = writeSql(text, placeholders, (placeholderAt, { isVarying }, value) => {
    const type = parameterTypes[placeholderAt - 1] ?? 'text';
    values.push(value);
    if (!isVarying) return `$${values.length}::${type}`;
    arrays.push(`$${values.length}::${type}[]`);
    columns.push(`c${columns.length}`);
    return `each_row.${columns.at(-1)}`;
  });
  return {
    text:
      `SELECT each_row.at - 1 AS "at", found.json AS "json" FROM unnest(${arrays.join(', ')}) WITH ORDINALITY ` +
      `AS each_row(${[...columns, 'at'].join(', ')}) CROSS JOIN LATERAL (SELECT row_number() OVER () AS n, ` +
      `row_to_json(one)::text AS json FROM (\n${sql}\n) one) found ORDER BY each_row.at, found.n`,
    values,
  };
}

/** One value of many is enough to describe a statement. */
const sampleOf = (value: unknown): unknown => (Array.isArray(value) ? (value[0] ?? null) : value);

const DATATYPES: Readonly<Record<string, Datatype>> = {
  boolean: 'boolean',
  smallint: 'int',
  integer: 'int',
  bigint: 'long',
  numeric: 'decimal',
  real: 'float',
  'double precision': 'double',
  date: 'localDate',
  'time without time zone': 'localTime',
  'time with time zone': 'offsetTime',
  'timestamp without time zone': 'localDateTime',
  'timestamp with time zone': 'offsetDateTime',
  uuid: 'uuid',
};

function columnsOf({ columns }: StatementDescription, labels: readonly string[]): readonly DatasetColumn[] {
  const twice = columns.find(({ name }, at) => columns.findIndex((each) => each.name === name) !== at);
  if (twice !== undefined) throw refuse(`Two columns have the name ${twice.name}: use AS`);
  const spelt = new Map(labels.map((label) => [label.toLowerCase(), label]));
  return columns.map(({ name, type }) => {
    const label = spelt.get(name);
    return {
      name,
      type: DATATYPES[type] ?? 'string',
      ...(label === undefined || label === name ? {} : { label }),
    };
  });
}

/** The database's message about an administrator's text is returned to its author; other errors are not changed. */
function toSqlError(error: unknown): unknown {
  const state = error instanceof Error ? databaseErrorDetailsOf(error)?.sqlState : undefined;
  // Syntax and access (42), data (22, 21), several commands in one text, writing (25).
  if (state === undefined || !['21', '22', '25', '42'].includes(state.slice(0, 2))) return error;
  return refuse(`The database refuses the SQL of the data set (SQLSTATE ${state})`, error);
}
