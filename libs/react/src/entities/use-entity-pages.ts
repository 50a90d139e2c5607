import { type Client, type PageOptions, type Shown, writeFilter, writeSort } from '@lintel/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../model/lintel-provider.ts';
import type { EntityName, RegisteredApi } from '../register.ts';
import { listsKey } from './keys.ts';

/** What a list shows. */
export interface EntityPagesOptions<E extends EntityName, P>
  extends Omit<PageOptions<RegisteredApi, E, P>, 'cursor' | 'signal'> {
  /** Whether it is read now; true by default. */
  readonly enabled?: boolean | undefined;
}

/** One page of a list, and the way to the others. */
export interface EntityPages<T> {
  /** Of the page that is shown; undefined until the first one is there. */
  readonly items: readonly T[] | undefined;
  /** The number of all instances, if `count` asks for it. */
  readonly total: number | undefined;
  /** From 1. */
  readonly pageNumber: number;
  /** Whether `previous` shows another page. */
  readonly hasPrevious: boolean;
  /** Whether `next` shows another page; false while a page is loaded. */
  readonly hasNext: boolean;
  /** Why the page could not be read. */
  readonly error: Error | null;
  /** Whether the items are those of another page or order, until the ones that are wanted arrive. */
  readonly isStale: boolean;
  /** Shows the next page, if there is one. */
  next(): void;
  /** Shows the page before, if there is one. */
  previous(): void;
  /** Shows the first page. */
  first(): void;
  /** Reads the page again. */
  reload(): void;
}

interface Position {
  /** What the cursors belong to. */
  readonly criteria: string;
  /** The cursor of each page up to the one that is shown; the first has none. */
  readonly cursors: readonly (string | undefined)[];
}

/**
 * The pages of a list, one at a time, by keyset: they neither repeat nor skip an instance while others write. Another
 * filter or order begins with the first page; what was shown stays until the new page arrives.
 */
export function useEntityPages<E extends EntityName, const P = undefined>(
  entity: E,
  options: EntityPagesOptions<E, P> = {},
): EntityPages<Shown<RegisteredApi, E, P>> {
  // The types of the caller are checked above; the request is the same for all.
  const client = useClient() as unknown as Client;
  const { enabled = true, filter, sort, ...rest } = options as EntityPagesOptions<EntityName, undefined>;
  const search = { ...rest, filter: writeFilter(filter), sort: writeSort(sort) };
  // Other columns or a count leave the page where it is.
  const criteria = JSON.stringify([entity, search.filter, search.q, search.sort, search.limit]);
  const [position, setPosition] = useState<Position>({ criteria, cursors: [undefined] });
  const cursors = position.criteria === criteria ? position.cursors : [undefined];
  const cursor = cursors.at(-1);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [...listsKey(entity), search, cursor],
    queryFn: ({ signal }) => client.page(entity, { ...search, cursor, signal }),
    placeholderData: keepPreviousData,
    enabled,
  });
  const go = (to: Position['cursors']): void => setPosition({ criteria, cursors: to });
  return {
    items: data?.items as readonly Shown<RegisteredApi, E, P>[] | undefined,
    total: data?.total,
    pageNumber: cursors.length,
    hasPrevious: cursors.length > 1,
    hasNext: !isPlaceholderData && data?.cursor !== undefined,
    error,
    isStale: isPlaceholderData,
    next() {
      if (!isPlaceholderData && data?.cursor !== undefined) go([...cursors, data.cursor]);
    },
    previous() {
      if (cursors.length > 1) go(cursors.slice(0, -1));
    },
    first: () => go([undefined]),
    reload: () => void refetch(),
  };
}
