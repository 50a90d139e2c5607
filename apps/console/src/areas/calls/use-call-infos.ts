import { useQuery } from '@tanstack/react-query';
import { useModel } from '../../context.ts';
import { methodsOf, type QueryInfo, type ServiceInfo } from './call-info.ts';

const KEPT_MS = 300_000;

/** The queries that the user may run. */
export function useQueryInfos() {
  const { connection } = useModel();
  return useQuery({
    queryKey: ['queries'],
    queryFn: async ({ signal }) =>
      (await connection.read({ method: 'GET', path: connection.paths.queries, repeatable: true, signal }))
        .body as readonly QueryInfo[],
    staleTime: KEPT_MS,
  });
}

/** The methods of all services. */
export function useMethodInfos() {
  const { connection } = useModel();
  return useQuery({
    queryKey: ['methods'],
    queryFn: async ({ signal }) => {
      const path = `${connection.paths.services}?types=true`;
      const { body } = await connection.read({ method: 'GET', path, repeatable: true, signal });
      return (body as readonly ServiceInfo[]).flatMap(methodsOf);
    },
    staleTime: KEPT_MS,
  });
}
