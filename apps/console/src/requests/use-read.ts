import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useApi } from '../context.ts';
import type { Endpoint } from '../model/api.ts';

interface ReadOptions<T> extends Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'> {
  /** Parameters of the address. */
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** The query for what is at a path of the API that the client has no method for. */
export function useRead<T>(
  queryKey: QueryKey,
  endpoint: Endpoint,
  path: string,
  { query = {}, ...options }: ReadOptions<T> = {},
) {
  const api = useApi();
  return useQuery<T>({ queryKey, queryFn: ({ signal }) => api.get<T>(endpoint, path, query, signal), ...options });
}
