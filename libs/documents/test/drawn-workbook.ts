import {
  type WorkbookDefinition as PlainDefinition,
  type WorkbookSheet as PlainSheet,
  workbook as plainWorkbook,
  relationships,
} from '../src/rendering/xlsx/writing/workbook.ts';
import { drawingParts, type SheetDrawing } from './workbook-drawings.ts';

export interface WorkbookSheet extends PlainSheet {
  readonly drawing?: SheetDrawing;
}

export interface WorkbookDefinition extends Omit<PlainDefinition, 'sheets'> {
  readonly sheets: readonly WorkbookSheet[];
}

/** A workbook whose sheets have charts and shapes, too. */
export function workbook({ sheets, parts = {}, ...definition }: WorkbookDefinition): Uint8Array {
  const drawn: Record<string, string> = {};
  const plain = sheets.map(({ drawing, ...sheet }, index): PlainSheet => {
    if (drawing === undefined) return sheet;
    const number = index + 1;
    Object.assign(drawn, drawingParts(drawing, number));
    drawn[`xl/worksheets/_rels/sheet${number}.xml.rels`] = relationships([
      ['drawing', `../drawings/drawing${number}.xml`],
    ]);
    return { ...sheet, end: `<drawing r:id="rId1"/>${sheet.end ?? ''}` };
  });
  return plainWorkbook({ ...definition, sheets: plain, parts: { ...drawn, ...parts } });
}
