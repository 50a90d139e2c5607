import type { Page } from '@lintel/query';
import { assertCountAffordable } from '../limits/assert-affordable.ts';
import { withTimeBudget } from '../limits/time-budget.ts';
import type { CountPreference } from '../preferences.ts';
import { type PreparedRead, readCount, readEstimate } from '../prepare/prepared-read.ts';
import type { ReadDependencies } from '../read-dependencies.ts';
import { readFiltered } from './read-filtered.ts';

/** A page without rows: only the count is wanted. */
const NO_ROWS: Page = Object.freeze({ limit: 0, offset: 0 });

type Deps = Pick<ReadDependencies, 'database'>;

/** The number of all rows that the caller may see. */
export async function countExactly(read: PreparedRead, deps: Deps, signal: AbortSignal): Promise<number> {
  if (!read.compiled.isFiltered) return readCount(read, deps, signal);
  return (await readFiltered(read, NO_ROWS, true, deps, signal)).total;
}

/** The same for the count routes; the cost of a large statement is checked first. */
export async function countRequested(
  read: PreparedRead,
  deps: Deps & Pick<ReadDependencies, 'limits'>,
  signal: AbortSignal,
): Promise<number> {
  const { compiled } = read;
  if (compiled.isLarge) await assertCountAffordable(read, deps, signal);
  const { timeLimitMs } = deps.limits;
  const database = compiled.isFiltered ? withTimeBudget(deps.database, timeLimitMs) : deps.database;
  return countExactly(read, { database }, signal);
}

/** How a list is counted, and the applied preference if the client sent one. */
export interface CountDecision {
  readonly kind: CountPreference;
  readonly applied: CountPreference | undefined;
}

/** `returnCount` is exact, with any preference. */
export function decideCount({ parsed, compiled }: PreparedRead, preferred: CountPreference | undefined): CountDecision {
  if (parsed.returnCount) return { kind: 'exact', applied: preferred === 'exact' ? 'exact' : undefined };
  // The planner's statistics cover all rows: the estimate would disclose values of rows that policies hide.
  const kind = preferred === 'estimated' && compiled.isLimited() ? 'exact' : (preferred ?? 'none');
  return { kind, applied: preferred === undefined ? undefined : kind };
}

/**
 * The planner's estimate, corrected by the page: it is never less than the rows of the page, and exact if the page
 * ends the list.
 *
 * @param pageRows rows of the page; undefined if they are streamed later
 */
export async function countRoughly(
  read: PreparedRead,
  page: Page,
  pageRows: number | undefined,
  deps: Deps,
  signal: AbortSignal,
): Promise<number> {
  if (
    read.after === undefined &&
    pageRows !== undefined &&
    pageRows < page.limit &&
    (pageRows > 0 || page.offset === 0)
  )
    return page.offset + pageRows;
  return Math.max(await readEstimate(read, deps, signal), page.offset + (pageRows ?? 0));
}
