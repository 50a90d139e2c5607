import type { ReportOutputType } from '@lintel/application';

const CONTENT_TYPES: Readonly<Record<ReportOutputType, string>> = {
  CSV: 'text/csv',
  HTML: 'text/html',
  PDF: 'application/pdf',
  DOCX: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  XLSX: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  TXT: 'text/plain; charset=utf-8',
  CUSTOM: 'application/octet-stream',
};

/** The content type of a document (contract §1.6, decisions.md 33). */
export const contentTypeOf = (type: ReportOutputType): string => CONTENT_TYPES[type];
