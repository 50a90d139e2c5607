import { loadTexts } from '../language/load-texts.ts';

/** The query for the texts of an area: those of the language, and the English ones. */
export const areaTexts = (area: string, locale: string) => ({
  queryKey: ['texts', area, locale],
  queryFn: () => Promise.all([loadTexts(locale, area), loadTexts('en', area)]),
  staleTime: Number.POSITIVE_INFINITY,
});
