/**
 * A table of Markdown.
 *
 * @param textColumns number of columns at the left that are not figures
 */
export const markdownTable = (
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  textColumns = 1,
): string =>
  [heads, heads.map((_, at) => (at < textColumns ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
