import type { WorkbookDefinition } from '../drawn-workbook.ts';

const DARK = '1F3864';
const LIGHT = 'F2F5FA';

/** Cell formats of all workbooks of the example, by what they are for. */
export const STYLE = {
  plain: 0,
  title: 1,
  subtitle: 2,
  head: 3,
  headRight: 4,
  text: 5,
  number: 6,
  money: 7,
  total: 8,
  totalNumber: 9,
  totalMoney: 10,
} as const;

/** In the order of `STYLE`. */
export const STYLES: NonNullable<WorkbookDefinition['styles']> = [
  {},
  { bold: true, size: 16, color: DARK },
  { size: 10, color: '666666' },
  { bold: true, color: 'FFFFFF', fill: DARK },
  { bold: true, color: 'FFFFFF', fill: DARK, align: 'right' },
  { border: 'bottom', borderColor: 'D9D9D9' },
  { border: 'bottom', borderColor: 'D9D9D9', format: '#,##0' },
  { border: 'bottom', borderColor: 'D9D9D9', format: '#,##0.00' },
  { bold: true, fill: LIGHT },
  { bold: true, fill: LIGHT, format: '#,##0' },
  { bold: true, fill: LIGHT, format: '#,##0.00' },
];

/** Rows that stay in sight, and no lines between cells. */
export const frozenBelow = (rows: number): string =>
  '<sheetViews><sheetView showGridLines="0" workbookViewId="0">' +
  `<pane ySplit="${rows}" topLeftCell="A${rows + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`;

/** A printed page as wide as the paper, with its number in the footer. */
export const printed = (orientation: 'portrait' | 'landscape', title: string): string =>
  '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/>' +
  `<pageSetup paperSize="9" orientation="${orientation}" fitToWidth="1" fitToHeight="0"/>` +
  `<headerFooter><oddFooter>&amp;L${title}&amp;RPage &amp;P of &amp;N</oddFooter></headerFooter>`;

/** In front of the views: pages are scaled to the width of the paper. */
export const FIT_TO_PAGE = '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>';
