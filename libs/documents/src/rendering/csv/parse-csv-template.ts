export interface CsvTemplate {
  /** Texts of the header row; one empty text where the template has no header. */
  readonly header: readonly string[];
  /** Fields of the columns, in order. */
  readonly fields: readonly string[];
  readonly separator: string;
}

const ALIAS = /\$\{\s*([\p{L}\p{N}_.]+)\s*\}/gu;
const SEPARATORS = [',', ';', '|', '\t'];

/**
 * Parses a CSV template (contract/report-templates.md#formats): lines without an alias are the header, lines with
 * aliases define the columns; their other text is ignored. The separator is the first one of an alias line. A byte
 * order mark is dropped.
 */
export function parseCsvTemplate(text: string): CsvTemplate {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const columnLines = lines.filter((line) => line.search(ALIAS) >= 0);
  const headerText = lines
    .filter((line) => line.search(ALIAS) < 0)
    .join('')
    .replaceAll('"', '');
  const rest = columnLines.join('').replace(ALIAS, '');
  const separator = [...rest].find((character) => SEPARATORS.includes(character)) ?? ',';
  return {
    header: headerText.split(separator),
    fields: columnLines.flatMap((line) => [...line.matchAll(ALIAS)].map((alias) => alias[1] ?? '')),
    separator,
  };
}
