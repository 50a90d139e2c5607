import type { Cell } from '../../../bands/cell.ts';
import { ReportFailure } from '../../../report-failure.ts';
import { type Alias, characterOf, hasAlias, onlyAlias, piecesOf, type TextPieces } from '../../aliases.ts';
import { type CsvValues, guarded, isText } from '../../csv/render-csv.ts';
import type { CellFormatter } from '../../formats/format-cell.ts';
import { type Area, moved } from '../cells/area.ts';
import { type FormulaToken, tokenizeFormula } from '../cells/formula-tokens.ts';
import { serialOf } from '../cells/serial-date.ts';
import type { Layout } from '../placing/layout.ts';
import type { Placement } from '../placing/placement.ts';
import { rewriteFormula } from '../placing/rewrite-formula.ts';
import type { CellContent } from '../template/xlsx-template.ts';
import { findField } from './field-cell.ts';

/** The value of a cell of the result. */
export type CellValue =
  | { readonly kind: 'none' }
  | (CellContent & { readonly kind: 'static' })
  | {
      readonly kind: 'number';
      /** Exact digits. */
      readonly text: string;
      /** The number format of a date in the locale of the run. */
      readonly dateFormat?: string;
    }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | {
      readonly kind: 'text';
      readonly text: string;
      /** The text with the formats within it, as XML. */
      readonly runs?: readonly (readonly [format: string, text: string])[];
    }
  | {
      readonly kind: 'formula';
      readonly text: string;
      readonly array: Area | undefined;
      readonly metadata: string;
    };

/** Context of the values of a run. */
export interface ValueContext {
  readonly csv?: CsvValues | undefined;
  readonly layout: Layout;
  readonly formatter: CellFormatter;
  readonly sheetNames: readonly string[];
}

const NONE: CellValue = { kind: 'none' };
/** Maximum length of a text in a cell of Excel. */
const MAX_CHARACTERS = 32_767;

/** Returns the value of a cell in one copy of its band (contract/report-templates.md#xlsx, "Values"). */
export function cellValueOf(content: CellContent, placement: Placement, context: ValueContext): CellValue {
  switch (content.kind) {
    case 'empty':
      return NONE;
    case 'static':
      return content;
    case 'text': {
      const alias = onlyAlias(content.pieces);
      if (alias !== undefined && alias.index === undefined)
        return withFormats(content, valueOfField(alias.name, placement, context));
      const texts = content.pieces.map((piece) => textOf(piece, placement, context));
      const text = texts.join('');
      const beginsWithValue = typeof content.pieces[0] === 'object' && context.csv?.formulaGuard === true;
      return withFormats(content, textValue(beginsWithValue ? guarded(text) : text, placement), texts);
    }
    case 'formula':
      return formulaValue(content, placement, context);
    default:
      return content satisfies never;
  }
}

function withFormats(
  { formats }: CellContent & { readonly kind: 'text' },
  value: CellValue,
  texts?: readonly string[],
): CellValue {
  if (formats === undefined || value.kind !== 'text') return value;
  const runs = (texts ?? [value.text]).map((text, index) => [formats[index] ?? '', text] as const);
  return { ...value, runs: runs.filter(([, text]) => text !== '') };
}

function valueOfField(name: string, placement: Placement, { csv, formatter, layout }: ValueContext): CellValue {
  const found = findField(placement.data, name);
  if (found === undefined) return NONE;
  const { band, field, cell } = found;
  if (cell.kind === 'empty') return NONE;
  const content = formatter.contentFormat(band, field);
  // The picture is drawn over the cell.
  if (content !== undefined && content.kind !== 'html') return NONE;
  if (csv === undefined && !formatter.hasFormat(band, field)) {
    const typed = typedValue(cell, layout.template.isCalendarOf1904, formatter);
    if (typed !== undefined) return typed;
  }
  const text = formatter.format(band, field, cell);
  return textValue(csv?.formulaGuard === true && isText(cell) ? guarded(text) : text, placement);
}

function typedValue(cell: Cell, isCalendarOf1904: boolean, formatter: CellFormatter): CellValue | undefined {
  switch (cell.kind) {
    case 'number':
      return { kind: 'number', text: cell.text };
    case 'boolean':
      return cell;
    case 'temporal': {
      const text = serialOf(cell.text, cell.temporal, isCalendarOf1904);
      return text === undefined ? undefined : { kind: 'number', text, dateFormat: formatter.dateFormat(cell.temporal) };
    }
    default:
      return undefined;
  }
}

/** @throws ReportFailure for a text that is too long for a cell */
function textValue(text: string, { range, offset }: Placement): CellValue {
  if (text.length <= MAX_CHARACTERS) return text === '' ? NONE : { kind: 'text', text };
  throw new ReportFailure(
    `A text of the band [${range.band}] has ${text.length} characters; a cell holds ${MAX_CHARACTERS} (row ${range.area.top + offset.rows}).`,
  );
}

function textOf(piece: string | Alias, { data }: Placement, { formatter }: ValueContext): string {
  if (typeof piece === 'string') return piece;
  const found = findField(data, piece.name);
  const text = found === undefined ? '' : formatter.format(found.band, found.field, found.cell);
  return characterOf(text, piece);
}

/** Tokens of formulas without aliases. */
const tokensOf = new WeakMap<TextPieces, readonly FormulaToken[]>();

function formulaValue(
  content: CellContent & { readonly kind: 'formula' },
  placement: Placement,
  context: ValueContext,
): CellValue {
  const { layout, sheetNames } = context;
  const { pieces, array, metadata } = content;
  const known = tokensOf.get(pieces);
  const tokens = known ?? tokenizeFormula(formulaText(pieces, placement, context));
  if (known === undefined && !hasAlias(pieces)) tokensOf.set(pieces, tokens);
  const text = rewriteFormula(tokens, { layout, sheet: placement.range.sheet, from: placement, sheetNames });
  if (text === undefined) return { kind: 'text', text: 'ERROR: Formula references to empty range' };
  return { kind: 'formula', text, array: array && moved(array, placement.offset), metadata };
}

/**
 * Fills the aliases of a formula: inside a text literal by text, elsewhere by a literal of the formula language. So a
 * value cannot change the formula.
 */
function formulaText(pieces: TextPieces, placement: Placement, context: ValueContext): string {
  let text = '';
  let isInText = false;
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      if ((piece.split('"').length - 1) % 2 === 1) isInText = !isInText;
      text += piece;
      continue;
    }
    if (isInText) text += textOf(piece, placement, context).replaceAll('"', '""');
    else text += literalOf(piece, placement, context);
  }
  return text;
}

function literalOf(alias: Alias, placement: Placement, context: ValueContext): string {
  const value = cellValueOf({ kind: 'text', pieces: [alias] }, placement, context);
  switch (value.kind) {
    case 'number':
      return value.text;
    case 'boolean':
      return value.value ? 'TRUE' : 'FALSE';
    case 'text':
      return `"${value.text.replaceAll('"', '""')}"`;
    default:
      return '""';
  }
}

/** Fills the aliases of a text outside of cells, such as the name of a sheet, from the whole tree. */
export const fillText = (text: string, textOfField: (name: string) => string): string =>
  piecesOf(text)
    .map((piece) => (typeof piece === 'string' ? piece : textOfField(piece.name)))
    .join('');
