import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useModel } from '../../model/model-provider.tsx';
import type { CaptionList } from './caption.ts';

/** The name of the locale of the default texts. */
export const DEFAULT_LOCALE = 'default';

/** How the captions of a locale are read. */
function useCaptionsOf() {
  const { connection } = useModel();
  const path = `${connection.paths.messages ?? `${connection.paths.base}/messages`}/captions`;
  return (locale: string) => ({
    queryKey: ['captions', locale],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
      const { body } = await connection.read({
        method: 'GET',
        path: `${path}?locale=${encodeURIComponent(locale)}`,
        repeatable: true,
        signal,
      });
      return body as CaptionList;
    },
  });
}

/** The captions of one locale. */
export const useCaptions = (locale: string) =>
  useQuery({ ...useCaptionsOf()(locale), placeholderData: keepPreviousData });

/** The captions of several locales, in their order. */
export function useCaptionsOfLocales(locales: readonly string[]) {
  const captionsOf = useCaptionsOf();
  return useQueries({ queries: locales.map(captionsOf) });
}
