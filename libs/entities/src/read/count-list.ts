import type { Page } from '@lintel/query';
import { assertCountAffordable } from './assert-affordable.ts';
import type { CountPreference } from './preferences.ts';
import type { ReadDependencies } from './read-dependencies.ts';
import { readFiltered } from './read-filtered.ts';
import { type Line, readCount, readEstimate } from './read-line.ts';
import { withTimeBudget } from './time-budget.ts';

/** Nothing of the list but its length. */
const NO_ROWS: Page = Object.freeze({ limit: 0, offset: 0 });

type Deps = Pick<ReadDependencies, 'database'>;

/** The number of all rows that the caller may see. */
export async function countExactly(line: Line, deps: Deps, signal: AbortSignal): Promise<number> {
  if (!line.prepared.isFiltered) return readCount(line, deps, signal);
  return (await readFiltered(line, NO_ROWS, true, deps, signal)).total;
}

/** The same for a request that asks for nothing else. */
export async function countRequested(
  line: Line,
  deps: Deps & Pick<ReadDependencies, 'limits'>,
  signal: AbortSignal,
): Promise<number> {
  const { prepared } = line;
  if (prepared.isLarge) await assertCountAffordable(line, deps, signal);
  const { timeLimitMs } = deps.limits;
  const database = prepared.isFiltered ? withTimeBudget(deps.database, timeLimitMs) : deps.database;
  return countExactly(line, { database }, signal);
}

/** How a list is counted, and the preference that was followed in that, if there was one. */
export interface CountDecision {
  readonly kind: CountPreference;
  readonly applied: CountPreference | undefined;
}

/** `returnCount` is exact, whatever is preferred. */
export function decideCount({ parsed, prepared }: Line, preferred: CountPreference | undefined): CountDecision {
  if (parsed.returnCount) return { kind: 'exact', applied: preferred === 'exact' ? 'exact' : undefined };
  // The planner's statistics are about all rows: its number would disclose values of rows that policies hide.
  const kind = preferred === 'estimated' && prepared.isLimited() ? 'exact' : (preferred ?? 'none');
  return { kind, applied: preferred === undefined ? undefined : kind };
}

/**
 * The planner's number of rows, put right by what the page shows: it is never less than was answered, and
 * a page that ends the list tells the number.
 *
 * @param answered rows of the page; undefined where they follow later
 */
export async function countRoughly(
  line: Line,
  page: Page,
  answered: number | undefined,
  deps: Deps,
  signal: AbortSignal,
): Promise<number> {
  if (
    line.after === undefined &&
    answered !== undefined &&
    answered < page.limit &&
    (answered > 0 || page.offset === 0)
  )
    return page.offset + answered;
  return Math.max(await readEstimate(line, deps, signal), page.offset + (answered ?? 0));
}
