import type { DatasetColumn, SqlDatasetRequest } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Datatype, Model } from '@lintel/metadata';
import { type Database, databaseErrorDetailsOf, type StatementDescription } from '@lintel/persistence';
import { type DataSetText, labelsOf, writeDataSetText } from '@lintel/query';
import { columnsLine, createParentMarks, type DatasetLines } from './dataset-lines.ts';
import { type Placeholder, readDatasetText, refuse } from './dataset-values.ts';
import type { IsDeclaredSql } from './declared-sql.ts';
import { isMissing } from './read-query-dataset.ts';

export interface SqlDatasetPorts {
  /** Of a login that may only read; absent where none is configured. */
  readonly reportDatabase: Database | undefined;
  /** Whether the application, or a report that an administrator saved, has a data set of this text. */
  readonly isDeclaredSql: IsDeclaredSql;
  readonly model: Model;
}

/** Rows fetched at once through the cursor. */
const BATCH_ROWS = 200;

/**
 * The rows of an SQL data set, run by a login that may only read. Values are always parameters. Where they
 * differ from parent to parent, one statement answers the rows of all of them.
 *
 * @throws PlatformError for a text that nobody declared, or that the database refuses
 */
export async function* readSqlDataset(
  request: SqlDatasetRequest,
  { reportDatabase, isDeclaredSql, model }: SqlDatasetPorts,
  signal: AbortSignal,
): AsyncGenerator<DatasetLines> {
  if (!(await isDeclaredSql(request.sql))) throw refuse('The SQL belongs to no report');
  if (reportDatabase === undefined)
    throw new PlatformError(
      'DATA_UNAVAILABLE',
      'SQL data sets need svc.data.report-datasource-url: a login that may only read',
    );
  const { text, placeholders } = readDatasetText(request.sql, request, model);
  const plain = writeSql(text, placeholders, (place) => `$${place}`);
  try {
    const description = await reportDatabase.describe({ text: plain.sql, values: plain.values.map(sampleOf) }, signal);
    yield { lines: [columnsLine(columnsOf(description, labelsOf(text)))], rows: 0 };
    const isVarying = plain.used.some((placeholder) => placeholder.isVarying);
    const statement = isVarying ? forEachParent(text, placeholders, description) : forAll(plain);
    const mark = createParentMarks();
    for await (const rows of reportDatabase.stream<Row>(statement, { batchSize: BATCH_ROWS, signal }))
      yield isVarying
        ? mark(rows.map(({ at, json }) => ({ at: Number(at), json })))
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
  /** By place: `$1` first. */
  readonly values: readonly unknown[];
  /** The placeholder of each place. */
  readonly used: readonly Placeholder[];
}

/** Every placeholder has a place of its own, so that each gets the type of what it stands beside. */
function writeSql(
  text: DataSetText,
  placeholders: ReadonlyMap<string, Placeholder>,
  place: (place: number, placeholder: Placeholder, value: unknown) => string,
): WrittenSql {
  const values: unknown[] = [];
  const used: Placeholder[] = [];
  const add = (placeholder: Placeholder, value: unknown): string => {
    used.push(placeholder);
    return place(values.push(value), placeholder, value);
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

/** A comment at the end of the text must not reach behind it. */
const forAll = ({ sql, values }: WrittenSql) => ({
  text: `SELECT row_to_json(found)::text AS "json" FROM (\n${sql}\n) found`,
  values,
});

/** One statement for all parents: their values are columns of arrays, of the types that the database found. */
function forEachParent(
  text: DataSetText,
  placeholders: ReadonlyMap<string, Placeholder>,
  { parameterTypes }: StatementDescription,
) {
  const values: unknown[] = [];
  const columns: string[] = [];
  const arrays: string[] = [];
  const { sql } = writeSql(text, placeholders, (place, { isVarying }, value) => {
    const type = parameterTypes[place - 1] ?? 'text';
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

/** To describe a statement one value is enough where there are many. */
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

/** What the database says about an administrator's text helps whoever wrote it; other errors stay what they are. */
function toSqlError(error: unknown): unknown {
  const state = error instanceof Error ? databaseErrorDetailsOf(error)?.sqlState : undefined;
  // Syntax and access (42), data (22, 21), several commands in one text, writing (25).
  if (state === undefined || !['21', '22', '25', '42'].includes(state.slice(0, 2))) return error;
  return refuse(`The database refuses the SQL of the data set (SQLSTATE ${state})`, error);
}
