/** `%s`, `%S`, `%10s`, `%-10s`, `%.3s` and `%%`: how texts are formatted (contract/report-templates.md#values). */
export const formatText = (text: string, pattern: string): string =>
  pattern.replace(
    /%(?:%|(-)?(\d{1,4})?(?:\.(\d{1,4}))?([sS]))/g,
    (directive, left: string | undefined, width: string | undefined, most: string | undefined, letter: string) => {
      if (directive === '%%') return '%';
      const cut = most === undefined ? text : text.slice(0, Number(most));
      const cased = letter === 'S' ? cut.toUpperCase() : cut;
      return left === undefined ? cased.padStart(Number(width ?? 0)) : cased.padEnd(Number(width ?? 0));
    },
  );
