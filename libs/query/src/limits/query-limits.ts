import { costExceeded, type PlatformError } from '@lintel/errors';

/** The limits of one read request (contract/decisions.md#74). */
export interface QueryLimits {
  /** Objects of a resolved fetch plan, counted through references. */
  readonly planNodes: number;
  readonly planDepth: number;
  /** References in one path of a filter, sort or query. */
  readonly pathHops: number;
  /** Steps through collections in all paths of a filter. */
  readonly toManySteps: number;
  /** Conditions of a filter, and keys of a sort. */
  readonly conditions: number;
  /** References in all paths of a filter and sort, or of a query. */
  readonly conditionHops: number;
  /** Values of all lists. */
  readonly listValues: number;
  readonly statementBytes: number;
  readonly statementParameters: number;
  /** Rows of a page, times the objects of its fetch plan; without a limit, of the rows that there are. */
  readonly responseNodes: number;
  /** Equal for equal limits only: what was accepted under other limits is checked again. */
  readonly key: string;
}

export type QueryLimit = Exclude<keyof QueryLimits, 'key'>;

/** For statements of the platform itself: no limits but the number of parameters, which PostgreSQL limits. */
export const UNLIMITED: QueryLimits = Object.freeze({
  planNodes: Number.POSITIVE_INFINITY,
  planDepth: Number.POSITIVE_INFINITY,
  pathHops: Number.POSITIVE_INFINITY,
  toManySteps: Number.POSITIVE_INFINITY,
  conditions: Number.POSITIVE_INFINITY,
  conditionHops: Number.POSITIVE_INFINITY,
  listValues: Number.POSITIVE_INFINITY,
  statementBytes: Number.POSITIVE_INFINITY,
  statementParameters: 65_535,
  responseNodes: Number.POSITIVE_INFINITY,
  key: 'unlimited',
});

/** The counted unit, and the property that sets the limit; the name of the limit where it is a constant. */
const TEXTS: Readonly<Record<QueryLimit, readonly [what: string, name: string]>> = {
  planNodes: ['Objects of the fetch plan', 'plan-nodes'],
  planDepth: ['Levels of the fetch plan', 'plan-depth'],
  pathHops: ['References in one path', 'path-hops'],
  toManySteps: ['Steps through collections', 'to-many-steps'],
  conditions: ['Conditions', 'conditions'],
  conditionHops: ['References in all paths', 'condition-hops'],
  listValues: ['Values of all lists', 'svc.rest.limits.list-values'],
  statementBytes: ['Bytes of the SQL statement', 'statement-size'],
  statementParameters: ['Parameters of the SQL statement', 'statement-parameters'],
  responseNodes: ['Rows of the page times objects of the fetch plan', 'response-nodes'],
};

/** Larger counts are reported by their order of magnitude. */
const MAX_EXACT = 1e15;

/**
 * Refuses a request above a limit.
 *
 * @param detail the part of the request that was counted, if it is not the whole request
 * @throws PlatformError REQ_COST_EXCEEDED with the requested number, the limit and its name
 */
export function assertLimit(limits: QueryLimits, limit: QueryLimit, requested: number, detail = ''): void {
  if (requested > limits[limit]) throw limitExceeded(limits, limit, requested, detail);
}

/** The error for a requested number above the limit: it names the number, the limit and its name. */
export function limitExceeded(limits: QueryLimits, limit: QueryLimit, requested: number, detail = ''): PlatformError {
  const [what, name] = TEXTS[limit];
  const number = requested > MAX_EXACT ? `more than ${MAX_EXACT}` : String(requested);
  const about = detail === '' ? '' : ` (${detail})`;
  return costExceeded(`${what}${about}: ${number}, the limit is ${limits[limit]}`, name);
}
