import { costExceeded } from '@lintel/errors';
import type { CompiledStatement, Page } from '@lintel/query';
import { executeExplain } from './execute-statement.ts';
import type { ReadDependencies } from './read-dependencies.ts';
import { bindLine, type Line } from './read-line.ts';
import type { ExpectedCost, PreparedRead } from './statement-cache.ts';
import { withUnknownValues } from './unknown-values.ts';

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
  line: Line,
  page: Page | undefined,
  deps: Deps,
  signal: AbortSignal,
): Promise<void> {
  const { prepared } = line;
  if (!prepared.isLarge) return;
  await assertExpected(
    prepared,
    {
      expected: prepared.expected.rows,
      // The statement has no limit where predicates choose the rows.
      rows: page === undefined || prepared.isFiltered ? Number.POSITIVE_INFINITY : page.offset + page.limit,
      statement: () => bindLine(line, prepared.rows, page === undefined ? {} : { page }),
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
export async function assertCountAffordable(line: Line, deps: Deps, signal: AbortSignal): Promise<void> {
  const { prepared } = line;
  if (!prepared.isLarge) return;
  // Where predicates choose the rows, all of them are read.
  if (prepared.isFiltered) return assertAffordable(line, undefined, deps, signal);
  await assertExpected(
    prepared,
    {
      expected: prepared.expected.count,
      rows: Number.POSITIVE_INFINITY,
      statement: () => bindLine(line, prepared.count()),
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
  { isLimited }: Pick<PreparedRead, 'isLimited'>,
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
