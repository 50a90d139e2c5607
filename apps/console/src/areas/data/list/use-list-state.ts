import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import { useModel } from '../../../context.ts';
import { keepList } from './list-memory.ts';
import { isBrokenFilter, type ListState, readListState, type Search, writeListState } from './list-state.ts';

/** Changes what the list shows, and the address with it; `replace` leaves no entry in the history. */
export type ChangeList = (changes: Partial<ListState>, options?: { readonly replace?: boolean }) => void;

/** What the list shows, from the address: Back, a reload and a shared link show the same. Links of menus lead back to it. */
export function useListState(entityName: string) {
  // Of its own page: while another page is opened, the address is already that of the other one.
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { username } = useModel().user;
  const state = useMemo(() => readListState(search), [search]);
  useEffect(() => keepList(username, entityName, writeListState(state, {})), [username, entityName, state]);
  const change: ChangeList = useCallback(
    (changes, { replace = false } = {}) => {
      const next = (now: Search): Search => writeListState({ ...readListState(now), ...changes }, now);
      void navigate({ to: '.', search: next as never, replace });
    },
    [navigate],
  );
  return { state, change, isBroken: isBrokenFilter(search) };
}
