import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useApi } from '../../context.ts';
import type { CaptionList } from './caption.ts';

/** The name of the locale of the default texts. */
export const DEFAULT_LOCALE = 'default';

/** Captions of the model, or the other texts. */
export type TextKind = 'captions' | 'others';

/** How the captions of a locale are read. */
function useCaptionsOf(kind: TextKind) {
  const api = useApi();
  return (locale: string) => ({
    queryKey: ['captions', kind, locale],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      api.get<CaptionList>('messages', '/captions', { locale, ...(kind === 'others' && { kind }) }, signal),
  });
}

/** The captions of one locale. */
export const useCaptions = (locale: string, kind: TextKind = 'captions') =>
  useQuery({ ...useCaptionsOf(kind)(locale), placeholderData: keepPreviousData });

/** The captions of several locales, in their order. */
export function useCaptionsOfLocales(locales: readonly string[], kind: TextKind = 'captions') {
  const captionsOf = useCaptionsOf(kind);
  return useQueries({ queries: locales.map(captionsOf) });
}
