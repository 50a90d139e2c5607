import type { ReportOutputType } from '@lintel/application';
import { apiSchemas } from '@lintel/contracts';
import { contentTypeOf, isView } from './output-type.ts';

// Asserts contract/decisions.md#33, contract/reports.md#run-response.
test.each([
  ['CSV', 'text/csv'],
  ['HTML', 'text/html'],
  ['PDF', 'application/pdf'],
  ['DOCX', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['XLSX', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['CUSTOM', 'application/octet-stream'],
] as const)('a document of the type %s is %s', (type, contentType) => {
  expect(contentTypeOf(type)).toBe(contentType);
  expect(isView(type)).toBe(false);
});

// Asserts contract/reports.md#report-info.
test('the API documents list every output type that a template can have', () => {
  const types = {
    ...{ CSV: true, HTML: true, PDF: true, DOCX: true, XLSX: true, TXT: true, CUSTOM: true },
    ...{ CHART: true, TABLE: true, PIVOT_TABLE: true },
  } satisfies Record<ReportOutputType, true>;
  expect(apiSchemas()['ReportTemplate']).toMatchObject({
    properties: { outputType: { enum: expect.arrayContaining(Object.keys(types)) } },
  });
});
