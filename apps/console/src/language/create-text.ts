/** Texts by their keys. Forms of a number are `<key>.one`, `<key>.other` and so on. */
export type Texts = Readonly<Record<string, string>>;

/** Values for the placeholders of a text, `{name}`. `count` also chooses the form. */
export type TextValues = Readonly<Record<string, string | number>>;

/** Returns the text of a key with its values. */
export type Text = (key: string, values?: TextValues) => string;

/**
 * A function that returns texts in a language; English where the language has none, and the key where neither language
 * has one.
 *
 * @param locale as BCP 47 has it
 */
export function createText(locale: string, texts: Texts, fallback: Texts): Text {
  const plural = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const find = (key: string): string | undefined => texts[key] ?? fallback[key];
  return (key, values = {}) => {
    const count = values['count'];
    const form = typeof count === 'number' ? find(`${key}.${plural.select(count)}`) : undefined;
    const text = form ?? find(`${key}.other`) ?? find(key) ?? key;
    return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = values[name];
      if (value === undefined) return placeholder;
      return typeof value === 'number' ? numbers.format(value) : value;
    });
  };
}
