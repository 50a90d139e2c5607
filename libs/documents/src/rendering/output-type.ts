import type { ReportOutputType, ReportViewType } from '@lintel/application';

const VIEWS: readonly ReportOutputType[] = ['CHART', 'TABLE', 'PIVOT_TABLE'] satisfies readonly ReportViewType[];

/** Whether a template of the type has no document (contract/report-templates.md#formats). */
export const isView = (type: ReportOutputType): type is ReportViewType => VIEWS.includes(type);

const CONTENT_TYPES: Readonly<Record<Exclude<ReportOutputType, ReportViewType>, string>> = {
  CSV: 'text/csv',
  HTML: 'text/html',
  PDF: 'application/pdf',
  DOCX: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  XLSX: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  TXT: 'text/plain; charset=utf-8',
  CUSTOM: 'application/octet-stream',
};

/** The content type of a document (contract/reports.md#run-response, contract/decisions.md#33). */
export const contentTypeOf = (type: ReportOutputType): string => CONTENT_TYPES[isView(type) ? 'CUSTOM' : type];
