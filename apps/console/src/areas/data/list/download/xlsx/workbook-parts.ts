import type { ResolvedPath } from '@lintel/react';
import { valueKindOf } from '../../../values/value-kind.ts';
import { CELL_STYLES, columnName, textCell, xmlText } from './xlsx-cell.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const MAX_SHEET_NAME = 31;
/** Widths in characters. */
const WIDTHS: Readonly<Record<string, number>> = { boolean: 10, date: 12, dateTime: 18, number: 14, time: 10 };
const TEXT_WIDTH = 24;
const MAX_WIDTH = 50;

/** The parts of a workbook with one sheet, but for the sheet. */
export const partsOf = (sheet: string): Readonly<Record<string, string>> => ({
  '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${xmlText(sheetName(sheet))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': STYLES,
});

/** The sheet before its rows, with the captions, which stay at the top. */
export function sheetBegin(columns: readonly ResolvedPath[], isRightToLeft: boolean): string {
  const widths = columns.map(({ caption, attribute }) =>
    Math.min(MAX_WIDTH, Math.max(WIDTHS[valueKindOf(attribute)] ?? TEXT_WIDTH, caption.length + 2)),
  );
  const cols = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  const captions = columns.map(({ caption }, at) => textCell(`${columnName(at)}1`, caption, CELL_STYLES.caption));
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"${isRightToLeft ? ' rightToLeft="1"' : ''}><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${cols.length === 0 ? '' : `<cols>${cols.join('')}</cols>`}<sheetData><row r="1">${captions.join('')}</row>`;
}

/** The sheet after its rows. */
export const SHEET_END = '</sheetData></worksheet>';

/** The name of a sheet: short, without the characters that spreadsheets refuse. */
export function sheetName(text: string): string {
  const name = text
    .replaceAll(/[[\]:*?/\\]/g, ' ')
    .slice(0, MAX_SHEET_NAME)
    .replaceAll(/^[\s']+|[\s']+$/g, '');
  return name === '' ? 'Sheet' : name;
}

/** A cell format: the number of a built-in format, or how it differs. */
const format = (numberFormat: number, more = ''): string =>
  `<xf numFmtId="${numberFormat}" fontId="0" fillId="0" borderId="0" xfId="0"${numberFormat === 0 ? '' : ' applyNumberFormat="1"'}${more}/>`;

/** 14, 22 and 21 are the built-in formats of a date, a date with a time, and a time, in the form of the reader's region. */
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6">${format(0)}<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>${format(14)}${format(22)}${format(21)}${format(0, ' quotePrefix="1"')}</cellXfs></styleSheet>`;
