import { useQuery } from '@tanstack/react-query';
import { useModel, useRights } from '../../context.ts';
import { endpointOf } from '../../model/api.ts';

/** Requests below the path of the operation. */
export interface Operations {
  get<T>(path: string, signal?: AbortSignal): Promise<T>;
  /** @param json the body; without it there is none */
  send<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, json?: unknown): Promise<T>;
}

/** What the client of the API has no methods for: the state of the running system. */
export function useOperations(): Operations {
  const model = useModel();
  const { connection } = model;
  const base = endpointOf(model, 'operations');
  return {
    get: async <T>(path: string, signal?: AbortSignal) =>
      (await connection.read({ method: 'GET', path: `${base}${path}`, repeatable: true, signal })).body as T,
    send: async <T>(method: 'POST' | 'PUT' | 'DELETE', path: string, json?: unknown) =>
      (await connection.read({ method, path: `${base}${path}`, json, repeatable: false })).body as T,
  };
}

/** Addresses of dashboards and traces, for users who may see them; nothing where they are not configured. */
export function useOperationLinks(): { readonly dashboards?: string | null; readonly traces?: string | null } {
  const operations = useOperations();
  const rights = useRights();
  const { data } = useQuery({
    queryKey: ['operation-links'],
    enabled: rights.has('health.view'),
    queryFn: ({ signal }) =>
      operations.get<{ readonly dashboards: string | null; readonly traces: string | null }>('/links', signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? {};
}
