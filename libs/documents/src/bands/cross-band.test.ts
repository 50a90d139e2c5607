import type { ReportBand, ReportDataSet, ReportParameters, ReportRow } from '@lintel/application';
import { buildModel } from '@lintel/metadata';
import type { BandData } from './band-data.ts';
import { plainOf } from './cell.ts';
import { extractBands } from './extract-bands.ts';

const set = (name: string, rows: readonly ReportRow[] | ((parameters: ReportParameters) => readonly ReportRow[])) =>
  ({
    kind: 'function',
    name,
    rows: async (parameters) => (typeof rows === 'function' ? rows(parameters) : rows),
  }) satisfies ReportDataSet;

const cross = (dataSets: readonly ReportDataSet[], putEmptyRow = true, limits: Limits = {}) =>
  extract([{ name: 'T', orientation: 'cross', dataSets }], { ...limits, putEmptyRow });

interface Limits {
  readonly maxCells?: number;
  readonly assertRows?: (rows: number) => void;
}
const extract = (
  bands: readonly ReportBand[],
  { maxCells = 1_000, assertRows = () => {}, putEmptyRow = true }: Limits & { readonly putEmptyRow?: boolean },
) =>
  extractBands(
    { bands },
    {
      model: buildModel({ entities: [], enums: [], fetchPlans: [] }),
      parameters: {},
      parameterFields: new Map(),
      data: {
        load: (): never => {
          throw new Error('no entity is read');
        },
        select: (): never => {
          throw new Error('no query is run');
        },
        readDocument: () => Promise.reject(new Error('no document is read')),
      },
      signal: new AbortController().signal,
      maxPathMs: 1_000,
      maxCells,
      putEmptyRow,
    },
    assertRows,
  );

/** A tree as nested texts: what a formatter would walk through. */
const drawn = (band: BandData): unknown => ({
  [`${band.name} ${band.orientation} ${band.level}`]: Object.fromEntries(
    [...band.data].map(([name, cell]) => [name, String(plainOf(cell))]),
  ),
  ...(band.children.size === 0 ? {} : { below: [...band.children.values()].flat().map(drawn) }),
});

const COLUMNS = set('dynamic_header', [{ code: 'N' }, { code: 'S' }]);
const ROWS = set('master_data', [
  { id: 1, name: 'Pen' },
  { id: 2, name: 'Ink' },
]);

// Asserts contract/report-data.md#data.
test('a cross band becomes a header with its columns and a row of cells for each row of the table', async () => {
  const cells = set('cells', [
    { T_dynamic_header_code: 'S', T_master_data_id: 1, count: 5 },
    { T_dynamic_header_code: 'N', T_master_data_id: 2, count: 7 },
    { T_dynamic_header_code: 'N', T_master_data_id: 2, count: 8 },
    { T_dynamic_header_code: 'X', T_master_data_id: 2, count: 9 },
    { T_dynamic_header_code: 'N', T_master_data_id: null, count: 9 },
    { T_dynamic_header_code: 'N', count: 9 },
  ]);
  const root = await cross([COLUMNS, ROWS, cells]);
  expect([...root.children.values()].flat().map(drawn)).toEqual([
    {
      'T_header horizontal 1': {},
      below: [{ 'T_dynamic_header vertical 2': { code: 'N' } }, { 'T_dynamic_header vertical 2': { code: 'S' } }],
    },
    {
      'T_master_data horizontal 1': { id: '1', name: 'Pen' },
      below: [
        { 'T vertical 2': {} },
        { 'T vertical 2': { T_dynamic_header_code: 'S', T_master_data_id: '1', count: '5' } },
      ],
    },
    {
      'T_master_data horizontal 1': { id: '2', name: 'Ink' },
      below: [
        { 'T vertical 2': { T_dynamic_header_code: 'N', T_master_data_id: '2', count: '7' } },
        { 'T vertical 2': {} },
      ],
    },
  ]);
});

// Asserts contract/report-data.md#data.
test('the axes are parameters of the cells', async () => {
  let seen: unknown;
  const cells = set('cells', (parameters) => {
    seen = parameters;
    return [];
  });
  await cross([set('T_dynamic_header', [{ code: 'N' }]), set('T_master_data', [{ id: 'x' }]), cells]);
  expect(seen).toEqual({ T_dynamic_header: [{ code: 'N' }], T_master_data: [{ id: 'x' }] });
});

// Asserts contract/report-data.md#data.
test('several data sets of cells are merged', async () => {
  const cells = set('cells', [{ T_dynamic_header_code: 'N', T_master_data_id: 1, count: 5 }]);
  const more = set('more', [{ value: 'v' }]);
  const root = await cross([COLUMNS, ROWS, cells, more]);
  const cell = root.children.get('T_master_data')?.[0]?.children.get('T')?.[0];
  expect([...(cell?.data.keys() ?? [])]).toEqual(['T_dynamic_header_code', 'T_master_data_id', 'count', 'value']);
});

// Asserts contract/report-data.md#data.
test('without rows there is only the header with one cell, for any setting about bands without data', async () => {
  for (const putEmptyRow of [true, false]) {
    const root = await cross([COLUMNS, set('master_data', []), set('cells', [])], putEmptyRow);
    expect([...root.children.values()].flat().map((band) => `${band.name} ${band.orientation}`)).toEqual([
      'T_header horizontal',
      'T vertical',
    ]);
  }
});

// Asserts contract/report-data.md#cross.
test.each(['_', '@'])('cells belong to the column of which every field is equal, linked with %s', async (sign) => {
  const columns = set('dynamic_header', [
    { caption: 'Jan', year: 2026, month: 1 },
    { caption: 'Feb', year: 2026, month: 2 },
  ]);
  const cell = (month: number | null, amount: number) => ({
    [`T_dynamic_header${sign}year`]: 2026,
    [`T_dynamic_header${sign}month`]: month,
    [`T_dynamic_header${sign}other`]: 1,
    [`T_master_data${sign}id`]: 1,
    amount,
  });
  const cells = set('cells', [cell(2, 20), cell(1, 9), cell(3, 5), cell(null, 7)]);
  const root = await cross([columns, set('master_data', [{ id: 1 }]), cells]);
  const [row] = root.children.get('T_master_data') ?? [];
  expect(row?.children.get('T')?.map(({ data }) => String(plainOf(data.get('amount') ?? { kind: 'empty' })))).toEqual([
    '9',
    '20',
  ]);
});

// Asserts contract/report-data.md#data.
test('the header and each row of the table count as one row, however many columns there are', async () => {
  const counts: number[] = [];
  await cross([COLUMNS, ROWS, set('cells', [])], true, { assertRows: (rows) => counts.push(rows) });
  expect(counts).toEqual([1, 2, 3]);
});

// Asserts contract/report-data.md#data.
test('the cells of a report have a limit of their own, which includes those of the header, and the error names it', async () => {
  const refused = expect.objectContaining({
    code: 'REPORT_RUN_ERROR',
    details: 'The cross tables of the report have more than 5 cells',
  });
  const table = [COLUMNS, ROWS, set('cells', [])];
  expect((await cross(table, true, { maxCells: 6 })).children.get('T_master_data')).toHaveLength(2);
  await expect(cross(table, true, { maxCells: 5 })).rejects.toEqual(refused);
});

// Asserts contract/report-data.md#data.
test('axes that make too many cells are not read to their end', async () => {
  let read = 0;
  const endless = (name: string) =>
    ({
      kind: 'function',
      name,
      async *rows() {
        for (;;) {
          read += 1;
          yield { code: read };
        }
      },
    }) satisfies ReportDataSet;
  const cells = set('cells', []);
  for (const [sets, expected] of [
    [[endless('dynamic_header'), ROWS, cells], 11],
    [[COLUMNS, endless('master_data'), cells], 5],
  ] as const) {
    read = 0;
    await expect(cross(sets, true, { maxCells: 10 })).rejects.toThrow('more than 10 cells');
    expect(read).toBe(expected);
  }
});

// Asserts contract/report-data.md#data.
test('cross tables below each row of another band count together', async () => {
  const table = { name: 'T', orientation: 'cross', dataSets: [COLUMNS, ROWS, set('cells', [])] } as const;
  const parents = { name: 'P', dataSets: [set('p', [{ n: 1 }, { n: 2 }])], bands: [table] };
  await extract([parents], { maxCells: 12 });
  await expect(extract([parents], { maxCells: 11 })).rejects.toThrow('more than 11 cells');
});
