import type { Model } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import {
  bindStatement,
  type CompiledStatement,
  type Page,
  type ParsedQuery,
  type RowPosition,
  type SqlValue,
  type StatementTemplate,
  type StatementValues,
  shapeRow,
} from '@lintel/query';
import { maxRowsOf, tooManyObjects } from './assert-response.ts';
import { compileQuery } from './compile-query.ts';
import { executeCount, executeEstimate, executeRows, type JsonRow, streamRows } from './execute-statement.ts';
import type { CallerAccess, ReadDependencies } from './read-dependencies.ts';
import type { PreparedRead } from './statement-cache.ts';

/** A query with its statements, and everything that their values come from. */
export interface Line {
  readonly parsed: ParsedQuery;
  readonly model: Model;
  readonly access: CallerAccess;
  readonly prepared: PreparedRead;
  readonly isKnown: boolean;
  /** The row that the page begins behind. */
  readonly after: RowPosition | undefined;
}

/**
 * The statements of a query, compiled where its shape is new.
 *
 * @param isUnlimited the rows have no limit: internal data sets only
 * @param after the row that the page begins behind
 */
export function enterLine(
  parsed: ParsedQuery,
  model: Model,
  access: CallerAccess,
  deps: Pick<ReadDependencies, 'displayIn' | 'statements'>,
  isUnlimited = false,
  after?: RowPosition,
): Line {
  const display = deps.displayIn(access.locale);
  const tokens = access.sealToken !== undefined;
  const compile = (): PreparedRead =>
    compileQuery(parsed, model, access.read, { isUnlimited, after, display, tokens, bounds: deps.statements.bounds });
  const place = isUnlimited ? 'all' : after === undefined ? 'page' : `behind ${after.order} ${nullsOf(after)}`;
  const variant = `${place} ${display.key}${tokens ? ' tokens' : ''}${parsed.limits.key}`;
  return { parsed, model, access, after, ...deps.statements.prepare(parsed, model, access.read, variant, compile) };
}

/** Which of the values are null: all of a position that the statement's text depends on. */
const nullsOf = ({ values }: RowPosition): string => values.map((value) => (value === null ? 0 : 1)).join('');

/** A statement of the line with the values of this request. */
export function bindLine(
  { parsed, model, access, after }: Line,
  template: StatementTemplate,
  values: { readonly id?: StatementValues['id']; readonly page?: Page } = {},
): CompiledStatement {
  return bindStatement(template, {
    model,
    inputs: parsed.inputs,
    ...(parsed.select === undefined ? {} : { arguments: parsed.select.arguments }),
    id: values.id ?? [],
    limit: values.page?.limit,
    offset: values.page?.offset,
    ...(after === undefined ? {} : { position: after.values }),
    sessionValue: access.sessionValue,
  });
}

/** One instance as the answer shows it. */
export interface Instance {
  readonly json: string;
  /** Undefined where the entity has no version. */
  readonly version: string | undefined;
}

/** The JSON of a row; undefined where a predicate hides it from the caller. */
export const shapeOne = ({ prepared, parsed, access }: Line, { json }: JsonRow): string | undefined =>
  shapeRow(json, prepared.rows.shape, {
    omitNulls: !parsed.returnNulls,
    session: access.sessionValue,
    ...(access.sealToken === undefined ? {} : { encryptToken: access.sealToken }),
  });

/** The place of a row in the order of the list; undefined where no page follows. */
export function positionOf({ prepared }: Line, row: JsonRow | undefined): RowPosition | undefined {
  const { order, positionColumns } = prepared.rows;
  if (row === undefined || positionColumns === 0) return undefined;
  return { order, values: Array.from({ length: positionColumns }, (_, at) => row[`position_${at}`] ?? null) };
}

/** Runs the line's statement for one id; undefined where there is no instance or the caller may not see it. */
export async function readOne(
  line: Line,
  id: readonly SqlValue[],
  runner: StatementRunner,
  signal: AbortSignal | undefined,
): Promise<Instance | undefined> {
  const statement = bindLine(line, line.prepared.rows, { id });
  const [row] = await executeRows(statement, line, runner, signal);
  const json = row === undefined ? undefined : shapeOne(line, row);
  return json === undefined ? undefined : { json, version: row?.version };
}

/**
 * Runs the line's statement for several ids in one go.
 *
 * @returns the JSON of those that are there and that the caller may see, by their place in `ids`
 */
export async function readEach(
  line: Line,
  ids: readonly (readonly SqlValue[])[],
  runner: StatementRunner,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<number, string>> {
  const parts = ids[0]?.map((_, part) => ids.map((id) => id[part] ?? null)) ?? [];
  const statement = bindLine(line, line.prepared.each(), { id: parts });
  const rows = await executeRows(statement, line, runner, signal);
  return new Map(
    rows.flatMap((row): [number, string][] => {
      const json = shapeOne(line, row);
      return json === undefined ? [] : [[Number((row as { readonly at?: string }).at), json]];
    }),
  );
}

/** Rows of a page, and where it ends: undefined for one that is not full, or whose limit was not asked for. */
export interface PageOf<Rows> {
  readonly rows: Rows;
  readonly end: RowPosition | undefined;
}

type Deps = Pick<ReadDependencies, 'database'>;

/** Runs the line's statement for a page; the rows come at once. */
export async function readPage(
  line: Line,
  page: Page,
  deps: Deps,
  signal: AbortSignal,
): Promise<PageOf<readonly string[]>> {
  const statement = bindLine(line, line.prepared.rows, { page });
  const rows = await executeRows(statement, line, deps.database, signal);
  return {
    rows: rows.flatMap((row) => shapeOne(line, row) ?? []),
    end: positionOf(line, rows[page.limit - 1]),
  };
}

/**
 * Runs the line's statement for a page through a cursor. Where it ends is asked for before, since the head
 * of the answer tells it: a statement of its own, which sees the same rows. The rows must be read or left.
 *
 * @throws PlatformError REQ_COST_EXCEEDED for more rows than a response may have, where no limit was asked for
 */
export async function streamPage(
  line: Line,
  page: Page,
  deps: Deps,
  signal: AbortSignal,
): Promise<PageOf<AsyncIterable<readonly string[]>>> {
  const { rows: template, streamed, end } = line.prepared;
  const maxRows = maxRowsOf(line);
  const isTooLong = page.limit > maxRows;
  const isPlaced = template.positionColumns > 0;
  if (!isPlaced && !isTooLong) return { rows: readBatches(line, page, deps, signal), end: undefined };
  // The last row that is asked for is then the first one too many.
  const first = bindLine(line, end(), { page: isTooLong ? { ...page, limit: maxRows + 1 } : page });
  const statement = bindLine(line, isPlaced ? streamed() : template, { page });
  const batches = streamRows(statement, first, line, deps.database, signal)[Symbol.asyncIterator]();
  const { value: ends } = (await batches.next()) as IteratorResult<readonly JsonRow[], undefined>;
  const last = ends?.[0];
  if (isTooLong && last !== undefined) {
    await batches.return?.();
    throw tooManyObjects(line, maxRows + 1, `more than ${maxRows}`);
  }
  const rows = shapeBatches(line, { [Symbol.asyncIterator]: () => batches });
  return { rows, end: isTooLong ? undefined : positionOf(line, last) };
}

async function* shapeBatches(
  line: Line,
  batches: AsyncIterable<readonly JsonRow[]>,
): AsyncGenerator<readonly string[]> {
  for await (const rows of batches) yield rows.flatMap((row) => shapeOne(line, row) ?? []);
}

/** Runs the line's statement through a cursor; `page` is undefined for statements without a limit. */
export const readBatches = (
  line: Line,
  page: Page | undefined,
  deps: Deps,
  signal: AbortSignal,
): AsyncIterable<readonly string[]> => shapeBatches(line, readRows(line, page, deps, signal));

/** The same, as the database answers them. */
export function readRows(
  line: Line,
  page: Page | undefined,
  deps: Deps,
  signal: AbortSignal,
): AsyncIterable<readonly JsonRow[]> {
  const statement = bindLine(line, line.prepared.rows, page === undefined ? {} : { page });
  return streamRows(statement, undefined, line, deps.database, signal);
}

/** Runs the line's count statement. */
export const readCount = (line: Line, deps: Deps, signal: AbortSignal): Promise<number> =>
  executeCount(bindLine(line, line.prepared.count()), line, deps.database, signal);

/** Asks the planner for the count: rows are not read, so the number is rough. */
export const readEstimate = (line: Line, deps: Deps, signal: AbortSignal): Promise<number> =>
  executeEstimate(bindLine(line, line.prepared.estimate()), line, deps.database, signal);
