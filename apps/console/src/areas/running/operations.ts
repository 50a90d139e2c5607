import { useRights } from '../../context.ts';
import { useRead } from '../../requests/use-read.ts';

/** Addresses of dashboards and traces, for users who may see them; nothing where they are not configured. */
export function useOperationLinks(): { readonly dashboards?: string | null; readonly traces?: string | null } {
  const rights = useRights();
  const { data } = useRead<{ readonly dashboards: string | null; readonly traces: string | null }>(
    ['operation-links'],
    'operations',
    '/links',
    { enabled: rights.has('health.view'), staleTime: Number.POSITIVE_INFINITY },
  );
  return data ?? {};
}
