import { isPlatformError, PlatformError } from '@lintel/errors';
import { MEMBER_SELECTION, type MemberSelection } from '@lintel/metadata';
import type { Condition } from '../ast/condition.ts';
import { type ExactJson, type ExactObject, isExactObject } from '../json/exact-json.ts';
import { type Reading, readFilter } from './parse-filter.ts';
import { parseCount, parseFlag, parseSearch } from './parse-parameters.ts';
import type { ParsedFetchPlan } from './parsed-query.ts';

/** A filter of a fetch plan in a request, whose values are apart from it. */
export class PlanFilter {
  readonly condition: Condition | undefined;

  constructor(condition: Condition | undefined) {
    this.condition = condition;
  }
}

/** A search beside a filter. */
export const withSearch = (search: Condition, filter: Condition | undefined): Condition =>
  filter === undefined ? search : Object.freeze({ kind: 'and', conditions: Object.freeze([search, filter]) });

/** The plan with the filters of its collections parsed: their values join those of the request. */
export function withSelections(plan: ParsedFetchPlan, reading: Reading): ParsedFetchPlan {
  if (plan.kind !== 'inline') return plan;
  const definition = inPlan(plan.definition, reading);
  return definition === plan.definition ? plan : { kind: 'inline', definition };
}

/** Returns the given object if nothing in it has a filter. */
function inPlan(plan: ExactObject, reading: Reading): ExactObject {
  const items: unknown = plan['properties'];
  if (!Array.isArray(items)) return plan;
  const parsed = (items as readonly ExactJson[]).map((item) => (isExactObject(item) ? inItem(item, reading) : item));
  return parsed.every((item, at) => item === items[at]) ? plan : { ...plan, properties: parsed };
}

function inItem(item: ExactObject, reading: Reading): ExactObject {
  const { fetchPlan: nested, filter, q, ...others } = item;
  const below = isExactObject(nested) ? inPlan(nested, reading) : nested;
  const changed = below === nested || below === undefined ? item : { ...item, fetchPlan: below };
  if (filter === undefined && q === undefined) return changed;
  const parsed = inPlanOf(item, () => {
    const filtered = filter === undefined ? undefined : readFilter(filter, reading);
    const search = q === undefined ? undefined : parseSearch({ q }, reading.inputs ?? []);
    return new PlanFilter(search === undefined ? filtered : withSearch(search, filtered));
  });
  const given = below === undefined ? others : { ...others, fetchPlan: below };
  return { ...given, filter: parsed as unknown as ExactJson };
}

/** The error of a plan for a mistake in the selection of a property. */
export function inPlanOf<T>({ name }: { readonly name?: unknown }, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isPlatformError(error) || !SELECTION_ERRORS.has(error.code)) throw error;
    const of = typeof name === 'string' ? name : 'a property without a name';
    throw new PlatformError('REQ_INVALID_FETCH_PLAN', `${of}: ${error.details}`, { cause: error });
  }
}

const SELECTION_ERRORS = new Set<string>([
  'REQ_INVALID_FILTER',
  'REQ_MALFORMED_JSON',
  'REQ_INVALID_SORT',
  'REQ_INVALID_PARAMETER',
]);

/** The selection that an item of an inline plan has; undefined if it has none. */
export function memberSelection(item: ExactObject): MemberSelection | undefined {
  if (!MEMBER_SELECTION.some((name) => item[name] !== undefined)) return undefined;
  return inPlanOf(item, () => {
    const { filter, sort } = item;
    if (sort !== undefined && typeof sort !== 'string')
      throw new PlatformError('REQ_INVALID_PARAMETER', "Parameter 'sort' must be a text of comma-separated attributes");
    const [limit, offset] = [parseCount(item, 'limit'), parseCount(item, 'offset')];
    return {
      ...(filter === undefined ? {} : { filter }),
      ...(sort === undefined ? {} : { sort }),
      ...(limit === undefined ? {} : { limit }),
      ...(offset === undefined ? {} : { offset }),
      ...(parseFlag(item, 'count') ? { count: true } : {}),
    };
  });
}
