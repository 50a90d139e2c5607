/**
 * A function of the language whose result is made once for each language: to create a format of `Intl` takes longer than
 * to format the values of a page with it.
 */
export function perLocale<T>(create: (locale: string) => T): (locale: string) => T {
  const made = new Map<string, T>();
  return (locale) => {
    const known = made.get(locale);
    if (known !== undefined) return known;
    const created = create(locale);
    made.set(locale, created);
    return created;
  };
}
