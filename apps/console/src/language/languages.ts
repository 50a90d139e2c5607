/** The key of the chosen language in the `localStorage`. */
const STORAGE_KEY = 'lintel-console.language';
const FALLBACK = 'en';
/** Languages that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi']);

/** The direction in which a language is written. */
export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(locale.split('-')[0] ?? '') ? 'rtl' : 'ltr';

/**
 * The language of the page: the one that was chosen, else the first of the user's languages that the console has.
 *
 * @param available languages with texts
 * @param preferred the languages of the browser
 */
export function chooseLanguage(
  chosen: string | null,
  preferred: readonly string[],
  available: readonly string[],
): string {
  const wanted = [...(chosen === null ? [] : [chosen]), ...preferred];
  for (const locale of wanted) {
    // `zh` and `zh-SG` have the texts of `zh-CN`.
    const found =
      [locale, languageOf(locale)].find((each) => available.includes(each)) ??
      available.find((each) => languageOf(each) === languageOf(locale));
    if (found !== undefined) return found;
  }
  return FALLBACK;
}

const languageOf = (locale: string): string => locale.split('-')[0] ?? locale;

/** Reads the language that the user has chosen on this device. */
export const readChoice = (): string | null => localStorage.getItem(STORAGE_KEY);

/** Keeps the choice of the user on this device. */
export const keepChoice = (locale: string): void => localStorage.setItem(STORAGE_KEY, locale);

/** The name of a language in itself. */
export const nameOf = (locale: string): string =>
  new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
