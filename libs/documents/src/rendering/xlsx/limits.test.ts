// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import type { ReportBand } from '@lintel/application';
import { buildModel } from '@lintel/metadata';
import { bandTree, rowsOf } from '../../../test/band-tree.ts';
import { workbook } from '../../../test/drawn-workbook.ts';
import { bandsOf, formatterOf, PICTURES } from '../../../test/xlsx-result.ts';
import type { BandContext } from '../../bands/band-context.ts';
import { Layout } from './placing/layout.ts';
import { renderXlsxReport } from './render-xlsx-report.ts';
import { parseXlsxTemplate } from './template/parse-xlsx-template.ts';

const TEMPLATE = workbook({ names: { Row: 'S!$A$1' }, sheets: [{ name: 'S', cells: { A1: '${a}' } }] });

// Asserts contract/report-templates.md#templates.
test('a sheet that would have more rows than it can hold is an error that names it', async () => {
  const root = bandTree({ Row: rowsOf({ a: 1 }) });
  const template = await parseXlsxTemplate(TEMPLATE, bandsOf(root));
  const layout = new Layout(template, root);
  const [data] = root.children.get('Row') ?? [];
  const range = template.ranges.get('Row');
  if (data === undefined || range === undefined) throw new Error('The template has the band');
  layout.stream({ range, data, offset: { rows: 1_048_575, columns: 0 } });
  expect(() => layout.stream({ range, data, offset: { rows: 1_048_576, columns: 0 } })).toThrow(
    'The sheet S would have more than the 1048576 rows that a sheet can hold.',
  );
  expect(() => layout.add({ range, data, offset: { rows: 0, columns: 16_384 } })).toThrow(
    'more than the 16384 columns',
  );
});

// Asserts contract/report-templates.md#templates.
test('a workbook that is not streamed has a limit of rows', async () => {
  const band: ReportBand = {
    name: 'Row',
    dataSets: [{ kind: 'function', name: 's', rows: async () => [{ a: 1 }, { a: 2 }, { a: 3 }] }],
  };
  const workbookTemplate = await parseXlsxTemplate(TEMPLATE, [band]);
  const context = {
    model: buildModel({ entities: [], enums: [], fetchPlans: [] }),
    parameters: {},
    parameterFields: new Map(),
    data: {},
    signal: new AbortController().signal,
    putEmptyRow: true,
    maxCells: 1_000,
  } as unknown as BandContext;
  const options = {
    formatter: formatterOf(),
    pictures: PICTURES,
    csv: undefined,
    rows: { max: 2, property: 'svc.reports.xlsx-max-rows' },
    maxElements: 1_000,
  } as const;
  await expect(
    renderXlsxReport({ bands: [band] }, { workbook: workbookTemplate, streamed: undefined }, context, options),
  ).rejects.toMatchObject({
    code: 'REPORT_RUN_ERROR',
    message: expect.stringMatching(/more than the 2 rows .*\(svc\.reports\.xlsx-max-rows\)/),
  });
});
