import { Readable } from 'node:stream';
import type { ReportDefinition, ReportTemplate } from '@lintel/application';
import { CHROMIUM, type ConversionProgram, LIBREOFFICE, programOf } from '@lintel/documents';
import { createLogger } from '@lintel/telemetry';
import type { LoadedReport } from './report-catalogue.ts';
import { warnOfMissingPrograms } from './warn-of-missing-programs.ts';

test.each([
  ['list.html', 'PDF', CHROMIUM],
  ['list.html', 'HTML', undefined],
  ['list.html', 'CSV', undefined],
  ['letter.docx', 'PDF', LIBREOFFICE],
  ['letter.docx', 'HTML', LIBREOFFICE],
  ['letter.docx', 'DOCX', undefined],
  ['sheet.XLSX', 'PDF', LIBREOFFICE],
  ['sheet.xlsm', 'PDF', LIBREOFFICE],
  ['sheet.xlsx', 'CSV', undefined],
  ['list.csv', 'CSV', undefined],
  ['note.txt', 'TXT', undefined],
] as const)('%s as %s needs the program that converts it, if any', (file, outputType, program) => {
  expect(programOf(file, outputType)).toBe(program);
});

const loaded = (templates: readonly ReportTemplate[]): LoadedReport => {
  const definition: ReportDefinition = {
    id: '5a0f6f0e-6a4f-4a52-9a07-0c3f6d1e7b20',
    code: 'orders',
    name: 'Orders',
    restAccess: true,
    bands: [],
    templates,
  };
  const missing = () => Promise.reject(new Error('not compiled here'));
  return { definition, isStored: false, problems: [], compile: missing, streamFile: () => Readable.from([]) };
};

async function warningsOf(
  templates: readonly ReportTemplate[],
  missing: readonly ConversionProgram[],
  missingPackage?: string,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const logger = createLogger({ service: 'reports', destination: { write: (line) => void lines.push(line) } });
  await warnOfMissingPrograms(
    [loaded(templates)],
    { findMissing: async () => missing, findMissingPackage: () => missingPackage },
    logger,
  );
  return lines.map((line) => (JSON.parse(line) as { message: string }).message);
}

const PRINTED: ReportTemplate = { code: 'print', outputType: 'PDF', file: 'orders.html' };

test('a missing program that a template needs is a warning with its property and page', async () => {
  expect(await warningsOf([PRINTED], [LIBREOFFICE, CHROMIUM])).toEqual([
    'Chromium was not found: 1 template(s) of reports need it. Install it, or set svc.reports.chromium-path: see docs/guide/reports.md#programs-for-pdf',
  ]);
});

test('a missing package of npm is a warning if a template is printed by Chromium', async () => {
  const sentence = 'PDF documents of HTML need a package that is not installed';
  expect(await warningsOf([PRINTED], [], sentence)).toEqual([sentence]);
  expect(await warningsOf([{ code: 'c', outputType: 'CSV', file: 'orders.csv' }], [], sentence)).toEqual([]);
  expect(await warningsOf([{ code: 'l', outputType: 'PDF', file: 'letter.docx' }], [], sentence)).toEqual([]);
});

test('no warning if the program is there, if no template needs it, or if code makes the document', async () => {
  expect(await warningsOf([PRINTED], [])).toEqual([]);
  expect(await warningsOf([{ code: 'c', outputType: 'CSV', file: 'orders.csv' }], [CHROMIUM])).toEqual([]);
  expect(await warningsOf([{ ...PRINTED, render: () => '' }], [CHROMIUM])).toEqual([]);
});
