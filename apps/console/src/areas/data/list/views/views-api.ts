import type { Question } from '@lintel/react/charts';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../../context.ts';
import { useShowError } from '../../../../errors/use-show-error.ts';
import { useRead } from '../../../../requests/use-read.ts';
import type { Search } from '../list-state.ts';

/** What is saved of a view. */
export interface ViewInput {
  readonly entityName: string;
  readonly name: string;
  /** The parameters of the address. */
  readonly content: Search;
  readonly question?: Question | undefined;
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

/** The saved views of an entity, without one of all entities, and what changes them; errors are shown. */
export function useViews(entityName?: string) {
  const api = useApi();
  const queries = useQueryClient();
  const showError = useShowError();
  const { data, error, refetch } = useRead<readonly ListView[]>(['views', entityName], 'userSession', '/views', {
    query: entityName === undefined ? {} : { entityName },
  });
  const send = async (method: 'POST' | 'PUT' | 'DELETE', id: string, json?: ViewInput): Promise<boolean> => {
    try {
      await api.send(method, 'userSession', `/views${id}`, json);
      await queries.invalidateQueries({ queryKey: ['views'] });
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
    update: (id: string, view: ViewInput) => send('PUT', `/${id}`, view),
    remove: (id: string) => send('DELETE', `/${id}`),
  };
}

/** The address of the list that a view shows. */
export function searchOf({ content, question }: ListView): Search {
  // The list has the filter already.
  const { filter: _, ...asked } = question ?? {};
  return question === undefined ? content : { ...content, question: asked };
}
