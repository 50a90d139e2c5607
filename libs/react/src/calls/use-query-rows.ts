import type { Client, QueryOptions } from '@lintel/client';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useClient } from '../model/lintel-provider.ts';
import type { EntityName, QueryName, QueryTypes, RegisteredApi } from '../register.ts';

/** How a predefined query is run. */
export interface QueryRowsOptions extends Omit<QueryOptions, 'signal'> {
  /** Whether it runs now, for example when its parameters are complete; true by default. */
  readonly enabled?: boolean | undefined;
}

/** The rows of a predefined query. */
export function useQueryRows<E extends EntityName, Q extends QueryName<E>>(
  entity: E,
  query: Q,
  parameters: Parameters<Client<RegisteredApi>['query']>[2] & QueryTypes<E, Q>['parameters'],
  options: QueryRowsOptions = {},
): UseQueryResult<QueryTypes<E, Q>['result'], Error> {
  const client = useClient() as unknown as Client;
  const { enabled = true, ...read } = options;
  return useQuery({
    queryKey: ['query', entity, query, parameters, read],
    queryFn: ({ signal }) => client.query(entity, query, parameters, { ...read, signal }),
    placeholderData: keepPreviousData,
    enabled,
  });
}
