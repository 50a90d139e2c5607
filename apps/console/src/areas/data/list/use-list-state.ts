import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { isBrokenFilter, type ListState, readListState, type Search, writeListState } from './list-state.ts';

/** Changes what the list shows, and the address with it; `replace` leaves no entry in the history. */
export type ChangeList = (changes: Partial<ListState>, options?: { readonly replace?: boolean }) => void;

/** What the list shows, from the address: Back, a reload and a shared link show the same. */
export function useListState() {
  const search: Search = useLocation().search as Search;
  const navigate = useNavigate();
  const state = useMemo(() => readListState(search), [search]);
  const change: ChangeList = useCallback(
    (changes, { replace = false } = {}) =>
      void navigate({ to: '.', search: writeListState({ ...state, ...changes }, search) as never, replace }),
    [navigate, search, state],
  );
  return { state, change, isBroken: isBrokenFilter(search) };
}
