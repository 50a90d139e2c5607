export type NumberKind = 'integer' | 'decimal' | 'floating';
export type TemporalKind = 'date' | 'dateTime' | 'time' | 'offsetDateTime' | 'offsetTime';

export interface NumberSymbols {
  /** Between the integer part and the fraction. */
  readonly decimal: string;
  /** Between groups of three digits. */
  readonly grouping: string;
}

/** How values without a format of their own are written in one locale. */
export interface LocaleFormats {
  /** Underscore form. */
  readonly locale: string;
  /** For the patterns of `numbers`. */
  readonly symbols: NumberSymbols;
  /** Patterns of Java's `DecimalFormat`. */
  readonly numbers: Readonly<Record<NumberKind, string>>;
  /** Patterns of `y M d H m Z`. */
  readonly temporals: Readonly<Record<TemporalKind, string>>;
  /** The text of `true`. */
  readonly trueText: string;
  /** The text of `false`. */
  readonly falseText: string;
}

/** Patterns of numbers are the same everywhere; only their symbols differ (contract/instances.md#instance-name). */
const NUMBERS: LocaleFormats['numbers'] = { integer: '#,##0', floating: '#,##0.###', decimal: '#,##0.00' };

interface Language {
  readonly date: string;
  readonly trueText: string;
  readonly falseText: string;
}
const ENGLISH: Language = { date: 'dd/MM/yyyy', trueText: 'True', falseText: 'False' };
const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  ['en', ENGLISH],
  ['de', { date: 'dd.MM.yyyy', trueText: 'Ja', falseText: 'Nein' }],
  ['zh', { date: 'yyyy-MM-dd', trueText: '是', falseText: '否' }],
]);

const known = new Map<string, LocaleFormats>();

/** The formats of a locale (`en`, `zh_CN`); those of English if the language is not known. */
export function localeFormats(locale: string): LocaleFormats {
  const found = known.get(locale);
  if (found !== undefined) return found;
  const { date, trueText, falseText } = LANGUAGES.get(locale.split(/[_-]/, 1)[0] ?? '') ?? ENGLISH;
  const temporals = {
    date,
    time: 'HH:mm',
    dateTime: `${date} HH:mm`,
    offsetDateTime: `${date} HH:mm Z`,
    offsetTime: 'HH:mm Z',
  };
  const formats = { locale, symbols: symbolsOf(locale), numbers: NUMBERS, temporals, trueText, falseText };
  if (known.size < 200) known.set(locale, formats);
  return formats;
}

/** A locale without a name has the symbols of English, as it has its formats. */
function symbolsOf(locale: string): NumberSymbols {
  const parts = new Intl.NumberFormat(locale === '' ? 'en' : locale.replaceAll('_', '-')).formatToParts(-1234567.5);
  const symbol = (type: 'decimal' | 'group', fallback: string): string =>
    parts.find((part) => part.type === type)?.value ?? fallback;
  return { decimal: symbol('decimal', '.'), grouping: symbol('group', ',') };
}
