import { contentTypeOf, isView } from './output-type.ts';

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
