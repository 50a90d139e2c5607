import type { Statement, StatementRunner } from '@lintel/persistence';
import type { CompiledStatement } from '@lintel/query';
import type { ReadDatabase } from './measured-database.ts';

/** Rows fetched at once through a cursor. */
const STREAM_BATCH_ROWS = 200;

/** One row of a read statement. */
export interface JsonRow {
  readonly json: string;
  /** Of the root, where one instance of a versioned entity is read. */
  readonly version?: string;
  /** Of a page: the place of the row in the order. */
  readonly [position: `position_${number}`]: string | null;
}

const toStatement = (compiled: CompiledStatement, isNamed: boolean): Statement => {
  const { text, values } = compiled;
  return isNamed ? { name: compiled.name, text, values } : { text, values };
};

/** Runs a read statement and answers all rows. `isNamed`: connections keep it prepared. */
export const executeRows = (
  statement: CompiledStatement,
  isNamed: boolean,
  runner: StatementRunner,
  signal: AbortSignal | undefined,
): Promise<readonly JsonRow[]> => runner.query<JsonRow>(toStatement(statement, isNamed), signal);

/** Runs a count statement. */
export async function executeCount(
  statement: CompiledStatement,
  isNamed: boolean,
  runner: StatementRunner,
  signal: AbortSignal | undefined,
): Promise<number> {
  const [row] = await runner.query<{ readonly count: string }>(toStatement(statement, isNamed), signal);
  return Number(row?.count ?? 0);
}

/** Runs an estimate statement. */
export async function executeEstimate(
  statement: CompiledStatement,
  isNamed: boolean,
  runner: StatementRunner,
  signal: AbortSignal | undefined,
): Promise<number> {
  const [row] = await runner.query<{ readonly 'QUERY PLAN': string }>(toStatement(statement, isNamed), signal);
  const [explained] = JSON.parse(row?.['QUERY PLAN'] ?? '[]') as [{ readonly Plan: { readonly 'Plan Rows': number } }];
  return explained.Plan['Plan Rows'];
}

/**
 * Reads the rows through a cursor, a batch at a time.
 *
 * @param first its rows are the first batch, from the same state of the database
 */
export const streamRows = (
  statement: CompiledStatement,
  first: CompiledStatement | undefined,
  isNamed: boolean,
  database: ReadDatabase,
  signal: AbortSignal | undefined,
): AsyncIterable<readonly JsonRow[]> =>
  database.stream<JsonRow>(toStatement(statement, isNamed), {
    batchSize: STREAM_BATCH_ROWS,
    ...(first === undefined ? {} : { first: toStatement(first, isNamed) }),
    ...(signal === undefined ? {} : { signal }),
  });
