/**
 * Texts by locale from the lines of a definition: `de=Kundennummer` or `de/name=Kundennummer`. Lines of
 * another form are comments.
 */
export function localizedTexts(lines: string | null): Readonly<Record<string, string>> {
  const texts = (lines ?? '').split(/\r?\n/).flatMap((line) => {
    const match = /^\s*([A-Za-z]{2,3}(?:[_-]\w+)*)(?:\/[^=]*)?\s*=\s*(.*?)\s*$/.exec(line);
    const [, locale, text] = match ?? [];
    return locale === undefined || text === undefined || text === '' ? [] : [[locale.replaceAll('-', '_'), text]];
  });
  return Object.fromEntries(texts) as Readonly<Record<string, string>>;
}
