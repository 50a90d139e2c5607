import type { Login } from '@lintel/react';
import type { QueryClient } from '@tanstack/react-query';
import { chooseLanguage, readChoice } from '../language/languages.ts';
import { LANGUAGES, loadTexts } from '../language/load-texts.ts';
import { loadModel } from '../model/model.ts';
import type { Settings } from '../settings.ts';
import type { Area } from './area.ts';
import { areaTexts } from './area-texts.ts';
import type { createConsoleRouter } from './create-router.tsx';

/** The language that the page has at first. */
export const firstLanguage = (): string => chooseLanguage(readChoice(), navigator.languages, LANGUAGES);

/** The query for the texts of the shell: those of the language, and the English ones. */
export const shellTexts = (locale: string) => ({
  queryKey: ['texts', locale],
  queryFn: async () => {
    const [texts, fallback] = await Promise.all([loadTexts(locale), loadTexts('en')]);
    return { locale, texts, fallback };
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** The query for the application, as the user of the login may see it. */
export const modelOf = (settings: Settings, { session }: Login, locale: string) => ({
  queryKey: ['model', locale],
  queryFn: () => loadModel(settings, session, locale),
  staleTime: Number.POSITIVE_INFINITY,
});

interface PreloadOptions {
  readonly settings: Settings;
  readonly login: Login;
  readonly queries: QueryClient;
  readonly router: ReturnType<typeof createConsoleRouter>;
  readonly areas: readonly Area[];
}

/**
 * Begins to load all parts of the page that is open: each of them is shown inside of another one, and would be loaded
 * after it. What fails is loaded again, and reported, by the part that needs it.
 */
export function preloadPage({ settings, login, queries, router, areas }: PreloadOptions): void {
  const locale = firstLanguage();
  void queries.prefetchQuery(shellTexts(locale));
  void queries.prefetchQuery(modelOf(settings, login, locale));
  const matches = router.matchRoutes(router.latestLocation);
  for (const { routeId } of matches) {
    const route = router.routesById[routeId];
    if (route !== undefined) router.loadRouteChunk(route)?.catch(() => undefined);
  }
  const area = areas.find(({ name }) => matches.some(({ routeId }) => routeId === `/${name}`));
  if (area === undefined) return;
  void queries.prefetchQuery(areaTexts(area.name, locale));
  area.navigation?.().catch(() => undefined);
}
