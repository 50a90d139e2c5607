import type { SharedStringBook } from '../parts/shared-strings.ts';
import type { StyleBook } from '../parts/style-book.ts';
import type { Placement } from '../placing/placement.ts';
import type { SheetTemplate } from '../template/xlsx-template.ts';
import { linesOf } from './band-lines.ts';
import { type CellValue, cellValueOf, type ValueContext } from './cell-value.ts';
import { cellXml, storedText } from './cell-xml.ts';
import { findField } from './field-cell.ts';
import { heightOf } from './row-height.ts';

export interface RowContext extends ValueContext {
  readonly styles: StyleBook;
  readonly sharedStrings: SharedStringBook;
}

interface ResultCell {
  readonly column: number;
  readonly style: string | undefined;
  readonly value: CellValue;
}

/** Writes a row of the result with the copies of bands in it; nothing for a row without content. */
export function rowXml(row: number, placements: readonly Placement[], context: RowContext): string {
  const cells = cellsOf(row, placements, context);
  const attributes = rowAttributes(row, placements, cells, context);
  if (cells.length === 0 && attributes === '') return '';
  let xml = `<row r="${row}"${attributes}>`;
  for (const { column, style, value } of cells) xml += cellXml({ row, column, style }, value, context.sharedStrings);
  return `${xml}</row>`;
}

/**
 * Returns the stored values of a row from a column on, for CSV.
 *
 * @returns undefined for a row without any value
 */
export function rowTexts(
  row: number,
  placements: readonly Placement[],
  firstColumn: number,
  context: RowContext,
): readonly string[] | undefined {
  const texts: string[] = [];
  let isEmpty = true;
  for (const { column, value } of cellsOf(row, placements, context)) {
    const text = storedText(value);
    if (text !== '') isEmpty = false;
    while (texts.length < column - firstColumn) texts.push('');
    texts[column - firstColumn] = text;
  }
  return isEmpty ? undefined : texts;
}

/** Whether a row has a manual break below it. */
export const hasBreak = (row: number, placements: readonly Placement[], { layout }: RowContext): boolean =>
  placements.some((placement) => lineOf(row, placement, layout.template)?.hasBreak === true);

/** Cells in the order of the columns; where bands share a cell, the later one is used. */
function cellsOf(row: number, placements: readonly Placement[], context: RowContext): readonly ResultCell[] {
  const [only, ...others] = placements;
  if (only === undefined) return [];
  if (others.length === 0) return cellsOfOne(row, only, context);
  const byColumn = new Map<number, ResultCell>();
  for (const placement of placements)
    for (const cell of cellsOfOne(row, placement, context)) byColumn.set(cell.column, cell);
  return [...byColumn.values()].sort((one, other) => one.column - other.column);
}

function cellsOfOne(row: number, placement: Placement, context: RowContext): ResultCell[] {
  const line = lineOf(row, placement, context.layout.template);
  return (line?.cells ?? []).map(({ column, template, styleFields }) => {
    const value = cellValueOf(template.content, placement, context);
    const style = styleFields.reduce((before, field) => styledBy(field, before, placement, context), template.style);
    const dateFormat = value.kind === 'number' ? value.dateFormat : undefined;
    return {
      column: column + placement.offset.columns,
      style: dateFormat === undefined ? style : context.styles.withDateFormat(style, dateFormat),
      value,
    };
  });
}

function styledBy(
  field: string,
  style: string | undefined,
  { data }: Placement,
  { formatter, styles }: RowContext,
): string | undefined {
  const found = findField(data, field);
  return found === undefined
    ? style
    : styles.withNamedStyle(style, formatter.format(found.band, found.field, found.cell));
}

function rowAttributes(
  row: number,
  placements: readonly Placement[],
  cells: readonly ResultCell[],
  context: RowContext,
): string {
  let height: number | undefined;
  let level: number | undefined;
  let isHidden = false;
  let others = '';
  let hasAutoHeight = false;
  for (const placement of placements) {
    const line = lineOf(row, placement, context.layout.template);
    height = greater(height, line?.row?.height);
    level = greater(level, line?.row?.outlineLevel);
    isHidden ||= line?.row?.isHidden === true;
    others ||= line?.row?.attributes ?? '';
    hasAutoHeight ||= line?.hasAutoHeight === true;
  }
  if (hasAutoHeight) height = greater(height, textHeight(cells, placements, context));
  return (
    (height === undefined ? '' : ` ht="${height}" customHeight="1"`) +
    (level === undefined ? '' : ` outlineLevel="${level}"`) +
    (isHidden ? ' hidden="1"' : '') +
    others
  );
}

const greater = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : other === undefined ? one : Math.max(one, other);

/** The height that texts of the row need, without cells that are merged over several rows. */
function textHeight(
  cells: readonly ResultCell[],
  placements: readonly Placement[],
  { styles }: RowContext,
): number | undefined {
  let height: number | undefined;
  for (const { column, style, value } of cells) {
    const text = value.kind === 'text' || value.kind === 'static' ? storedText(value) : '';
    if (text === '') continue;
    const from = placements.findLast(
      ({ range, offset }) => column >= range.area.left + offset.columns && column <= range.area.right + offset.columns,
    );
    if (from === undefined) continue;
    height = greater(height, heightOf(text, column - from.offset.columns, from.range, styles.fontSize(style)));
  }
  return height;
}

const lineOf = (row: number, { range, offset }: Placement, template: RowContext['layout']['template']) =>
  linesOf(template, range).get(row - offset.rows - range.area.top);

/** The first column of all bands of a sheet. */
export function firstColumnOf(sheet: SheetTemplate, { layout }: RowContext): number {
  let first = Number.POSITIVE_INFINITY;
  for (const range of layout.template.ranges.values())
    if (range.sheet === sheet) first = Math.min(first, range.area.left);
  return first;
}
