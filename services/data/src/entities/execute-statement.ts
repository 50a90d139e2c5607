import type { Database, Statement, StatementRunner } from '@lintel/persistence';
import type { CompiledStatement } from '@lintel/query';

/** Rows fetched at once through a cursor. */
const STREAM_BATCH_ROWS = 200;

/** One row of a read statement. */
export interface JsonRow {
  readonly json: string;
  /** Of the root, where one instance of a versioned entity is read. */
  readonly version?: string;
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

/** Reads the rows through a cursor, a batch at a time. */
export const streamRows = (
  statement: CompiledStatement,
  isNamed: boolean,
  database: Database,
  signal: AbortSignal | undefined,
): AsyncIterable<readonly JsonRow[]> =>
  database.stream<JsonRow>(toStatement(statement, isNamed), {
    batchSize: STREAM_BATCH_ROWS,
    ...(signal === undefined ? {} : { signal }),
  });
