import { PlatformError, shortened } from '@lintel/errors';
import { databaseErrorDetailsOf, type Statement, type StatementRunner, type StreamOptions } from '@lintel/persistence';
import type { CompiledStatement, ParameterSource } from '@lintel/query';
import type { ReadDatabase } from './measured-database.ts';
import type { CompiledRead } from './statement-cache.ts';

/** Rows fetched at once through a cursor. */
const STREAM_BATCH_ROWS = 200;
/** Rows of an export that are fetched at once: each batch is passed on unchanged. */
const EXPORT_BATCH_ROWS = 1_000;

/** One row of a read statement. */
export interface JsonRow {
  readonly json: string;
  /** Version of the root, if one instance of a versioned entity is read. */
  readonly version?: string;
  /** Of rows of several ids or parents: the index of the one that the row belongs to. */
  readonly at?: string;
  /** Of a page: the position of the row in the sort order. */
  readonly [position: `position_${number}`]: string | null;
}

/** How a statement is run. */
interface Execution {
  /** Connections keep the statement prepared. */
  readonly isKnown: boolean;
  /** Its shape; absent for data sets of reports, which are heavy anyway. */
  readonly compiled?: Pick<CompiledRead, 'isLarge' | 'expected'>;
  /** Reads any number of rows: its cost is not the cost of a page. */
  readonly isExport?: boolean;
}

/** From this cost on, the planner expects a statement to take a quarter of a second: 6.7 million took 7 s. */
const HEAVY_COST = 200_000;

/** Large shapes are heavy before they run the first time, unless the planner expects little of them. */
const isHeavy = ({ compiled }: Execution, part: 'rows' | 'count'): boolean =>
  compiled?.isLarge === true && (compiled.expected[part].cost ?? HEAVY_COST) >= HEAVY_COST;

function toStatement(
  { name, text, values }: CompiledStatement,
  execution: Execution,
  part: 'rows' | 'count' = 'rows',
): Statement {
  if (execution.isExport) return { text, values, costName: `export ${name}`, isHeavy: true };
  const statement = execution.isKnown ? { name, text, values, costName: name } : { text, values, costName: name };
  return isHeavy(execution, part) ? { ...statement, isHeavy: true } : statement;
}

/** SQLSTATEs of texts that are no value of the type in which text forms are compared: only the database knows them. */
const REFUSED_TEXTS: ReadonlySet<string | undefined> = new Set([
  '22000',
  '22007',
  '22008',
  '22015',
  '22P02',
  // Of types of extensions.
  '42601',
]);

/** Kinds of values that the request contains. Values of row conditions and of the session are not the client's. */
const SENT_BY_CLIENT: ReadonlySet<ParameterSource['kind'] | undefined> = new Set([
  'input',
  'input-list',
  'input-key',
  'input-key-list',
  'argument',
  'id',
]);

type BoundValues = Pick<CompiledStatement, 'values' | 'sources'>;

/**
 * The error of a statement: a value of the request that the database cannot read is a mistake in the filter. Any other
 * value stays out of the response, and is not the client's mistake.
 */
function toReadError(error: unknown, { values, sources }: BoundValues): unknown {
  const details = error instanceof Error ? databaseErrorDetailsOf(error) : undefined;
  if (details?.parameter === undefined || !REFUSED_TEXTS.has(details.sqlState)) return error;
  const index = details.parameter - 1;
  if (!SENT_BY_CLIENT.has(sources[index]?.kind)) return new PlatformError('INTERNAL_ERROR', '', { cause: error });
  const value = values[index];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return new PlatformError('REQ_INVALID_FILTER', `Cannot parse property value: ${shortened(text)}`, { cause: error });
}

const failed =
  (statement: BoundValues) =>
  (error: unknown): never => {
    throw toReadError(error, statement);
  };

/** Runs a read statement and returns all rows. */
export const executeRows = (
  statement: CompiledStatement,
  execution: Execution,
  runner: StatementRunner,
  signal: AbortSignal | undefined,
): Promise<readonly JsonRow[]> =>
  runner.query<JsonRow>(toStatement(statement, execution), signal).catch(failed(statement));

/** Runs a count statement. */
export async function executeCount(
  statement: CompiledStatement,
  execution: Execution,
  runner: StatementRunner,
  signal: AbortSignal | undefined,
): Promise<number> {
  const counting = toStatement(statement, execution, 'count');
  const [row] = await runner.query<{ readonly count: string }>(counting, signal).catch(failed(statement));
  return Number(row?.count ?? 0);
}

/** Runs an estimate statement. */
export async function executeEstimate(
  statement: CompiledStatement,
  execution: Execution,
  runner: StatementRunner,
  signal: AbortSignal | undefined,
): Promise<number> {
  const estimating = toStatement(statement, execution);
  const [row] = await runner.query<{ readonly 'QUERY PLAN': string }>(estimating, signal).catch(failed(statement));
  const [explained] = JSON.parse(row?.['QUERY PLAN'] ?? '[]') as [{ readonly Plan: { readonly 'Plan Rows': number } }];
  return explained.Plan['Plan Rows'];
}

/** The planner's cost estimate of a statement, in the planner's unit; the statement is not run. */
export async function executeExplain(
  { name, text, values, sources }: Omit<CompiledStatement, 'shape'>,
  runner: StatementRunner,
  signal: AbortSignal | undefined,
): Promise<number> {
  // Planning alone takes long for statements with many joins.
  const explain = { text: `EXPLAIN (FORMAT JSON) ${text}`, values, costName: `explain ${name}`, isHeavy: true };
  const [row] = await runner
    .query<{ readonly 'QUERY PLAN': string }>(explain, signal)
    .catch(failed({ values, sources }));
  const [explained] = JSON.parse(row?.['QUERY PLAN'] ?? '[]') as [{ readonly Plan: { readonly 'Total Cost': number } }];
  return explained.Plan['Total Cost'];
}

/**
 * Reads the rows through a cursor, a batch at a time.
 *
 * @param first its rows are the first batch, from the same state of the database
 * @param form of the rows: joined or copied, each batch is one element of type `JoinedRows`
 */
export async function* streamRows(
  statement: CompiledStatement,
  first: CompiledStatement | undefined,
  execution: Execution,
  database: ReadDatabase,
  signal: AbortSignal | undefined,
  form: Pick<StreamOptions, 'joinsRows' | 'separator' | 'copies'> = {},
): AsyncIterable<readonly JsonRow[]> {
  let running = first ?? statement;
  try {
    const batches = database.stream<JsonRow>(toStatement(statement, execution), {
      batchSize: execution.isExport ? EXPORT_BATCH_ROWS : STREAM_BATCH_ROWS,
      ...form,
      ...(first === undefined ? {} : { first: toStatement(first, execution) }),
      ...(signal === undefined ? {} : { signal }),
    });
    for await (const batch of batches) {
      yield batch;
      running = statement;
    }
  } catch (error) {
    throw toReadError(error, running);
  }
}
