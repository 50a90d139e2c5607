import type { ConditionGroup, EntityInfo } from '@lintel/client';
import { conditionsOfWords, type ResolvedPath, useEntityPages } from '@lintel/react';
import type { ExtensionColumn } from '@lintel/react/console';
import { useMemo } from 'react';
import { withPlansOf } from '../../../extension/parts/extension-columns.ts';
import { type PathPlan, planOf } from '../paths/plan-of.ts';
import { isDynamic } from '../paths/resolve-dynamic.ts';
import type { ListState } from './list-state.ts';
import type { Row } from './row.ts';

/** Rows of a page. */
export const PAGE_SIZE = 50;

/** The page of a list that is shown, with the steps to other pages. */
export function useListPage(
  { entityName }: EntityInfo,
  state: ListState,
  columns: readonly ResolvedPath[],
  { names, q }: { readonly names: readonly string[]; readonly q: string | undefined },
  added: readonly ExtensionColumn[],
) {
  const { sort, words, isCounted } = state;
  const filter = useMemo(
    (): ConditionGroup => ({
      conditions: [...(state.filter?.conditions ?? []), ...conditionsOfWords(q === undefined ? words : '', names)],
    }),
    [state.filter, words, names, q],
  );
  const plan = useMemo(() => withPlansOf(planOf(columns.map(({ path }) => path)), added) as PathPlan, [columns, added]);
  const hasDynamic = columns.some(({ path }) => isDynamic(path));
  const pages = useEntityPages(entityName, {
    fetchPlan: plan,
    filter,
    ...(q !== undefined && { q, highlights: true }),
    sort,
    // The client adds it for a filter or a sort.
    ...(hasDynamic && { dynamicAttributes: true }),
    limit: PAGE_SIZE,
    count: isCounted ? 'exact' : 'estimated',
  });
  return {
    rows: pages.items as readonly Row[] | undefined,
    total: pages.total,
    error: pages.error,
    isStale: pages.isStale,
    reload: pages.reload,
    filter,
    plan,
    pageNumber: pages.pageNumber,
    previous: pages.hasPrevious ? pages.previous : undefined,
    next: pages.hasNext ? pages.next : undefined,
  };
}
