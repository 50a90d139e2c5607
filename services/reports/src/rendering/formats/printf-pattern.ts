/** Formats a text by `%s`, `%S`, `%10s`, `%-10s`, `%.3s` and `%%` (contract/report-templates.md#values). */
export const formatText = (text: string, pattern: string): string =>
  pattern.replace(
    /%(?:%|(-)?(\d{1,4})?(?:\.(\d{1,4}))?([sS]))/g,
    (directive, left: string | undefined, width: string | undefined, precision: string | undefined, letter: string) => {
      if (directive === '%%') return '%';
      const cut = precision === undefined ? text : text.slice(0, Number(precision));
      const cased = letter === 'S' ? cut.toUpperCase() : cut;
      return left === undefined ? cased.padStart(Number(width ?? 0)) : cased.padEnd(Number(width ?? 0));
    },
  );
