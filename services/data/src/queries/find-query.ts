import { IMPLICIT_QUERY, type PredefinedQueries, type PredefinedQuery } from '@lintel/application';
import { PlatformError } from '@lintel/errors';

/**
 * The query with the name; undefined for the one that every entity has without a definition, in upper or lower case
 * (contract/queries.md#endpoints).
 *
 * @throws PlatformError MODEL_QUERY_NOT_FOUND
 */
export function findQuery(queries: PredefinedQueries, entity: string, name: string): PredefinedQuery | undefined {
  if (name.toLowerCase() === IMPLICIT_QUERY) return undefined;
  const found = queries.get(entity)?.get(name);
  if (found === undefined)
    throw new PlatformError('MODEL_QUERY_NOT_FOUND', `Query with name ${name} for entity ${entity} not found`);
  return found;
}
