import { type Alias, findAliases, piecesOf } from '../aliases.ts';

export interface CsvTemplate {
  /** Texts of the header row; one empty text where the template has no header. */
  readonly header: readonly string[];
  /** The columns in their order. */
  readonly columns: readonly Alias[];
  readonly separator: string;
  /** Text beside aliases, which is left out. */
  readonly beside: string;
  /** Text below the aliases, which becomes a part of the header. */
  readonly below: string;
}

const SEPARATORS = [',', ';', '|', '\t'];

/**
 * Parses a CSV template (contract/report-templates.md#formats): lines without an alias are the header, lines with
 * aliases define the columns; their other text is ignored. The separator is the first one of an alias line. A byte
 * order mark is dropped.
 */
export function parseCsvTemplate(text: string): CsvTemplate {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const isColumns = (line: string): boolean => findAliases(line).length > 0;
  const titlesIn = (some: readonly string[]): string =>
    some
      .filter((line) => !isColumns(line))
      .join('')
      .replaceAll('"', '');
  const pieces = lines.filter(isColumns).flatMap(piecesOf);
  const rest = pieces.filter((piece) => typeof piece === 'string').join('');
  const separator = [...rest].find((character) => SEPARATORS.includes(character)) ?? ',';
  return {
    header: titlesIn(lines).split(separator),
    columns: pieces.filter((piece) => typeof piece === 'object'),
    separator,
    beside: rest.replaceAll('"', '').split(separator).join(' ').trim(),
    below: titlesIn(lines.slice(lines.findIndex(isColumns))).trim(),
  };
}
