export { OoxmlError } from '../rendering/ooxml/ooxml-package.ts';
export { isoOfSerial } from './iso-of-serial.ts';
export { type SheetCell, type SheetRows, sheetRows } from './sheet-rows.ts';
export { type WrittenCell, workbookStream } from './workbook-stream.ts';
