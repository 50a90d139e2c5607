export type { BandContext } from './bands/band-context.ts';
export { type BandData, ROOT_BAND } from './bands/band-data.ts';
export { type Cell, type Fields, plainOf } from './bands/cell.ts';
export { cellOfParameter } from './bands/cells-of-row.ts';
export { setsOfCrossBand } from './bands/cross-band.ts';
export { filterByIds } from './bands/data-sets/filter-by-ids.ts';
export { compileJsonPath } from './bands/data-sets/read-json.ts';
export { extractBands } from './bands/extract-bands.ts';
export type { ReportDataSource, SelectedRow } from './bands/report-data-source.ts';
export { checkCsv, checkLiquid, shownBy } from './checks/check-text.ts';
export { checkWord } from './checks/check-word.ts';
export { checkWorkbook } from './checks/check-workbook.ts';
export { bandIn, type FieldTest, type KnownBand } from './checks/known-band.ts';
export { type ReportProblem, TemplateFindings } from './checks/report-problem.ts';
export { createRemoteReader, type RemoteReader } from './remote-documents/fetch-document.ts';
export { type DocumentOptions, type DocumentRow, type DocumentTemplate, renderDocument } from './render-document.ts';
export {
  type CompiledTemplate,
  compileTemplate,
  type TemplateLimits,
  withOutput,
} from './rendering/compile-template.ts';
export { contentDisposition } from './rendering/content-disposition.ts';
export {
  CHROMIUM,
  type ConversionProgram,
  LIBREOFFICE,
  PROGRAMS_PAGE,
  programOf,
} from './rendering/converting/conversion-program.ts';
export { createConverters } from './rendering/converting/create-converters.ts';
export type { DocumentConverters } from './rendering/converting/document-converters.ts';
export { converterSettings } from './rendering/converting/settings.ts';
export { wordDocument } from './rendering/docx/writing/word-document.ts';
export { cell, field, paragraph, row, run, table, thinParagraph } from './rendering/docx/writing/word-elements.ts';
export { parseContentFormat } from './rendering/formats/content-format.ts';
export { dateFormatOf } from './rendering/formats/format-cell.ts';
export { createPictureSource } from './rendering/images/create-picture-source.ts';
export type { PictureSource } from './rendering/images/picture-source.ts';
export { Pauses } from './rendering/ooxml/xml/pauses.ts';
export { contentTypeOf, isView } from './rendering/output-type.ts';
export { type DocumentPiece, type RenderLimits, renderReport } from './rendering/render-report.ts';
export { columnName } from './rendering/xlsx/cells/area.ts';
export { withDescendants } from './rendering/xlsx/template/streamed-band.ts';
export { type WorkbookCell, workbook } from './rendering/xlsx/writing/workbook.ts';
export type { CellStyle } from './rendering/xlsx/writing/workbook-styles.ts';
export { ReportFailure } from './report-failure.ts';
