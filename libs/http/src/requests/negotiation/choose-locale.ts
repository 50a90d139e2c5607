/** `zh_CN`, `zh-cn` and `ZH-CN` are one locale. */
const normal = (locale: string): string => locale.replaceAll('_', '-').toLowerCase();
const languageOf = (locale: string): string => normal(locale).split('-', 1)[0] ?? '';

/** The locales of an `Accept-Language` header in order of preference, without those with `q=0`. */
function preferencesOf(header: string): readonly string[] {
  return header
    .split(',')
    .map((item, index) => {
      const [range = '', ...parameters] = item.split(';').map((part) => part.trim());
      const quality = parameters.find((parameter) => /^q=/i.test(parameter));
      return { range, index, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ range, quality }) => /^[A-Za-z][\w-]*$/.test(range) && quality > 0)
    .sort((left, right) => right.quality - left.quality || left.index - right.index)
    .map(({ range }) => range);
}

/** The available locale for a name: the same locale, else one of the same language. */
const matching = (available: readonly string[], name: string): string | undefined =>
  (available.includes(name) ? name : undefined) ??
  available.find((locale) => normal(locale) === normal(name)) ??
  available.find((locale) => languageOf(locale) === languageOf(name));

/**
 * The locale of a request, in underscore form: that of `Accept-Language`, if available, else the
 * caller's own, else the first available one (contract/decisions.md#27).
 */
export function chooseLocale(
  acceptLanguage: string | undefined,
  ownLocale: string | null,
  available: readonly string[],
): string {
  for (const name of acceptLanguage === undefined ? [] : preferencesOf(acceptLanguage)) {
    const found = matching(available, name);
    if (found !== undefined) return found;
  }
  return (ownLocale === null ? undefined : matching(available, ownLocale)) ?? available[0] ?? 'en';
}

/** Matches no name, so it is chosen only where the header names no available locale. */
const NONE = '';

/** The available locale that `Accept-Language` names, or null (contract/decisions.md#27). */
export function requestedLocale(acceptLanguage: string | undefined, available: readonly string[]): string | null {
  const locale = chooseLocale(acceptLanguage, null, [NONE, ...available]);
  return locale === NONE ? null : locale;
}
