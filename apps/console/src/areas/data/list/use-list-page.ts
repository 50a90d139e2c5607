import type { ConditionGroup, EntityInfo } from '@lintel/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useModel } from '../../../model/model-provider.tsx';
import { planOf } from '../paths/plan-of.ts';
import type { ResolvedPath } from '../paths/resolve-path.ts';
import { conditionsOfWords } from '../paths/search-names.ts';
import type { ListState } from './list-state.ts';
import type { Row } from './row.ts';

/** Rows of a page. */
export const PAGE_SIZE = 50;
const FIRST_PAGE: readonly (string | undefined)[] = [undefined];

/** The page of a list that is shown, with the steps to other pages. */
export function useListPage(
  { entityName }: EntityInfo,
  state: ListState,
  columns: readonly ResolvedPath[],
  searchNames: readonly string[],
) {
  const { client } = useModel();
  const { sort, words, isCounted } = state;
  const filter = useMemo(
    (): ConditionGroup => ({
      conditions: [...(state.filter?.conditions ?? []), ...conditionsOfWords(words, searchNames)],
    }),
    [state.filter, words, searchNames],
  );
  // The cursor of each page up to the one that is shown; the first has none. Another list begins at its first page.
  const list = JSON.stringify([entityName, filter, sort]);
  const [pages, setPages] = useState({ list, cursors: FIRST_PAGE });
  const cursors = pages.list === list ? pages.cursors : FIRST_PAGE;
  const cursor = cursors.at(-1);
  const plan = useMemo(() => planOf(columns.map(({ path }) => path)), [columns]);
  const query = useQuery({
    queryKey: ['list', entityName, { plan, filter, sort, cursor, isCounted }],
    queryFn: ({ signal }) =>
      client.page(entityName, {
        fetchPlan: plan,
        filter,
        sort,
        cursor,
        limit: PAGE_SIZE,
        count: isCounted ? 'exact' : 'estimated',
        signal,
      }) as Promise<{ readonly items: readonly Row[]; readonly cursor?: string; readonly total?: number }>,
    placeholderData: keepPreviousData,
  });
  const next = query.data?.cursor;
  return {
    ...query,
    filter,
    plan,
    pageNumber: cursors.length,
    previous: cursors.length === 1 ? undefined : () => setPages({ list, cursors: cursors.slice(0, -1) }),
    next: next === undefined ? undefined : () => setPages({ list, cursors: [...cursors, next] }),
  };
}
