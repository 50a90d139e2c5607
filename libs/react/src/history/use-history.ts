import type { Client, HistoryChange, HistoryOptions, Id } from '@lintel/client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { idSegment } from '../entities/keys.ts';
import { useClient } from '../model/lintel-provider.ts';
import type { EntityName } from '../register.ts';

/** The recorded changes of an instance that were read so far. */
export interface ReadHistory {
  /** The newest first; undefined until the first page is there. */
  readonly changes: readonly HistoryChange[] | undefined;
  readonly error: Error | null;
  /** Whether there are older changes. */
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** Reads the next older changes. */
  more(): void;
  /** Reads all of them again. */
  reload(): void;
}

/** Selects changes, which are read only while `enabled` is not false. */
export interface UseHistoryOptions extends Omit<HistoryOptions, 'cursor' | 'signal'> {
  readonly enabled?: boolean | undefined;
}

/** Key of the histories of an entity in the cache of TanStack Query. */
export const historyKey = (entity: string): readonly string[] => ['history', entity];

/** The recorded changes of an instance, page by page. */
export function useHistory(
  entity: EntityName,
  id: Id,
  { enabled = true, ...options }: UseHistoryOptions = {},
): ReadHistory {
  const client = useClient() as unknown as Client;
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [...historyKey(entity), idSegment(id), options],
    queryFn: ({ pageParam, signal }) => client.history(entity, id).page({ ...options, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
    enabled,
  });
  return {
    changes: data?.pages.flatMap(({ items }) => items),
    error,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    more: () => void fetchNextPage(),
    reload: () => void refetch(),
  };
}
