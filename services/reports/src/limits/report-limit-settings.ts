import { defineSettings } from '@lintel/config';

const MEBIBYTE = 1024 * 1024;

/** Limits of one report. The error of a limit names the property, if it has one. */
export const reportLimitSettings = defineSettings({
  /** XML elements in a DOCX document, and those that copies of bands add around the cells of a workbook. An element needs about a kilobyte while the document is rendered, and a row of ten cells has some eighty. */
  documentElements: 100_000,
  /** Cells of all cross tables of a report together, headers included; the limits of rows count each row of a cross table once. */
  crossTableCells: 200_000,
  /** Tags and outputs in a template of HTML or text; the time to parse nested ones grows with the square. */
  templateTags: 5_000,
  /** All pictures of a DOCX or XLSX document; they are in memory together. */
  picturesBytes: 128 * MEBIBYTE,
  /** All templates of reports in the database that this process keeps, unpacked, with up to 14 MB for the cells of each sheet of a workbook. The process drops the least recently used ones, and a run waits where all are in use. */
  templatesBytes: 256 * MEBIBYTE,
  /** Time of one JSONPath of a data set; other requests wait meanwhile. */
  jsonPathMs: 1_000,
  /** Temporary files of this process with the parts of documents that clients have not read, divided fairly among users; above it rendering waits for the client. */
  unreadBytes: 256 * MEBIBYTE,
});
