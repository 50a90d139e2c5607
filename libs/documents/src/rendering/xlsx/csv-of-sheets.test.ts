// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders

import { createMessages, displayIn } from '@lintel/metadata';
import { ExactNumber } from '@lintel/query';
import { bandTree, rowsOf, type TestRow } from '../../../test/band-tree.ts';
import { workbook } from '../../../test/drawn-workbook.ts';
import { bandsOf } from '../../../test/xlsx-result.ts';
import { createCellFormatter, machineText } from '../formats/format-cell.ts';
import { positionBands } from './placing/position-bands.ts';
import { createContext } from './render-xlsx.ts';
import { parseXlsxTemplate } from './template/parse-xlsx-template.ts';
import { csvOfSheets } from './writing/csv-of-sheets.ts';

const csvOf = async (
  {
    bands,
    ...template
  }: Parameters<typeof workbook>[0] & { readonly bands: Readonly<Record<string, readonly TestRow[]>> },
  { formats = {}, locale = 'en', formulaGuard = false } = {},
): Promise<string> => {
  const root = bandTree(bands);
  const { signal } = new AbortController();
  const layout = positionBands(await parseXlsxTemplate(workbook(template), bandsOf(root)), root, signal);
  const formatter = createCellFormatter(formats, displayIn(createMessages(), locale), machineText);
  const context = await createContext(layout, { formatter, maxElements: 1_000 });
  return (await Array.fromAsync(csvOfSheets(layout, { ...context, csv: { formulaGuard } }, signal))).join('');
};

const temporal = (kind: string, text: string) => ({ kind: 'temporal', temporal: kind, text });

test('the csv of a workbook has the values of all sheets, every cell quoted', async () => {
  const csv = await csvOf({
    names: { Head: 'S!$B$1:$D$2', Row: 'S!$B$3:$D$3', Other: 'T!$A$1' },
    sheets: [
      { name: 'S', cells: { B1: 'Name', D1: 'Day', B3: '${name}', C3: '=1+1', D3: '${day}' } },
      { name: 'T', cells: { A1: '${name}' } },
    ],
    bands: {
      Head: [{}],
      Row: rowsOf({ name: 'say "hi"', day: temporal('date', '2026-11-21') }, { name: true }),
      Other: rowsOf({ name: new ExactNumber('1234.50') }),
    },
  });
  expect(csv).toBe('"Name";"";"Day"\n"say ""hi""";"";"2026-11-21"\n"True";"";""\n"1234.50"\n');
});

const ONE_ROW = {
  names: { Row: 'S!$A$1:$D$1' },
  sheets: [{ name: 'S', cells: { A1: '${a}', B1: '${b}', C1: '${c}', D1: 'Sum ${sum} at ${b}' } }],
};

test('values without a format are for programs in each language, and a format applies', async () => {
  const fields = {
    a: temporal('dateTime', '2026-11-21T08:30:00'),
    b: temporal('time', '08:30:00'),
    c: temporal('date', '1850-01-31'),
    sum: new ExactNumber('1234.50'),
  };
  const template = { ...ONE_ROW, bands: { Row: rowsOf(fields) } };
  const options = { locale: 'de', formats: { 'Row.c': 'dd.MM.yyyy' } };
  expect(await csvOf(template, options)).toBe(
    '"2026-11-21T08:30:00";"08:30:00";"31.01.1850";"Sum 1234.50 at 08:30:00"\n',
  );
});

test('the guard against formulas marks texts and leaves numbers', async () => {
  const fields = { a: '=HYPERLINK("x")', b: new ExactNumber('-5'), c: '-5' };
  const cells = { A1: '${a}', B1: '${b}', C1: '${c}', D1: '${a}${b}' };
  const template = { ...ONE_ROW, sheets: [{ name: 'S', cells }], bands: { Row: rowsOf(fields) } };
  const csv = await csvOf(template, { formulaGuard: true });
  expect(csv).toBe(`"'=HYPERLINK(""x"")";"-5";"'-5";"'=HYPERLINK(""x"")-5"\n`);
});
