import { nearestName } from '@lintel/errors';

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

/**
 * Codes of ISO 639-1 and ISO 3166-1. With them the locales of nearly all applications are known without the names of
 * languages and countries, whose first use takes some twenty milliseconds.
 */
const LANGUAGES: ReadonlySet<string> = new Set([
  ...'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv'.split(' '),
  ...'dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig'.split(' '),
  ...'ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh'.split(' '),
  ...'mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru'.split(' '),
  ...'rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tn to tr ts tt tw ty ug uk'.split(' '),
  ...'ur uz ve vi vo wa wo xh yi yo za zh zu'.split(' '),
]);
const COUNTRIES: ReadonlySet<string> = new Set([
  ...'AC AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT'.split(' '),
  ...'BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CP CQ CR CU CV CW CX CY CZ DE DG DJ DK DM DO DZ EA EC'.split(' '),
  ...'EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN'.split(' '),
  ...'HR HT HU IC ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK'.split(' '),
  ...'LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG'.split(' '),
  ...'NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG'.split(' '),
  ...'SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG'.split(' '),
  ...'UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'.split(' '),
]);

/** Whether a locale has the usual form, `de` or `zh_CN`, and exists; false for others, which may exist as well. */
export function isUsualLocale(locale: string): boolean {
  const [, language, country] = /^([a-z]{2})(?:[_-]([A-Z]{2}))?$/.exec(locale) ?? [];
  if (language === undefined || !LANGUAGES.has(language)) return false;
  return country === undefined || COUNTRIES.has(country);
}
