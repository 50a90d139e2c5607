import { nearestName } from '@lintel/errors';
import { isUsualLocale } from './usual-locale.ts';

type Kind = 'language' | 'region';

const namesOf = (kind: Kind, locale = 'en'): Intl.DisplayNames =>
  new Intl.DisplayNames(locale, { type: kind, fallback: 'none' });

/** Languages whose codes are proposed: those of ISO 639-1. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const codesOfLanguages = (english: Intl.DisplayNames): readonly string[] =>
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter((code) => isKnown(english, code));

/** Why a locale, `de` or `zh_CN`, does not exist; undefined if it does. */
export function localeProblem(locale: string): string | undefined {
  if (isUsualLocale(locale)) return undefined;
  const [language = '', ...rest] = locale.split(/[_-]/);
  const region = rest.find((part) => /^([A-Za-z]{2}|\d{3})$/.test(part));
  if (isWellFormed(locale) && isKnown(namesOf('language'), language.toLowerCase())) {
    if (region === undefined || isKnown(namesOf('region'), region.toUpperCase())) return undefined;
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
  const english = namesOf('language');
  const codes = codesOfLanguages(english);
  const byName = new Map(
    codes.flatMap((code) => {
      const own = namesOf('language', code).of(code);
      return [english.of(code), own].flatMap((text) =>
        text === undefined ? [] : [[text.toLowerCase(), code] as const],
      );
    }),
  );
  const nearest = nearestName(name, byName.keys());
  return nearest === undefined ? undefined : byName.get(nearest);
}
