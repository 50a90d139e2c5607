import type { PredefinedQueries, PredefinedQuery } from '@lintel/application';
import { entityOf, type Model } from '@lintel/metadata';
import { callerQueries } from '@lintel/openapi';
import { argumentEntities, type ReadAccess } from '@lintel/query';
import { describeLiteral, type ValueTypeInfo } from '../methods/describe-value-type.ts';
import { describeQuery, type QueryDescription } from './describe-queries.ts';

/** A query in the list of those that the caller may run (contract/queries.md#callable). */
export interface CallableQuery extends Omit<QueryDescription, 'params'> {
  readonly returns: PredefinedQuery['returns'];
  readonly params: readonly (QueryDescription['params'][number] & { readonly valueType: ValueTypeInfo })[];
}

/**
 * Creates the list of the queries whose text names nothing that is hidden from the caller, by entity. What a query is
 * does not depend on the caller: it is described once.
 */
export function createCallableQueries(
  queries: PredefinedQueries,
): (model: Model, read: ReadAccess) => readonly CallableQuery[] {
  const described = new Map<PredefinedQuery, CallableQuery>();
  const describe = (query: PredefinedQuery, model: Model): CallableQuery => {
    const description = described.get(query) ?? describeCallable(query, model);
    described.set(query, description);
    return description;
  };
  return (model, read) =>
    [...callerQueries(queries, model, { read })]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([, named]) => [...named.values()].map((query) => describe(query, model)));
}

function describeCallable(query: PredefinedQuery, model: Model): CallableQuery {
  const { entity, select, declared, returns } = query;
  const entities = argumentEntities(model, entityOf(model, entity), select, declared);
  return {
    ...describeQuery(query),
    returns,
    params: declared.map(({ name, typeName, type, isList }) => ({
      name,
      type: typeName,
      valueType: describeLiteral(type, isList, entities.get(name)),
    })),
  };
}
