// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import type { ReportBand, ReportRow } from '@lintel/application';
import { buildModel } from '@lintel/metadata';
import { cases, fc } from '@lintel/testkit/properties';
import { workbook } from '../../../test/drawn-workbook.ts';
import { formatterOf, PICTURES } from '../../../test/xlsx-result.ts';
import type { BandContext } from '../../bands/band-context.ts';
import { renderXlsxReport, xlsxReportTemplate } from './render-xlsx-report.ts';
import { parseXlsxTemplate } from './template/parse-xlsx-template.ts';

const context = (rows: readonly ReportRow[], putEmptyRow: boolean): BandContext =>
  ({
    model: buildModel({ entities: [], enums: [], fetchPlans: [] }),
    parameters: {},
    parameterFields: new Map(),
    data: {
      async *load() {
        yield* rows;
      },
    },
    signal: new AbortController().signal,
    putEmptyRow,
  }) as unknown as BandContext;

const TEMPLATE = workbook({
  names: {
    Head: 'S!$A$1:$D$2',
    Row: 'S!$A$3:$D$3',
    Foot: 'S!$A$5:$D$6',
    Beside: 'Other!$B$2',
  },
  sheets: [
    {
      name: 'S',
      cells: { A1: 'Head', A3: '${name}', B3: '${count}', C3: '=B3*$B$1', B5: '=SUM(B3:B3)', C6: '=COUNTA(A3)+B3' },
      heights: { 3: 18 },
      merges: ['C3:D3', 'A1:B1'],
      tail: '<conditionalFormatting sqref="B3"><cfRule type="cellIs" dxfId="0" priority="1" operator="lessThan"><formula>$B$5</formula></cfRule></conditionalFormatting>',
      drawing: {
        charts: [
          { kind: 'col', title: 'T', categories: 'S!$A$3:$A$3', values: 'S!$B$3:$B$3', from: [5, 0], to: [9, 9] },
        ],
      },
    },
    { name: 'Other', cells: { B2: "=SUM(S!B3:B3)&'S'!A1" } },
  ],
});

// Asserts contract/report-templates.md#xlsx.
test('a streamed workbook is byte by byte the one that is made of all rows in memory', async () => {
  const row = fc.record({ name: fc.string({ maxLength: 5 }), count: fc.oneof(fc.integer(), fc.constant(null)) });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 8 }), fc.nat(2), fc.boolean(), async (rows, order, putEmptyRow) => {
      const band: ReportBand = { name: 'Row', dataSets: [{ kind: 'function', name: 's', rows: async () => rows }] };
      const bands = [{ name: 'Head' }, band, { name: 'Foot' }, { name: 'Beside' }];
      const moved = order === 0 ? bands : [bands[0], bands[3], band, bands[2]].map((one) => one as ReportBand);
      const template = await parseXlsxTemplate(TEMPLATE, moved);
      const limits = { rows: { max: 100, property: 'p' }, maxElements: 1_000 };
      const options = { formatter: formatterOf(), pictures: PICTURES, csv: undefined, ...limits } as const;
      const made = async (streamed: ReportBand | undefined): Promise<Buffer> => {
        const { content } = await renderXlsxReport(
          { bands: moved },
          { workbook: template, streamed },
          context(rows, putEmptyRow),
          options,
        );
        return Buffer.concat((await Array.fromAsync(content)) as Uint8Array[]);
      };
      expect(xlsxReportTemplate(template, { bands: moved }).streamed).toBe(band);
      const streamed = await made(band);
      expect(streamed.equals(await made(undefined))).toBe(true);
    }),
    cases(40),
  );
});
