import { type CellStyle, columnName, dateFormatOf, type WorkbookCell, workbook } from '@lintel/documents';
import type { Display } from '@lintel/metadata';
import type { DraftColumn } from './draft-columns.ts';
import { aliasOf, BANDS, type DraftLayout, isNumber, LOOK, leadOf, pageOf } from './draft-layout.ts';

const HEAD: CellStyle = { bold: true, color: LOOK.light, fill: LOOK.dark };
const SUM: CellStyle = { bold: true, fill: LOOK.sum };
const ROW: CellStyle = { border: 'bottom', borderColor: LOOK.line };
const HEAD_ROW = 3;
const VIEW =
  '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView showGridLines="0" workbookViewId="0">' +
  `<pane ySplit="${HEAD_ROW}" topLeftCell="A${HEAD_ROW + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`;
const tailOf = (orientation: string): string =>
  '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/>' +
  `<pageSetup paperSize="9" orientation="${orientation}" fitToWidth="1" fitToHeight="0"/>` +
  '<headerFooter><oddFooter>&amp;C&amp;P / &amp;N</oddFooter></headerFooter>';

/**
 * The template of a draft as a workbook: title, frozen header, a row for each group with its totals, the rows and the
 * totals of all, with the formats of a locale; printed on pages as wide as the paper.
 */
export function draftWorkbook(title: string, layout: DraftLayout, display: Display): Uint8Array {
  const { groups, columns, totals } = layout;
  const { hasLead, widths, isWide } = pageOf(layout);
  const styles: CellStyle[] = [{}];
  const styled = (value: string, style: CellStyle): WorkbookCell => {
    const known = styles.findIndex((one) => JSON.stringify(one) === JSON.stringify(style));
    return { value, style: known < 0 ? styles.push(style) - 1 : known };
  };
  const cells: Record<string, WorkbookCell> = {
    A1: styled(literal(title), { bold: true, size: 16, color: LOOK.dark }),
  };
  const names: Record<string, string> = { '_xlnm.Print_Titles': `Report!$${HEAD_ROW}:$${HEAD_ROW}` };
  const first = hasLead ? 2 : 1;
  const last = columnName(first + columns.length - 1);
  let row = HEAD_ROW;
  const addRow = (band: string, lead: string, look: CellStyle, textOf: (column: DraftColumn) => string): void => {
    if (first === 2) cells[`A${row}`] = styled(lead, look);
    for (const [at, column] of columns.entries()) {
      const text = textOf(column);
      const kind = (look === SUM && totals.get(column.alias)) || column.kind;
      const format = look === HEAD || text === '' ? undefined : formatOf(kind, display);
      const align = isNumber({ kind }) ? 'right' : 'left';
      const style: CellStyle = { ...look, align, ...(format && { format }) };
      const isLead = first === 1 && at === 0 && text === '';
      cells[`${columnName(first + at)}${row}`] = isLead ? styled(lead, look) : styled(text, style);
    }
    names[band] = `Report!$A$${row === HEAD_ROW ? 1 : row}:$${last}$${row}`;
    row += 1;
  };
  const ofTotals = (column: DraftColumn): string => (totals.has(column.alias) ? aliasOf(column) : '');
  addRow(BANDS.header, literal(groups.map(({ caption }) => caption).join(' – ')), HEAD, ({ caption }) =>
    literal(caption),
  );
  for (const [at, group] of groups.entries()) {
    addRow(BANDS.group(at), literal(leadOf(group, at)), SUM, ofTotals);
  }
  addRow(BANDS.rows, '', ROW, aliasOf);
  if (totals.size > 0) addRow(BANDS.total, display.message('lintel.report.total'), SUM, ofTotals);
  const heights = { 1: 26, [HEAD_ROW]: 20 };
  const tail = tailOf(isWide ? 'landscape' : 'portrait');
  return workbook({ sheets: [{ name: 'Report', cells, widths, heights, head: VIEW, tail }], names, styles });
}

/** A text that is no formula. */
const literal = (text: string): string => (text.startsWith('=') ? ` ${text}` : text);

function formatOf(kind: DraftColumn['kind'], { numbers, temporals }: Display): string | undefined {
  if (kind === 'text') return undefined;
  if (kind === 'integer' || kind === 'decimal' || kind === 'floating') return numbers[kind];
  return dateFormatOf(temporals[kind]);
}
