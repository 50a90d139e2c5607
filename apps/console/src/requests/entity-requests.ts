import { type ConditionGroup, namesDynamic, type Paths, sortsByDynamic, writePlan } from '@lintel/client';
import type { DescribedRequest } from './described-request.ts';

interface ShownList {
  readonly entityName: string;
  readonly filter: ConditionGroup;
  /** Words of a search beside the filter. */
  readonly q?: string | undefined;
  readonly sort: string | undefined;
  /** A literal of the client. */
  readonly plan: object;
  /** It shows dynamic attributes. */
  readonly showsDynamic: boolean;
  readonly limit: number;
}

/** The request for a page of a list. */
export const listRequest = (
  { entities }: Paths,
  { entityName, filter, q, sort, plan, showsDynamic, limit }: ShownList,
): DescribedRequest => ({
  method: 'POST',
  path: `${entities}/${encodeURIComponent(entityName)}/search`,
  body: {
    filter,
    q,
    ...((showsDynamic || namesDynamic(filter) || sortsByDynamic(sort)) && { dynamicAttributes: true }),
    ...(sort !== undefined && { sort }),
    fetchPlan: writePlan(plan, entityName),
    limit,
  },
});

/** The request for an instance; `id` is the segment of its path. */
export const instanceRequest = (
  { entities }: Paths,
  entityName: string,
  id: string,
  plan: object,
): DescribedRequest => ({
  method: 'GET',
  path: `${entities}/${encodeURIComponent(entityName)}/${encodeURIComponent(id)}`,
  query: { fetchPlan: writePlan(plan, entityName), dynamicAttributes: true },
});
