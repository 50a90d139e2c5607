import { IntlMessageFormat } from 'intl-messageformat';

export type MessageParameters = Readonly<Record<string, string | number>>;

/** Texts come from files, so their number is limited; a larger number means that texts are generated. */
const MAX_REMEMBERED = 2_000;
const known = new Map<string, IntlMessageFormat | undefined>();

function formatOf(text: string, locale: string): IntlMessageFormat | undefined {
  const key = `${locale} ${text}`;
  if (known.has(key)) return known.get(key);
  const format = parse(text, locale);
  if (known.size >= MAX_REMEMBERED) known.clear();
  known.set(key, format);
  return format;
}

function parse(text: string, locale: string): IntlMessageFormat | undefined {
  try {
    return new IntlMessageFormat(text, locale.replaceAll('_', '-'), undefined, { ignoreTag: true });
  } catch {
    // A text that is no pattern is the text itself: braces need not mean parameters.
    return undefined;
  }
}

/**
 * Fills the parameters of a text in ICU message syntax: `{min}`,
 * `{max, plural, one {# character} other {# characters}}`. If a text is no such pattern, or names a
 * parameter that is not given, that part stays unchanged.
 */
export function formatMessage(text: string, parameters: MessageParameters, locale: string): string {
  if (!text.includes('{')) return text;
  try {
    const formatted = formatOf(text, locale)?.format<string>(parameters);
    if (typeof formatted === 'string') return formatted;
  } catch {
    // A parameter is missing: the given ones are filled in below.
  }
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(parameters, name) ? String(parameters[name]) : whole,
  );
}

/** The error of a text as an ICU pattern; undefined if it is valid. */
export function messageSyntaxError(text: string): string | undefined {
  try {
    new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
