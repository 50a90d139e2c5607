// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of data sets look like placeholders
import type { ReportBand, ReportDataSet, ReportParameters, ReportRow } from '@lintel/application';
import { buildModel, compositionOfMany, integer, standardEntity, string, toOne } from '@lintel/metadata';
import { readExactJson } from '@lintel/query';
import type { BandContext } from '../band-context.ts';
import type { BandData } from '../band-data.ts';
import { type Cell, type Fields, plainOf } from '../cell.ts';
import { extractBands } from '../extract-bands.ts';
import type { SelectedRow } from '../report-data-source.ts';

const model = buildModel({
  entities: [
    standardEntity('x_Order', { attributes: { number: integer(), lines: compositionOfMany('x_Line', 'order') } }),
    standardEntity('x_Line', { attributes: { order: toOne('x_Order'), product: string(10) } }),
  ],
  enums: [],
  fetchPlans: [],
});

interface Given {
  readonly parameters?: ReportParameters;
  readonly fields?: Readonly<Record<string, Cell>>;
  readonly load?: (request: { readonly entity: string; readonly filter?: unknown }) => readonly ReportRow[];
  readonly select?: (request: unknown) => readonly Partial<SelectedRow>[];
  readonly document?: (url: string) => string;
  readonly countRow?: () => void;
}

const asked: unknown[] = [];
beforeEach(() => {
  asked.length = 0;
});

function contextOf(given: Given): BandContext {
  return {
    model,
    parameters: given.parameters ?? {},
    parameterFields: new Map(Object.entries(given.fields ?? {})),
    data: {
      async *load(request) {
        asked.push(request);
        yield* given.load?.(request) ?? [];
      },
      async *select(request) {
        asked.push(request);
        for (const row of given.select?.(request) ?? []) yield { at: 0, row: {}, columns: undefined, ...row };
      },
      async readDocument(url) {
        asked.push(url);
        return given.document?.(url) ?? '[]';
      },
    },
    signal: new AbortController().signal,
    maxPathMs: 1_000,
    maxCells: 1_000,
    putEmptyRow: false,
    ...(given.countRow === undefined ? {} : { countRow: given.countRow }),
  };
}

const extract = (bands: readonly ReportBand[], given: Given = {}): Promise<BandData> =>
  extractBands({ bands }, contextOf(given), () => {});

/** A band `Orders` of two rows, and `below` it a band with the data set. */
const belowOrders = (set: ReportDataSet): readonly ReportBand[] => [
  {
    name: 'Orders',
    dataSets: [{ kind: 'function', name: 'orders', rows: async () => [{ id: 'o1' }, { id: 'o2' }, { id: null }] }],
    bands: [{ name: 'Below', dataSets: [set] }],
  },
];
const plain = (fields: Fields): ReportRow =>
  Object.fromEntries([...fields].map(([name, cell]) => [name, plainOf(cell)]));
const rowsOf = (root: BandData, band: string): readonly ReportRow[] =>
  (root.children.get(band) ?? []).map(({ data }) => plain(data));
const rowsBelow = (root: BandData): readonly (readonly ReportRow[])[] =>
  (root.children.get('Orders') ?? []).map((order) => rowsOf(order, 'Below'));

// Asserts contract/report-data.md#sets.
test('groups and aggregates are read once, and every row above has all of them', async () => {
  const question = { groupBy: ['product'], aggregates: { n: { count: '*' } } };
  const root = await extract(belowOrders({ kind: 'aggregates', name: 'lines', entity: 'x_Line', question }), {
    select: () => [{ row: { product: 'a' }, columns: [{ name: 'product', type: 'string' }] }],
  });
  expect(asked).toEqual([{ aggregates: 'x_Line', question }]);
  expect(rowsBelow(root)).toEqual([[{ product: 'a' }], [{ product: 'a' }], [{ product: 'a' }]]);
});

describe('a query', () => {
  const query = 'select l.product as product from x_Line l where l.order.id = ${Orders.id} and l.product = ${name}';

  // Asserts contract/report-data.md#children.
  test('that names fields of the bands above is run once for all of their rows', async () => {
    const columns = [{ name: 'product', type: 'string' }];
    const root = await extract(belowOrders({ kind: 'query', name: 'lines', query }), {
      fields: { name: { kind: 'text', text: 'pen' } },
      select: () => [
        { at: 0, row: { product: 'a' }, columns },
        { at: 0, row: { product: 'b' }, columns },
        { at: 1, row: { product: 'c' }, columns },
      ],
    });
    expect(asked).toEqual([
      {
        query,
        values: { name: { value: 'pen' } },
        parents: { fields: [{ name: 'Orders.id' }], rows: [['o1'], ['o2'], [null]] },
      },
    ]);
    expect(rowsBelow(root)).toEqual([[{ product: 'a' }, { product: 'b' }], [{ product: 'c' }], []]);
  });

  test('that names none is run once, and every row above has all of its rows', async () => {
    const set = { kind: 'query', name: 'lines', query: 'select l.product as product from x_Line l' } as const;
    const root = await extract(belowOrders(set), { select: () => [{ row: { product: 'a' }, columns: [] }, {}] });
    expect(asked).toHaveLength(1);
    expect(rowsBelow(root).map((rows) => rows.length)).toEqual([2, 2, 2]);
  });

  // Asserts contract/report-data.md#data, contract/report-data.md#texts.
  test('gets values with their types, instances as their ids, lists as they are', async () => {
    await extract(
      [{ name: 'A', dataSets: [{ kind: 'sql', name: 's', sql: 'select ${a}, ${b}, ${c}, ${d}, ${e}, ${f}' }] }],
      {
        fields: {
          a: { kind: 'number', number: 'floating', text: '1.50' },
          b: { kind: 'temporal', temporal: 'date', text: '2026-01-01' },
          c: { kind: 'enum', enumName: 'x.Grade', constant: 'GOLD' },
          d: { kind: 'instance', name: 'Order', value: { id: 'o1' } },
          e: { kind: 'list', cells: [{ kind: 'instance', name: 'Order', value: { id: 'o2' } }] },
          f: { kind: 'empty' },
        },
      },
    );
    expect(asked).toEqual([
      {
        sql: 'select ${a}, ${b}, ${c}, ${d}, ${e}, ${f}',
        values: {
          a: { type: 'decimal', value: '1.50' },
          b: { type: 'localDate', value: '2026-01-01' },
          c: { type: 'x.Grade', value: 'GOLD' },
          d: { value: 'o1' },
          e: { value: ['o2'] },
          f: { value: null },
        },
      },
    ]);
  });

  // Asserts contract/report-data.md#data.
  test('of cells is given the fields of both axes', async () => {
    const axis = (name: string, rows: readonly ReportRow[]) =>
      ({ kind: 'function', name, rows: async () => rows }) as const;
    const cells =
      'select x as T_dynamic_header@id from y where x in ${T_dynamic_header@id} and z in ${T_master_data_key}';
    await extract([
      {
        name: 'T',
        orientation: 'cross',
        dataSets: [
          axis('dynamic_header', [{ id: 'a' }, { id: null }, { id: 'b' }]),
          axis('master_data', [{ key: 1 }]),
          { kind: 'sql', name: 'cells', sql: cells },
        ],
      },
    ]);
    expect(asked).toEqual([
      {
        sql: cells,
        values: { T_dynamic_header_id: { value: ['a', 'b'] }, T_master_data_key: { type: 'decimal', value: ['1'] } },
      },
    ]);
  });

  // Asserts contract/report-data.md#data.
  test('returns typed values, also under the names that the text spells', async () => {
    const root = await extract([{ name: 'A', dataSets: [{ kind: 'sql', name: 's', sql: 'select 1' }] }], {
      select: () => [
        {
          row: readExactJson(
            '{"totalamount":12345678901234567.89,"day":"2026-01-01","grade":"GOLD","none":null}',
          ) as ReportRow,
          columns: [
            { name: 'totalamount', type: 'decimal', label: 'totalAmount' },
            { name: 'day', type: 'localDate' },
            { name: 'grade', type: 'string', enumName: 'x.Grade' },
            { name: 'none', type: 'decimal' },
          ],
        },
      ],
    });
    const amount = { kind: 'number', number: 'decimal', text: '12345678901234567.89' };
    expect(Object.fromEntries(root.children.get('A')?.[0]?.data ?? [])).toEqual({
      totalamount: amount,
      totalAmount: amount,
      day: { kind: 'temporal', temporal: 'date', text: '2026-01-01' },
      grade: { kind: 'enum', enumName: 'x.Grade', constant: 'GOLD' },
      none: { kind: 'empty' },
    });
  });
});

describe('entities below a band', () => {
  const set = {
    kind: 'entities',
    name: 'lines',
    entity: 'x_Line',
    fetchPlan: '_base',
    filter: () => ({ conditions: [{ property: 'product', operator: 'notEmpty' }] }),
    below: { attribute: 'order.id', field: 'Orders.id' },
  } as const;

  test('are read once for all rows, and each goes to its own', async () => {
    const line = (order: string, product: string) => ({ product, order: { id: order, _entityName: 'x_Order' } });
    const root = await extract(belowOrders(set), {
      load: () => [line('o2', 'a'), line('o1', 'b'), line('o2', 'c'), line('o3', 'd')],
    });
    expect(asked).toEqual([
      {
        entity: 'x_Line',
        fetchPlan: '_base',
        filter: {
          conditions: [
            { property: 'product', operator: 'notEmpty' },
            { property: 'order.id', operator: 'in', value: ['o1', 'o2'] },
          ],
        },
      },
    ]);
    expect(rowsBelow(root).map((rows) => rows.map(({ product }) => product))).toEqual([['b'], ['a', 'c'], []]);
  });

  test('are read some thousand rows at a time: lists of values are limited', async () => {
    const orders = Array.from({ length: 5_001 }, (_, at) => ({ id: `o${at}` }));
    const { filter: _all, ...linked } = set;
    const idsOf = (request: unknown): readonly string[] =>
      (request as { filter: { conditions: [{ value: readonly string[] }] } }).filter.conditions[0].value;
    const root = await extract(
      [
        {
          name: 'Orders',
          dataSets: [{ kind: 'function', name: 'orders', rows: async () => orders }],
          bands: [{ name: 'Below', dataSets: [linked] }],
        },
      ],
      { load: (request) => idsOf(request).map((id) => ({ product: id, 'order.id': id })) },
    );
    expect(asked.flatMap(idsOf)).toHaveLength(5_001);
    expect(Math.max(...asked.map((request) => idsOf(request).length))).toBeLessThanOrEqual(5_000);
    expect(rowsBelow(root).map((rows) => rows.map(({ product }) => product))).toEqual(orders.map(({ id }) => [id]));
  });

  test('need the attribute in their plan', async () => {
    const extracted = extract(belowOrders(set), { load: () => [{ product: 'a' }] });
    await expect(extracted).rejects.toMatchObject({ cause: { message: expect.stringContaining('not in its plan') } });
  });
});

describe('entity parameters', () => {
  const ORDER = { _entityName: 'x_Order', id: 'o1' };

  // Asserts contract/report-data.md#data.
  test('are loaded with the plan of the data set', async () => {
    const set = { kind: 'entity', name: 's', parameter: 'order', fetchPlan: '_local' } as const;
    const root = await extract([{ name: 'A', dataSets: [set] }], {
      parameters: { order: ORDER },
      load: () => [{ ...ORDER, number: 7 }],
    });
    const filter = { conditions: [{ property: 'id', operator: 'in', value: ['o1'] }] };
    expect(asked).toEqual([{ entity: 'x_Order', fetchPlan: '_local', filter }]);
    expect(rowsOf(root, 'A')).toMatchObject([{ id: 'o1' }]);
  });

  // Asserts contract/report-data.md#data, contract/report-data.md#sets.
  test('of a list keep their order; what is gone meanwhile is left out', async () => {
    const set = { kind: 'entityList', name: 's', fetchPlan: '_local' } as const;
    const list = ['o3', 'o1', 'o2'].map((id) => ({ ...ORDER, id }));
    const root = await extract([{ name: 'A', dataSets: [set] }], {
      parameters: { entities: list },
      load: () => [
        { ...ORDER, id: 'o1' },
        { ...ORDER, id: 'o3' },
      ],
    });
    expect(rowsOf(root, 'A').map(({ id }) => id)).toEqual(['o3', 'o1']);
    expect(asked).toHaveLength(1);
  });

  // Asserts contract/report-data.md#data.
  test('give the members of a collection', async () => {
    const set = { kind: 'entityList', name: 's', parameter: 'order#lines', fetchPlan: '_instance_name' } as const;
    const root = await extract([{ name: 'A', dataSets: [set] }], {
      parameters: { order: ORDER },
      load: () => [
        {
          ...ORDER,
          lines: [
            { id: 'l1', product: 'a' },
            { id: 'l2', product: 'b' },
          ],
        },
      ],
    });
    expect(asked).toMatchObject([
      { entity: 'x_Order', fetchPlan: { properties: [{ name: 'lines', fetchPlan: { properties: [] } }] } },
    ]);
    expect(rowsOf(root, 'A').map(({ product }) => product)).toEqual(['a', 'b']);
  });

  // Asserts contract/report-data.md#data.
  test.each([
    [{ kind: 'entity', name: 's', fetchPlan: '_local' }, "do not contain 'entity' parameter"],
    [
      { kind: 'entityList', name: 's', fetchPlan: '_local' },
      "'entities' parameter or it has type other than collection",
    ],
  ] as const)('that have no value are an error: %j', async (set, message) => {
    const extracted = extract([{ name: 'A', dataSets: [set] }], { parameters: { entity: null, entities: null } });
    await expect(extracted).rejects.toMatchObject({ cause: { message: expect.stringContaining(message) } });
  });
});

test('a collection that was loaded already is read from the row above, without asking for anything', async () => {
  const orders = [
    { id: 'o1', lines: [{ _entityName: 'x_Line', id: 'l1', product: 'a' }] },
    { id: 'o2', lines: [] },
    { id: 'o3', lines: null },
  ];
  const root = await extract([
    {
      name: 'Orders',
      dataSets: [{ kind: 'function', name: 'orders', rows: async () => orders }],
      bands: [{ name: 'Below', dataSets: [{ kind: 'collection', name: 'lines', field: 'Orders.lines' }] }],
    },
  ]);
  expect(rowsBelow(root).map((rows) => rows.map(({ product }) => product))).toEqual([['a'], [], []]);
  expect(asked).toEqual([]);
});

describe('JSON', () => {
  const set = (path: string, source: object = { parameter: 'doc' }): ReportDataSet =>
    ({ kind: 'json', name: 'j', path, source }) as ReportDataSet;
  const DOC = '{"items":[{"n":1.10,"ok":true},{"n":2}],"one":{"n":"x"},"list":[[{"n":3}]],"numbers":[1]}';
  const rows = async (path: string, doc: string | null = DOC) =>
    JSON.stringify(rowsOf(await extract([{ name: 'A', dataSets: [set(path)] }], { parameters: { doc } }), 'A'));

  // Asserts contract/report-data.md#data.
  test.each([
    ['objects that the path finds', '$.items[*]', '[{"n":1.10,"ok":true},{"n":2}]'],
    ['the elements of the array that it leads to', '$.items', '[{"n":1.10,"ok":true},{"n":2}]'],
    ['one object', '$.one', '[{"n":"x"}]'],
    ['objects that a filter keeps', '$.items[?@.ok]', '[{"n":1.10,"ok":true}]'],
    ['nothing where the path leads nowhere', '$.none[*]', '[]'],
  ])('gives %s', async (_, path, expected) => {
    expect(await rows(path)).toBe(expected);
  });

  // Asserts contract/report-data.md#data.
  test('gives nothing for a parameter without a value', async () => {
    expect(await rows('$', null)).toBe('[]');
  });

  // Asserts contract/report-data.md#data.
  test.each([
    ['values that are no objects', '$.numbers[*]', DOC],
    ['a document that is not valid', '$', '{'],
  ])('refuses %s', async (_, path, doc) => {
    await expect(rows(path, doc)).rejects.toThrow('An error occurred while loading data for band [A] and query [j].');
  });

  // Asserts contract/report-data.md#data.
  test('comes from an address, into which values are put encoded', async () => {
    const source = { url: 'https://example.com/${name}/x?q=${Root.name}' };
    const root = await extract([{ name: 'A', dataSets: [set('$[*]', source)] }], {
      fields: { name: { kind: 'text', text: 'a/b?c&d' } },
      document: () => '[{"n":1}]',
    });
    expect(asked).toEqual(['https://example.com/a%2Fb%3Fc%26d/x?q=a%2Fb%3Fc%26d']);
    expect(rowsOf(root, 'A')).toHaveLength(1);
  });

  // Asserts contract/report-data.md#data.
  test('comes from a function, as text or as a value', async () => {
    const from = (parameters: ReportParameters) => parameters['doc'];
    for (const doc of ['[{"n":1}]', [{ n: 1 }]] as const) {
      const root = await extract([{ name: 'A', dataSets: [set('$', { from })] }], { parameters: { doc } });
      expect(JSON.stringify(rowsOf(root, 'A'))).toBe('[{"n":1}]');
    }
  });
});

// Asserts contract/report-data.md#data.
test('a function may be called once for all rows above', async () => {
  const calls: unknown[] = [];
  const set: ReportDataSet = {
    kind: 'batch',
    name: 'b',
    rows: async (_, __, parents) => {
      calls.push(parents);
      return parents.map((parent) => [{ of: parent['Orders.id'] }]);
    },
  };
  expect(rowsBelow(await extract(belowOrders(set)))).toEqual([[{ of: 'o1' }], [{ of: 'o2' }], [{ of: null }]]);
  expect(calls).toEqual([[{ 'Orders.id': 'o1' }, { 'Orders.id': 'o2' }, { 'Orders.id': null }]]);
  const wrong: ReportDataSet = { ...set, rows: async () => [[]] };
  await expect(extract(belowOrders(wrong))).rejects.toMatchObject({
    cause: { message: 'The data set b has 1 lists of rows for 3 rows' },
  });
});

test('rows of data are counted, and a run can be stopped by their number', async () => {
  let rows = 0;
  const countRow = (): void => {
    rows += 1;
    if (rows > 2) throw new Error('too many');
  };
  const bands = belowOrders({ kind: 'collection', name: 'none', field: 'Orders.none' });
  await expect(extract(bands, { countRow })).rejects.toThrow('too many');
});
