import { defineSettings, integerValue, setting, sizeBytesValue } from '@lintel/config';

const MEBIBYTE = 1024 * 1024;

/** Limits of one report. The error of a limit names the property, if it has one. */
export const reportLimitSettings = defineSettings({
  documentElements: setting(
    'svc.reports.limits.document-elements',
    integerValue({ min: 1_000 }).default(100_000),
    'Maximum number of XML elements in a DOCX document, and of those that copies of bands add around the cells of a workbook: hyperlinks, drawings, areas of formats. An element takes about a kilobyte of memory while the document is made, and a row of ten cells has some eighty',
  ),
  crossTableCells: setting(
    'svc.reports.limits.cross-table-cells',
    integerValue({ min: 1 }).default(200_000),
    'Maximum number of cells of all cross tables of a report together, those of the headers included; the limits of rows count each row of a cross table once',
  ),
  /** Tags and outputs in a template of HTML or text; the time to parse it grows with the square. */
  templateTags: 5_000,
  picturesBytes: setting(
    'svc.reports.limits.pictures-size',
    sizeBytesValue().default(128 * MEBIBYTE),
    'Maximum size of all pictures of a DOCX or XLSX document; they are in memory together',
  ),
  /** All templates of reports in the database that this process keeps, unpacked, with up to 14 MB for the cells of each sheet of a workbook. The process drops the least recently used ones, and a run waits where all are in use. */
  templatesBytes: 256 * MEBIBYTE,
  /** Time of one JSONPath of a data set; other requests wait meanwhile. */
  jsonPathMs: 1_000,
  /** Temporary files of this process with the parts of documents that clients have not read, divided fairly among users; above it rendering waits for the client. */
  unreadBytes: 256 * MEBIBYTE,
});
