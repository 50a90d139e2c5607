import type { Model } from '@lintel/metadata';
import type { JoinedRows, StatementRunner } from '@lintel/persistence';
import {
  bindStatement,
  type CompiledStatement,
  csvLineOf,
  isFinal,
  type Page,
  type ParsedQuery,
  type RowPosition,
  type SqlValue,
  type StatementTemplate,
  type StatementValues,
} from '@lintel/query';
import { noteRead } from '../access-log/note-read.ts';
import type { CallerAccess, ReadDependencies } from '../read-dependencies.ts';
import { maxRowsOf, tooManyObjects } from '../statements/assert-response.ts';
import { compileQuery } from '../statements/compile-query.ts';
import {
  executeCount,
  executeEstimate,
  executeRows,
  type JsonRow,
  streamRows,
} from '../statements/execute-statement.ts';
import type { CompiledRead } from '../statements/statement-cache.ts';
import { exportedTable } from './exported-table.ts';
import { shapeOne, shapeRows } from './shape-rows.ts';

/** A compiled read together with the request, the model and the access of the caller: ready to be executed. */
export interface PreparedRead {
  readonly parsed: ParsedQuery;
  readonly model: Model;
  readonly access: CallerAccess;
  readonly compiled: CompiledRead;
  /** Whether the shape was used before: then the database keeps the prepared statement by its name. */
  readonly isKnown: boolean;
  /** The time that values of the filter are relative to. */
  readonly now?: Date;
  /** The last row before the page. */
  readonly after: RowPosition | undefined;
}

interface PageChoice {
  /** The rows have no limit: internal data sets only. */
  readonly isUnlimited?: boolean;
  /** The last row before the page. */
  readonly after?: RowPosition | undefined;
}

/** Prepares a read; its statements are compiled if the shape of the query is new. */
export function prepareRead(
  parsed: ParsedQuery,
  model: Model,
  access: CallerAccess,
  deps: Pick<ReadDependencies, 'displayIn' | 'statements'>,
  { isUnlimited = false, after }: PageChoice = {},
): PreparedRead {
  const display = deps.displayIn(access.locale);
  const tokens = access.encryptToken !== undefined;
  const compile = (): CompiledRead =>
    compileQuery(parsed, model, access.read, { isUnlimited, after, display, tokens, bounds: deps.statements.bounds });
  const part = isUnlimited ? 'all' : after === undefined ? 'page' : `after ${after.order} ${nullsOf(after)}`;
  const variant = `${part} ${display.key}${tokens ? ' tokens' : ''}${parsed.limits.key}`;
  return {
    parsed,
    model,
    access,
    after,
    now: new Date(),
    ...deps.statements.prepare(parsed, model, access.read, variant, compile),
  };
}

/** Which of the values are null: all of a position that the statement's text depends on. */
const nullsOf = ({ values }: RowPosition): string => values.map((value) => (value === null ? 0 : 1)).join('');

/** A statement of the read with the values of this request. */
export function bindRead(
  { parsed, model, access, after, now }: PreparedRead,
  template: StatementTemplate,
  values: { readonly id?: StatementValues['id']; readonly page?: Page } = {},
): CompiledStatement {
  return bindStatement(template, {
    model,
    inputs: parsed.inputs,
    times: parsed.times,
    now,
    ...(parsed.select === undefined ? {} : { arguments: parsed.select.arguments }),
    id: values.id ?? [],
    limit: values.page?.limit,
    offset: values.page?.offset,
    ...(after === undefined ? {} : { position: after.values }),
    sessionValue: access.sessionValue,
  });
}

/** One instance as the response has it. */
export interface Instance {
  readonly json: string;
  /** Undefined if the entity has no version. */
  readonly version: string | undefined;
}

/** The JSON of rows that were read together: as texts, or as the bytes of the database where nothing is left to do. */
export type RowBatch = readonly string[] | JoinedRows;

/** The position of a row in the order of the list; undefined if no page follows. */
export function positionOf({ compiled }: PreparedRead, row: JsonRow | undefined): RowPosition | undefined {
  const { order, positionColumns } = compiled.rows;
  if (row === undefined || positionColumns === 0) return undefined;
  return { order, values: Array.from({ length: positionColumns }, (_, at) => row[`position_${at}`] ?? null) };
}

/** Reads one instance; undefined if there is none or the caller may not see it. */
export async function readOne(
  read: PreparedRead,
  id: readonly SqlValue[],
  runner: StatementRunner,
  signal: AbortSignal | undefined,
): Promise<Instance | undefined> {
  const statement = bindRead(read, read.compiled.rows, { id });
  const [row] = await executeRows(statement, read, runner, signal);
  const json = row === undefined ? undefined : shapeOne(read, row);
  if (json === undefined) return undefined;
  await noteRead(read, [json]);
  return { json, version: row?.version };
}

/**
 * Reads several instances by one statement.
 *
 * @returns the JSON of those that exist and that the caller may see, by their index in `ids`
 */
export async function readEach(
  read: PreparedRead,
  ids: readonly (readonly SqlValue[])[],
  runner: StatementRunner,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<number, string>> {
  const parts = ids[0]?.map((_, part) => ids.map((id) => id[part] ?? null)) ?? [];
  const statement = bindRead(read, read.compiled.each(), { id: parts });
  const rows = await executeRows(statement, read, runner, signal);
  const toEntry = (json: string, row: JsonRow): [number, string] => [Number(row.at), json];
  const found = new Map(await shapeRows(read, rows, toEntry));
  await noteRead(read, [...found.values()]);
  return found;
}

/** Rows of a page, and the position of the last one: undefined if the page is not full or the client set no limit. */
export interface PageOf<Rows> {
  readonly rows: Rows;
  readonly end: RowPosition | undefined;
}

type Deps = Pick<ReadDependencies, 'database'>;
type ExportDeps = Pick<ReadDependencies, 'exportAs' | 'displayIn'>;

/** Reads a page at once. */
export async function readPage(
  read: PreparedRead,
  page: Page,
  deps: Deps,
  signal: AbortSignal,
): Promise<PageOf<readonly string[]>> {
  const statement = bindRead(read, read.compiled.rows, { page });
  const rows = await executeRows(statement, read, deps.database, signal);
  const shaped = await shapeRows(read, rows, jsonOf);
  await noteRead(read, shaped);
  return { rows: shaped, end: positionOf(read, rows[page.limit - 1]) };
}

/**
 * Reads a page through a database cursor. The position of its last row is read first, by a statement of its own that
 * sees the same rows, because the headers of the response contain it. The caller must read the rows or return the
 * iterator.
 *
 * @throws PlatformError REQ_COST_EXCEEDED for more rows than a response may have, if the client set no limit
 */
export async function streamPage(
  read: PreparedRead,
  page: Page,
  deps: Deps & ExportDeps,
  signal: AbortSignal,
): Promise<PageOf<AsyncIterable<RowBatch>>> {
  const { rows: template, streamed, end, disclosed, csv } = read.compiled;
  const { exportAs } = deps;
  const isExport = exportAs !== undefined;
  const maxRows = isExport ? Number.POSITIVE_INFINITY : maxRowsOf(read);
  const isTooLong = page.limit > maxRows;
  const hasPositions = template.positionColumns > 0 && page.limit > 0;
  // The access log needs the JSON of the rows one by one.
  const isInSql = exportAs?.format === 'csv' && exportAs.values === 'exact' && disclosed === undefined;
  const copied = isInSql ? csv(exportAs).copied : undefined;
  const statement = bindRead(read, copied?.statement ?? (hasPositions ? streamed() : template), { page });
  const isJoined = disclosed === undefined && isFinal(statement.shape, { omitNulls: !read.parsed.returnNulls });
  const joinsRows = isJoined && (copied !== undefined || exportAs === undefined || exportAs.format === 'ndjson');
  const separator = isExport ? '\n' : ',';
  const open = (first: CompiledStatement | undefined) =>
    streamRows(statement, first, { ...read, isExport }, deps.database, signal, {
      ...(joinsRows ? { joinsRows, separator } : {}),
      ...(copied === undefined ? {} : { copies: copied }),
    });
  const given = (batches: AsyncIterable<readonly JsonRow[]>) =>
    joinsRows ? joinedBatches(batches) : inForm(read, shapeBatches(read, batches), deps);
  if (!hasPositions && !isTooLong) return { rows: given(open(undefined)), end: undefined };
  // The last row of this statement is then the first one too many.
  const first = bindRead(read, end(), { page: isTooLong ? { ...page, limit: maxRows + 1 } : page });
  const batches = open(first)[Symbol.asyncIterator]();
  const { value: ends } = (await batches.next()) as IteratorResult<readonly JsonRow[], undefined>;
  const last = ends?.[0];
  if (isTooLong && last !== undefined) {
    await batches.return?.();
    throw tooManyObjects(read, maxRows + 1, `more than ${maxRows}`);
  }
  const rows = given({ [Symbol.asyncIterator]: () => batches });
  return { rows, end: isTooLong ? undefined : positionOf(read, last) };
}

async function* joinedBatches(batches: AsyncIterable<readonly object[]>): AsyncGenerator<JoinedRows> {
  for await (const [rows] of batches) yield rows as JoinedRows;
}

/** The JSON of rows, or the lines of their CSV. */
export async function* inForm(
  read: PreparedRead,
  batches: AsyncIterable<readonly string[]>,
  deps: ExportDeps,
): AsyncGenerator<readonly string[]> {
  const table = deps.exportAs?.format === 'csv' ? exportedTable(read, deps.exportAs, deps) : undefined;
  for await (const rows of batches)
    yield table === undefined ? rows : rows.map((json) => csvLineOf(json, table, table.delimiter));
}

async function* shapeBatches(
  read: PreparedRead,
  batches: AsyncIterable<readonly JsonRow[]>,
): AsyncGenerator<readonly string[]> {
  for await (const rows of batches) {
    const shaped = await shapeRows(read, rows, jsonOf);
    await noteRead(read, shaped);
    yield shaped;
  }
}

const jsonOf = (json: string): string => json;

/** Reads rows through a database cursor; `page` is undefined for statements without a limit. */
export const readBatches = (
  read: PreparedRead,
  page: Page | undefined,
  deps: Deps,
  signal: AbortSignal,
): AsyncIterable<readonly string[]> => shapeBatches(read, readRows(read, page, deps, signal));

/** The same, as the database returns them. */
export function readRows(
  read: PreparedRead,
  page: Page | undefined,
  deps: Deps,
  signal: AbortSignal,
): AsyncIterable<readonly JsonRow[]> {
  const statement = bindRead(read, read.compiled.rows, page === undefined ? {} : { page });
  return streamRows(statement, undefined, read, deps.database, signal);
}

/** Counts the rows. */
export const readCount = (read: PreparedRead, deps: Deps, signal: AbortSignal): Promise<number> =>
  executeCount(bindRead(read, read.compiled.count()), read, deps.database, signal);

/** The planner's estimate of the count: no row is read, so the number is rough. */
export const readEstimate = (read: PreparedRead, deps: Deps, signal: AbortSignal): Promise<number> =>
  executeEstimate(bindRead(read, read.compiled.estimate()), read, deps.database, signal);
