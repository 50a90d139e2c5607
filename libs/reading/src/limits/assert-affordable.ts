import { costExceeded } from '@lintel/errors';
import type { CompiledStatement, Page } from '@lintel/query';
import { bindRead, type PreparedRead } from '../prepare/prepared-read.ts';
import type { ReadDependencies } from '../read-dependencies.ts';
import { executeExplain } from '../statements/execute-statement.ts';
import type { CompiledRead, ExpectedCost } from '../statements/statement-cache.ts';

/** The parameters of LIMIT and OFFSET keep their values: they set how many rows are read, not which ones. */
const PARAMETER = /(?<!(?:LIMIT|OFFSET) )\$\d+/g;

/**
 * A statement that the planner cannot compare with its value statistics: each parameter becomes a sub-select with a
 * result unknown to the planner. `EXPLAIN (GENERIC_PLAN)` would do the same, but PostgreSQL 15 does not have it.
 *
 * @param text of a compiled statement, in which each parameter has a cast
 */
const withUnknownValues = (text: string): string => text.replace(PARAMETER, (parameter) => `(SELECT ${parameter})`);

const PROPERTY = 'svc.rest.max-query-cost';
/** How long a statement counts as affordable once it was. */
const KNOWN_MS = 60_000;

type Deps = Pick<ReadDependencies, 'database' | 'limits'>;

/**
 * Asks the planner for the cost of reading a page if its shape is a large one (`PreparedRead.isLarge`); ordinary
 * requests cause no such query. If row-level policies apply to the caller, the values of the request have no influence.
 *
 * @param page undefined for all rows
 * @throws PlatformError REQ_COST_EXCEEDED above `svc.rest.max-query-cost`
 */
export async function assertAffordable(
  read: PreparedRead,
  page: Page | undefined,
  deps: Deps,
  signal: AbortSignal,
): Promise<void> {
  const { compiled } = read;
  if (!compiled.isLarge) return;
  await assertExpected(
    compiled,
    {
      expected: compiled.expected.rows,
      // The statement has no LIMIT if predicates choose the rows.
      rows: page === undefined || compiled.isFiltered ? Number.POSITIVE_INFINITY : page.offset + page.limit,
      statement: () => bindRead(read, compiled.rows, page === undefined ? {} : { page }),
    },
    deps,
    signal,
  );
}

/**
 * The same for counting all rows.
 *
 * @throws PlatformError REQ_COST_EXCEEDED above `svc.rest.max-query-cost`
 */
export async function assertCountAffordable(read: PreparedRead, deps: Deps, signal: AbortSignal): Promise<void> {
  const { compiled } = read;
  if (!compiled.isLarge) return;
  // If predicates choose the rows, all rows are read.
  if (compiled.isFiltered) return assertAffordable(read, undefined, deps, signal);
  await assertExpected(
    compiled,
    {
      expected: compiled.expected.count,
      rows: Number.POSITIVE_INFINITY,
      statement: () => bindRead(read, compiled.count()),
    },
    deps,
    signal,
  );
}

interface Asked {
  /** The cached estimates of the statement. */
  readonly expected: ExpectedCost;
  /** Rows of the page, those before it included. */
  readonly rows: number;
  readonly statement: () => Omit<CompiledStatement, 'shape'>;
}

/** @throws PlatformError REQ_COST_EXCEEDED */
export async function assertExpected(
  { isLimited }: Pick<CompiledRead, 'isLimited'>,
  { expected, rows, statement }: Asked,
  { database, limits: { maxQueryCost = 0 } }: Deps,
  signal: AbortSignal,
): Promise<void> {
  if (maxQueryCost === 0) return;
  const nowMs = performance.now();
  if (expected.untilMs > nowMs && rows <= expected.rows) return;
  const asked = statement();
  // Statistics are about all rows: a refusal that depends on values would disclose those of rows that policies hide.
  const text = isLimited() ? withUnknownValues(asked.text) : asked.text;
  const cost = await executeExplain({ ...asked, text }, database, signal);
  if (cost > maxQueryCost)
    throw costExceeded(`The expected cost of the request is above the maximum of ${maxQueryCost}`, PROPERTY);
  // Another request may have estimated a longer page meanwhile.
  if (expected.untilMs > nowMs && rows < expected.rows) return;
  expected.cost = cost;
  expected.rows = rows;
  expected.untilMs = nowMs + KNOWN_MS;
}
