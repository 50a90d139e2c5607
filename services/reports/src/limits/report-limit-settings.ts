import { defineSettings, durationMsValue, integerValue, setting, sizeBytesValue } from '@lintel/config';

const MEBIBYTE = 1024 * 1024;

/** Limits of one report. The error of a limit names the property. */
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
  templateTags: setting(
    'svc.reports.limits.template-tags',
    integerValue({ min: 1 }).default(5_000),
    'Maximum number of tags and outputs in a template of HTML or text; the time to parse it grows with the square',
  ),
  picturesBytes: setting(
    'svc.reports.limits.pictures-size',
    sizeBytesValue().default(128 * MEBIBYTE),
    'Maximum size of all pictures of a DOCX or XLSX document; they are in memory together',
  ),
  templatesBytes: setting(
    'svc.reports.limits.templates-size',
    sizeBytesValue().default(256 * MEBIBYTE),
    'Maximum size of all templates of reports in the database that this process keeps, unpacked, with up to 14 MB for the cells of each sheet of a workbook; those used longest ago are dropped, and a run waits where all are in use',
  ),
  jsonPathMs: setting(
    'svc.reports.limits.json-path-time',
    durationMsValue().default(1_000),
    'Maximum time of one JSONPath of a data set; other requests wait meanwhile',
  ),
  unreadBytes: setting(
    'svc.reports.limits.unread-size',
    sizeBytesValue().default(256 * MEBIBYTE),
    'Maximum size of the temporary files of this process with what clients have not read of their documents, divided fairly among users; above it rendering waits for the client',
  ),
});
