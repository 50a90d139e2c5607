import { costExceeded } from '@lintel/errors';
import type { CompiledStatement, Page } from '@lintel/query';
import { executeExplain } from './execute-statement.ts';
import { bindRead, type PreparedRead } from './prepared-read.ts';
import type { ReadDependencies } from './read-dependencies.ts';
import type { CompiledRead, ExpectedCost } from './statement-cache.ts';

/** Those of a page keep their values: these say how many rows are read, not which. */
const PARAMETER = /(?<!(?:LIMIT|OFFSET) )\$\d+/g;

/**
 * A statement that the planner cannot compare with its statistics of values: it sees each parameter as a sub-select,
 * whose result it does not know. `EXPLAIN (GENERIC_PLAN)` would do the same, but PostgreSQL 15 does not have it.
 *
 * @param text of a compiled statement, in which each parameter has a cast
 */
const withUnknownValues = (text: string): string => text.replace(PARAMETER, (parameter) => `(SELECT ${parameter})`);

const PROPERTY = 'svc.rest.max-query-cost';
/** How long a statement counts as affordable once it was. */
const KNOWN_MS = 60_000;

type Deps = Pick<ReadDependencies, 'database' | 'limits'>;

/**
 * Asks the planner what reading a page will cost, where its shape is a large one (`PreparedRead.isLarge`); ordinary
 * requests never pay for it. Where row-level policies hold for the caller, the values of the request have no influence.
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
      // The statement has no limit where predicates choose the rows.
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
  // Where predicates choose the rows, all of them are read.
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
  /** What is known of the statement. */
  readonly expected: ExpectedCost;
  /** Rows of the page, those before it included. */
  readonly rows: number;
  readonly statement: () => Pick<CompiledStatement, 'name' | 'text' | 'values'>;
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
  const { name, text, values } = statement();
  // Statistics are about all rows: a refusal that depends on values would disclose those of rows that policies hide.
  const asked = { name, text: isLimited() ? withUnknownValues(text) : text, values };
  const cost = await executeExplain(asked, database, signal);
  if (cost > maxQueryCost)
    throw costExceeded(`The expected cost of the request is above the maximum of ${maxQueryCost}`, PROPERTY);
  // Another request may have asked about a longer page meanwhile.
  if (expected.untilMs > nowMs && rows < expected.rows) return;
  expected.cost = cost;
  expected.rows = rows;
  expected.untilMs = nowMs + KNOWN_MS;
}
