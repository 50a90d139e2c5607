import type { PredefinedQuery } from '@lintel/application';

/** The description of a predefined query in the API (contract/queries.md#endpoints). */
export interface QueryDescription {
  readonly name: string;
  readonly jpql: string;
  readonly entityName: string;
  /** The same as `fetchPlanName`, for older clients. */
  readonly viewName: string | null;
  readonly fetchPlanName: string | null;
  readonly limit: number | null;
  readonly offset: number | null;
  readonly cacheable: boolean;
  readonly anonymousAllowed: boolean;
  readonly params: readonly { readonly name: string; readonly type: string }[];
}

/** Describes the predefined queries of an entity, in the order of their definitions. */
export const describeQueries = (queries: Iterable<PredefinedQuery>): readonly QueryDescription[] =>
  [...queries].map(describeQuery);

/** Describes one predefined query. */
export const describeQuery = (query: PredefinedQuery): QueryDescription => ({
  name: query.name,
  jpql: query.text.trim(),
  entityName: query.entity,
  viewName: query.fetchPlan ?? null,
  fetchPlanName: query.fetchPlan ?? null,
  limit: query.limit ?? null,
  offset: query.offset ?? null,
  cacheable: query.cacheable ?? false,
  anonymousAllowed: query.anonymousAllowed ?? false,
  params: query.declared.map(({ name, typeName }) => ({ name, type: typeName })),
});
