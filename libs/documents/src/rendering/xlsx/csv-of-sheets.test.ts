// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders

import { bandTree, rowsOf } from '../../../test/band-tree.ts';
import { workbook } from '../../../test/drawn-workbook.ts';
import { bandsOf, formatterOf } from '../../../test/xlsx-result.ts';
import { positionBands } from './placing/position-bands.ts';
import { createContext } from './render-xlsx.ts';
import { parseXlsxTemplate } from './template/parse-xlsx-template.ts';
import { csvOfSheets } from './writing/csv-of-sheets.ts';

test('the csv of a workbook has the stored values of all sheets, every cell quoted', async () => {
  const template = workbook({
    names: { Head: 'S!$B$1:$D$2', Row: 'S!$B$3:$D$3', Other: 'T!$A$1' },
    sheets: [
      { name: 'S', cells: { B1: 'Name', D1: 'Day', B3: '${name}', C3: '=1+1', D3: '${day}' } },
      { name: 'T', cells: { A1: '${name}' } },
    ],
  });
  const root = bandTree({
    Head: [{}],
    Row: rowsOf({ name: 'say "hi"', day: { kind: 'temporal', temporal: 'date', text: '2026-11-21' } }, { name: true }),
    Other: rowsOf({ name: 1.5 }),
  });
  const layout = positionBands(await parseXlsxTemplate(template, bandsOf(root)), root, new AbortController().signal);
  const options = { formatter: formatterOf(), signal: new AbortController().signal, maxElements: 1_000 };
  const context = await createContext(layout, options);
  const csv = await Array.fromAsync(csvOfSheets(layout, context, options.signal));
  expect(csv.join('')).toBe('"Name";"";"Day"\n"say ""hi""";"";"46347"\n"1";"";""\n"1.5"\n');
});
