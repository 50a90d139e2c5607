import { columnName, columnNumber, MAX_COLUMNS, MAX_ROWS } from './area.ts';

/** One end of a reference. A whole column has no row, a whole row no column. */
export interface ReferenceEnd {
  readonly column: number | undefined;
  readonly row: number | undefined;
  readonly isColumnFixed: boolean;
  readonly isRowFixed: boolean;
}

/**
 * A reference to cells: `A1`, `$A$1:B2`, `A:A`, `2:3`, `Sheet!A1`, `'My sheet'!A1:B2`. References over several
 * sheets, into other files and into tables are plain text.
 */
export interface ReferenceToken {
  readonly kind: 'reference';
  readonly text: string;
  /** Name of the sheet, without quotes; undefined for the sheet of the formula. */
  readonly sheet: string | undefined;
  readonly first: ReferenceEnd;
  /** Undefined for a single cell. */
  readonly last: ReferenceEnd | undefined;
  /** The innermost function around it, in upper case. */
  readonly inFunction: string | undefined;
}

/** A piece of a formula; the texts of all pieces together are the formula. */
export type FormulaToken =
  | ReferenceToken
  /** A text literal with its quotes. */
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'other'; readonly text: string };

const WORD = '[\\p{L}_\\\\][\\p{L}\\p{N}_.\\\\?]*';
const CELL = '\\$?[A-Za-z]{1,3}\\$?[0-9]{1,7}';
const STRING = /"(?:[^"]|"")*"?/uy;
/** References to other files and over several sheets, which are not changed. */
const FOREIGN = new RegExp(
  `(?:\\[[^\\]]*\\](?:${WORD})?|'(?:[^']|'')*[\\[:](?:[^']|'')*'|${WORD}:${WORD})!(?:${CELL}(?::${CELL})?|${WORD})?`,
  'uy',
);
const SHEET = new RegExp(`(?:'((?:[^']|'')*)'|(${WORD}))!`, 'uy');
const REFERENCE = new RegExp(
  `(?:(${CELL})(?::(${CELL}))?|(\\$?[A-Za-z]{1,3}):(\\$?[A-Za-z]{1,3})|(\\$?[0-9]{1,7}):(\\$?[0-9]{1,7}))(?![\\p{L}\\p{N}_.!(\\\\?\\[])`,
  'uy',
);
const NUMBER = /[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?/y;
const NAME = new RegExp(WORD, 'uy');
const ERROR = /#[A-Za-z0-9/]+[!?]?/y;
/** Columns of tables: `[[#All],[Name]]`, where `'` escapes the next character. */
const BRACKETS = /\[(?:'[\s\S]|[^[\]']|\[(?:'[\s\S]|[^[\]'])*\])*\]?/uy;

/** Splits a formula (without its `=`) into tokens. Never fails: an unknown token is `other`. */
export function tokenizeFormula(formula: string): readonly FormulaToken[] {
  const tokens: FormulaToken[] = [];
  /** Names of the functions whose parentheses are open; undefined for plain ones. */
  const open: (string | undefined)[] = [];
  let at = 0;
  let other = '';
  let word: string | undefined;
  const flush = (): void => {
    if (other !== '') tokens.push({ kind: 'other', text: other });
    other = '';
  };
  const match = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(formula) ?? undefined;
  };
  const take = (text: string): void => {
    other += text;
    at += text.length;
  };

  while (at < formula.length) {
    const character = formula[at] ?? '';
    const before = word;
    word = undefined;
    const string = character === '"' ? match(STRING) : undefined;
    if (string !== undefined) {
      flush();
      tokens.push({ kind: 'string', text: string[0] });
      at += string[0].length;
      continue;
    }
    if (character === '(') open.push(before?.toUpperCase());
    else if (character === ')') open.pop();
    const foreign = match(FOREIGN);
    if (foreign !== undefined) {
      take(foreign[0]);
      continue;
    }
    const reference = readReference(
      formula,
      at,
      open.findLast((name) => name !== undefined),
    );
    if (reference !== undefined) {
      flush();
      tokens.push(reference);
      at += reference.text.length;
      continue;
    }
    const name = match(NAME);
    if (name !== undefined) word = name[0];
    take((name ?? match(SHEET) ?? match(NUMBER) ?? match(ERROR) ?? match(BRACKETS))?.[0] ?? character);
  }
  flush();
  return tokens;
}

function readReference(formula: string, at: number, inFunction: string | undefined): ReferenceToken | undefined {
  SHEET.lastIndex = at;
  const prefix = SHEET.exec(formula);
  REFERENCE.lastIndex = at + (prefix?.[0].length ?? 0);
  const match = REFERENCE.exec(formula);
  if (match === null) return undefined;
  const [body, cell, lastCell, column, lastColumn, row, lastRow] = match;
  const first = endOf(cell ?? column ?? row);
  const last = lastCell ?? lastColumn ?? lastRow;
  const end = last === undefined ? undefined : endOf(last);
  if (first === undefined || (last !== undefined && end === undefined)) return undefined;
  const sheet = prefix === null ? undefined : (prefix[2] ?? prefix[1]?.replaceAll("''", "'"));
  return { kind: 'reference', text: (prefix?.[0] ?? '') + body, sheet, first, last: end, inFunction };
}

function endOf(text: string | undefined): ReferenceEnd | undefined {
  const [, fixedColumn = '', letters, fixedRow = '', digits] = /^(\$?)([A-Za-z]+)?(\$?)(\d+)?$/.exec(text ?? '') ?? [];
  const column = letters === undefined ? undefined : columnNumber(letters);
  const row = digits === undefined ? undefined : Number(digits);
  if ((column ?? 1) > MAX_COLUMNS || (row ?? 1) > MAX_ROWS || row === 0) return undefined;
  // `$5` has one sign, which belongs to the row.
  if (column === undefined) return { column, row, isColumnFixed: false, isRowFixed: (fixedColumn || fixedRow) !== '' };
  return { column, row, isColumnFixed: fixedColumn !== '', isRowFixed: fixedRow !== '' };
}

/** Formats a reference for a formula. */
export function referenceText(sheet: string | undefined, first: ReferenceEnd, last: ReferenceEnd | undefined): string {
  const prefix = sheet === undefined ? '' : `${sheetPrefix(sheet)}!`;
  return prefix + endText(first) + (last === undefined ? '' : `:${endText(last)}`);
}

const endText = ({ column, row, isColumnFixed, isRowFixed }: ReferenceEnd): string =>
  (column === undefined ? '' : (isColumnFixed ? '$' : '') + columnName(column)) +
  (row === undefined ? '' : (isRowFixed ? '$' : '') + String(row));

/** Always with quotes: names like `R1C1` or `TRUE` need them as well. */
const sheetPrefix = (name: string): string => `'${name.replaceAll("'", "''")}'`;
