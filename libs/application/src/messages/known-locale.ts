import { nearestName } from '@lintel/errors';

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Languages whose codes are proposed: those of ISO 639-1. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const codesOfLanguages = (): readonly string[] =>
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter((code) => isKnown(LANGUAGES, code));

/** Why a locale, `de` or `zh_CN`, does not exist; undefined if it does. */
export function localeProblem(locale: string): string | undefined {
  const [language = '', ...rest] = locale.split(/[_-]/);
  const region = rest.find((part) => /^([A-Za-z]{2}|\d{3})$/.test(part));
  if (isWellFormed(locale) && isKnown(LANGUAGES, language.toLowerCase())) {
    if (region === undefined || isKnown(REGIONS, region.toUpperCase())) return undefined;
    return `there is no locale ${locale}: ${region} is no country; a locale is a language, or a language and a country, such as de or zh_CN`;
  }
  const nearest = namedLanguage(locale);
  const proposal =
    nearest === undefined
      ? '; a locale is a language, such as de, or has a country: zh_CN'
      : `; did you mean ${nearest}?`;
  return `there is no locale ${locale}${proposal}`;
}

function isWellFormed(locale: string): boolean {
  try {
    return new Intl.Locale(locale.replaceAll('_', '-')).language !== '';
  } catch {
    return false;
  }
}

function isKnown(names: Intl.DisplayNames, code: string): boolean {
  try {
    return names.of(code) !== undefined;
  } catch {
    return false;
  }
}

/** The code of the language whose English name, or own name, is given: `german` and `deutsch` are `de`. */
function namedLanguage(name: string): string | undefined {
  const codes = codesOfLanguages();
  const byName = new Map(
    codes.flatMap((code) => {
      const own = new Intl.DisplayNames(code, { type: 'language', fallback: 'none' }).of(code);
      return [LANGUAGES.of(code), own].flatMap((text) =>
        text === undefined ? [] : [[text.toLowerCase(), code] as const],
      );
    }),
  );
  const nearest = nearestName(name, byName.keys());
  return nearest === undefined ? undefined : byName.get(nearest);
}
