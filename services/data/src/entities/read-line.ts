import type { Model } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import {
  bindStatement,
  type CompiledStatement,
  type Page,
  type ParsedQuery,
  type SqlValue,
  type StatementTemplate,
  shapeRow,
} from '@lintel/query';
import { compileQuery } from './compile-query.ts';
import { executeCount, executeRows, type JsonRow, streamRows } from './execute-statement.ts';
import type { CallerAccess, ReadDependencies } from './read-dependencies.ts';
import type { PreparedRead } from './statement-cache.ts';

/** A query with its statements, and everything that their values come from. */
export interface Line {
  readonly parsed: ParsedQuery;
  readonly model: Model;
  readonly access: CallerAccess;
  readonly prepared: PreparedRead;
  readonly isKnown: boolean;
}

/**
 * The statements of a query, compiled where its shape is new.
 *
 * @param isUnlimited the rows have no limit: internal data sets only
 */
export function enterLine(
  parsed: ParsedQuery,
  model: Model,
  access: CallerAccess,
  deps: Pick<ReadDependencies, 'statements'>,
  isUnlimited = false,
): Line {
  const compile = (): PreparedRead => compileQuery(parsed, model, access.read, isUnlimited);
  const variant = isUnlimited ? 'all' : 'page';
  return { parsed, model, access, ...deps.statements.prepare(parsed, model, access.read, variant, compile) };
}

/** A statement of the line with the values of this request. */
export function bindLine(
  { parsed, model, access }: Line,
  template: StatementTemplate,
  values: { readonly id?: readonly SqlValue[]; readonly page?: Page } = {},
): CompiledStatement {
  return bindStatement(template, {
    model,
    inputs: parsed.inputs,
    id: values.id ?? [],
    limit: values.page?.limit,
    offset: values.page?.offset,
    sessionValue: access.sessionValue,
  });
}

/** One instance as the answer shows it. */
export interface Instance {
  readonly json: string;
  /** Undefined where the entity has no version. */
  readonly version: string | undefined;
}

const shape = ({ prepared, parsed }: Line, { json }: JsonRow): string | undefined =>
  shapeRow(json, prepared.rows.shape, { omitNulls: !parsed.returnNulls });

/** Runs the line's statement for one id; undefined where there is no instance or the caller may not see it. */
export async function readOne(
  line: Line,
  id: readonly SqlValue[],
  runner: StatementRunner,
  signal: AbortSignal | undefined,
): Promise<Instance | undefined> {
  const statement = bindLine(line, line.prepared.rows, { id });
  const [row] = await executeRows(statement, line.isKnown, runner, signal);
  const json = row === undefined ? undefined : shape(line, row);
  return json === undefined ? undefined : { json, version: row?.version };
}

/** Runs the line's statement for a page; the rows come at once. */
export async function readRows(
  line: Line,
  page: Page,
  deps: Pick<ReadDependencies, 'database'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const statement = bindLine(line, line.prepared.rows, { page });
  const rows = await executeRows(statement, line.isKnown, deps.database, signal);
  return rows.flatMap((row) => shape(line, row) ?? []);
}

/** Runs the line's statement through a cursor; `page` is undefined for statements without a limit. */
export async function* readBatches(
  line: Line,
  page: Page | undefined,
  deps: Pick<ReadDependencies, 'database'>,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  const statement = bindLine(line, line.prepared.rows, page === undefined ? {} : { page });
  for await (const rows of streamRows(statement, line.isKnown, deps.database, signal))
    yield rows.flatMap((row) => shape(line, row) ?? []);
}

/** Runs the line's count statement. */
export const readCount = (line: Line, deps: Pick<ReadDependencies, 'database'>, signal: AbortSignal): Promise<number> =>
  executeCount(bindLine(line, line.prepared.count()), line.isKnown, deps.database, signal);
