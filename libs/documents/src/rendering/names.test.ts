// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { contentDisposition } from './content-disposition.ts';
import { outputName } from './output-name.ts';

const template = { code: 'DEFAULT', outputType: 'CSV', file: 'reports/sales.csv' } as const;
const nothing = () => undefined;
const value = (text: string) => (_: string, field: string) => (field === '__REPORT_FILE_NAME' ? undefined : text);

describe('outputName', () => {
  // Asserts contract/reports.md#file-name.
  test('is the file name of the template, or its pattern, with the extension of the output', () => {
    expect(outputName(template, nothing)).toBe('sales.csv');
    expect(outputName({ ...template, outputType: 'HTML' }, nothing)).toBe('sales.html');
    expect(outputName({ ...template, outputName: 'All sales' }, nothing)).toBe('All sales.csv');
  });

  // Asserts contract/reports.md#file-name.
  test('substitutes the first field of the pattern', () => {
    const named = { ...template, outputName: 'from ${Root.from} ${Root.to}.x' };
    expect(outputName(named, value('2026'))).toBe('from 2026 ${Root.to}.csv');
  });

  // Asserts contract/report-templates.md#safety.
  test('keeps path separators and control characters out', () => {
    expect(outputName({ ...template, outputName: '${A.b}.x' }, value('../a\\b\r\nc'))).toBe('.._a_b__c.csv');
  });

  // Asserts contract/reports.md#file-name.
  test('is the root field __REPORT_FILE_NAME as it stands, where there is one', () => {
    const named = (text: string) => (band: string, field: string) =>
      band === 'Root' && field === '__REPORT_FILE_NAME' ? text : undefined;
    expect(outputName(template, named('Q1/2026.final'))).toBe('Q1_2026.final');
    expect(outputName(template, named('  '))).toBe('sales.csv');
  });

  // Asserts contract/reports.md#file-name.
  test('keeps a custom name as it is', () => {
    expect(outputName({ ...template, outputType: 'CUSTOM', outputName: 'a.b' }, nothing)).toBe('a.b');
  });

  // Asserts contract/reports.md#file-name.
  test('says which field has no value', () => {
    expect(() => outputName({ ...template, outputName: '${A.b}.x' }, nothing)).toThrow('No data in band [A] field [b]');
  });
});

// Asserts contract/decisions.md#33, contract/reports.md#run-response.
test('the disposition carries the name in the old and in the standard form', () => {
  expect(contentDisposition("Ä b'(1).csv", false)).toBe(
    `inline; filename="%C3%84+b%27%281%29.csv"; filename*=UTF-8''%C3%84%20b%27%281%29.csv`,
  );
  expect(contentDisposition('a.csv', true)).toMatch(/^attachment; /);
});
