import { PlatformError } from '@lintel/errors';
import { type Attribute, entityOf, isToMany, type MemberSelection, type Model } from '@lintel/metadata';
import { readExactJson } from '../json/exact-json.ts';
import type { QueryLimits } from '../limits/query-limits.ts';
import { beginReading, readFilter } from '../parse/parse-filter.ts';
import { parseSort } from '../parse/parse-parameters.ts';
import { inPlanOf, PlanFilter } from '../parse/parse-selections.ts';
import { resolveCondition } from './resolve-condition.ts';
import { resolveSort } from './resolve-sort.ts';
import type { ResolvedMembers, ResolvedNode } from './resolved-query.ts';

/**
 * Binds the selection of a collection's members (contract/fetch-plans.md#members).
 *
 * @throws PlatformError REQ_INVALID_FETCH_PLAN naming the attribute, also of what is no collection of instances;
 *   REQ_COST_EXCEEDED
 */
export function resolveMembers(
  model: Model,
  attribute: Attribute,
  selection: MemberSelection,
  limits: QueryLimits,
): ResolvedMembers {
  if (attribute.kind !== 'reference' || !isToMany(attribute) || !attribute.persistent)
    throw new PlatformError(
      'REQ_INVALID_FETCH_PLAN',
      `${attribute.name} of ${attribute.declaredBy} is no collection of instances: it has no ${Object.keys(selection).join(', ')}`,
    );
  const { filter, sort = '', limit, offset, count = false } = selection;
  const target = entityOf(model, attribute.target);
  return inPlanOf(attribute, () => {
    const condition = filter instanceof PlanFilter ? filter.condition : declaredFilter(filter, limits);
    return {
      filter: condition === undefined ? undefined : resolveCondition(model, target, condition, limits),
      sort: resolveSort(model, target, parseSort({ sort }), limits),
      limit,
      offset,
      isCounted: count,
    };
  });
}

/** The filter of a plan that the application declares. */
const declaredFilter = (filter: unknown, limits: QueryLimits) =>
  filter === undefined ? undefined : readFilter(readExactJson(JSON.stringify(filter)), beginReading(undefined, limits));

/** The selections of all collections below a node, each as often as the node is shown. */
export const selectionsIn = ({ properties }: ResolvedNode): readonly ResolvedMembers[] =>
  properties.flatMap(({ node, members }) => [
    ...(members === undefined ? [] : [members]),
    ...(node === undefined ? [] : selectionsIn(node)),
  ]);
