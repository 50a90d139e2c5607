import type { ReportOutputType } from '@lintel/application';
import { type CompiledTemplate, withOutput } from './compile-template.ts';

const template = (file: string, outputType: ReportOutputType, kind = 'docx') =>
  ({ kind, definition: { code: 'DEFAULT', file, outputType } }) as CompiledTemplate;

// Asserts contract/reports.md#run.
test.each([
  ['DOCX', 'order.docx', 'PDF'],
  ['XLSX', 'prices.XLSX', 'HTML'],
  ['HTML', 'page.html', 'PDF'],
  ['DOCX', 'order.docx', 'DOCX'],
] as const)('%s of %s has the output %s', (own, file, other) =>
  expect(withOutput(template(file, own), other).definition).toEqual({ code: 'DEFAULT', file, outputType: other }),
);

// Asserts contract/reports.md#run.
test('an output that the file cannot have is refused, naming those that it can have', () => {
  expect(() => withOutput(template('order.docx', 'DOCX'), 'XLSX')).toThrow(
    'Template DEFAULT has no output XLSX, only DOCX, HTML, PDF',
  );
  expect(() => withOutput(template('labels.html', 'HTML', 'code'), 'PDF')).toThrow(/has no output PDF, only HTML$/);
});
