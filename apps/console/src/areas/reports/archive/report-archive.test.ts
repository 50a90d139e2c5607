import { strToU8, zipSync } from 'fflate';
import { ArchiveError, type ReportArchive, readArchive, writeArchive } from './report-archive.ts';

const ARCHIVE: ReportArchive = {
  name: 'Open orders',
  code: 'open-orders',
  description: null,
  localeNames: null,
  restAccess: true,
  definition: '{"bands":[{"name":"Orders"}]}',
  group: 'Sales',
  templates: [
    { code: 'DEFAULT', reportOutputType: 'CSV', isDefault: true, name: 'orders.csv', bytes: strToU8('a') },
    { code: 'page', reportOutputType: 'HTML', isDefault: false, name: '../orders.csv', bytes: strToU8('b') },
  ],
};
const described = (description: unknown): Uint8Array =>
  zipSync({ 'report.json': strToU8(JSON.stringify(description)) });

test('what was written is read again, also templates whose files have the same name', () =>
  expect(readArchive(writeArchive(ARCHIVE))).toEqual(ARCHIVE));

test.each([
  ['a file that is no zip', strToU8('x'), 'zip'],
  ['a zip without a report', zipSync({ 'a.txt': strToU8('a') }), 'report.json'],
  ['another format', described({ format: 2 }), 'format 2'],
  ['a report without a definition', described({ format: 1, report: { name: 'x' }, templates: [] }), 'report.json'],
  [
    'a template without its file',
    described({ format: 1, report: { name: 'x', definition: {} }, templates: [{ file: 'templates/1/x.csv' }] }),
    'templates/1/x.csv',
  ],
])('%s is refused', (_title, zip, problem) => {
  expect(() => readArchive(zip)).toThrow(ArchiveError);
  expect(() => readArchive(zip)).toThrow(problem);
});
