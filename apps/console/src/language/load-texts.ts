import type { Texts } from './create-text.ts';

type Load = () => Promise<{ readonly default: Texts }>;

/** A file for each language and each area; the shell has the texts of the data. A further language needs nothing but its files. */
const FILES = {
  ...import.meta.glob<{ readonly default: Texts }>('../texts/*.json'),
  ...import.meta.glob<{ readonly default: Texts }>('../areas/*/texts/*.json'),
};

const localeOf = (path: string): string => /([^/]+)\.json$/.exec(path)?.[1] ?? '';

/** The languages of the console. */
export const LANGUAGES: readonly string[] = [...new Set(Object.keys(FILES).map(localeOf))].sort();

/** The texts of the shell, or of an area, in a language; without a file for the language none. */
export async function loadTexts(locale: string, area?: string): Promise<Texts> {
  const path = area === undefined ? `../texts/${locale}.json` : `../areas/${area}/texts/${locale}.json`;
  const load: Load | undefined = FILES[path];
  return load === undefined ? {} : (await load()).default;
}
