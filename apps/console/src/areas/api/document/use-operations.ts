import { useQuery } from '@tanstack/react-query';
import { useLanguage } from '../../../language/text-provider.tsx';
import { useModel } from '../../../model/model-provider.tsx';
import { type OpenApiDocument, operationsOf } from './api-document.ts';

/** The operations that the user may call, of the document of the running system. */
export function useOperations() {
  const { connection, settings } = useModel();
  const { locale } = useLanguage();
  const docs = settings.endpoints['docs'] ?? `${connection.paths.base}/docs`;
  return useQuery({
    queryKey: ['operations', locale],
    queryFn: async ({ signal }) => {
      const path = `${docs}/openapiDetailed.json?for=me`;
      const { body } = await connection.read({ method: 'GET', path, repeatable: true, signal });
      return operationsOf(body as OpenApiDocument);
    },
    staleTime: 300_000,
  });
}
