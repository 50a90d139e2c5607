import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useShowError } from '../../../../errors/use-show-error.ts';
import { useModel } from '../../../../model/model-provider.tsx';
import type { Search } from '../list-state.ts';

/** What is saved of a view. */
export interface ViewInput {
  readonly entityName: string;
  readonly name: string;
  /** The parameters of the address. */
  readonly content: Search;
  readonly shared: boolean;
  /** Only users with this role see it; null: all. */
  readonly role: string | null;
}

/** A saved view of a list, of the user or shared by another one. */
export interface ListView extends ViewInput {
  readonly id: string;
  readonly owner: string;
  readonly isOwn: boolean;
}

/** The saved views of an entity, and what changes them; errors are shown. */
export function useViews(entityName: string) {
  const { connection } = useModel();
  const queries = useQueryClient();
  const showError = useShowError();
  const path = `${connection.paths.userSession ?? `${connection.paths.base}/user-session`}/views`;
  const queryKey = ['views', entityName];
  const { data, error, refetch } = useQuery({
    queryKey,
    async queryFn({ signal }) {
      const address = `${path}?${new URLSearchParams({ entityName })}`;
      const { body } = await connection.read({ method: 'GET', path: address, repeatable: true, signal });
      return body as readonly ListView[];
    },
  });
  const send = async (method: string, id: string, json?: ViewInput): Promise<boolean> => {
    try {
      const call = { method, path: id === '' ? path : `${path}/${id}`, repeatable: method !== 'POST' };
      await connection.read({ ...call, ...(json !== undefined && { json }) });
      await queries.invalidateQueries({ queryKey });
      return true;
    } catch (failure) {
      showError(failure);
      return false;
    }
  };
  return {
    views: data,
    error,
    refetch,
    create: (view: ViewInput) => send('POST', '', view),
    update: (id: string, view: ViewInput) => send('PUT', id, view),
    remove: (id: string) => send('DELETE', id),
  };
}
