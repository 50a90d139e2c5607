import {
  type Aggregate,
  type AggregateOptions,
  type AggregateRow,
  type Client,
  type GroupBy,
  writeFilter,
} from '@lintel/client';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useClient } from '../model/lintel-provider.ts';
import type { EntityName, RegisteredApi } from '../register.ts';
import { listsKey } from './keys.ts';

/** What is grouped and aggregated. */
export interface UseAggregateOptions<E extends EntityName, G, V>
  extends Omit<AggregateOptions<RegisteredApi, E, G, V>, 'signal'> {
  /** Whether it is read now; true by default. */
  readonly enabled?: boolean | undefined;
}

/** Groups of instances with aggregates; the former groups stay until others arrive. */
export function useAggregate<
  E extends EntityName,
  const G extends readonly GroupBy[] = [],
  const V extends Readonly<Record<string, Aggregate>> = Record<never, Aggregate>,
>(entity: E, options: UseAggregateOptions<E, G, V>): UseQueryResult<readonly AggregateRow<G, V>[], Error> {
  const client = useClient() as unknown as Client;
  const { enabled = true, filter, ...rest } = options;
  const read = { ...rest, filter: writeFilter(filter) };
  return useQuery({
    queryKey: [...listsKey(entity), 'groups', read],
    queryFn: ({ signal }) => client.aggregate(entity, { ...read, signal }),
    placeholderData: keepPreviousData,
    enabled,
  });
}
