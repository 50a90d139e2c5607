import type { ReportBand, ReportRow } from '@lintel/application';
import {
  buildModel,
  compositionOfMany,
  createMessages,
  decimal,
  displayIn,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  integer,
  localDate,
  standardEntity,
  string,
  toMany,
  toOne,
} from '@lintel/metadata';
import { readExactJson } from '@lintel/query';
import { defaultText } from '../rendering/formats/format-cell.ts';
import type { BandContext } from './band-context.ts';
import type { BandData } from './band-data.ts';
import type { Fields } from './cell.ts';
import { cellsOfInstance } from './cells-of-row.ts';
import { extractBands } from './extract-bands.ts';

const Grade = enumeration('Grade', { GOLD: 'G' });
const model = buildModel({
  entities: [
    embeddable('x_Address', { attributes: { city: string(10) } }),
    standardEntity('x_Customer', {
      attributes: {
        name: string(10),
        grade: enumOf(Grade),
        address: embedded('x_Address'),
        orders: toMany('x_Order', 'customer'),
      },
      instanceName: ['name'],
    }),
    standardEntity('x_Order', {
      attributes: {
        number: integer(),
        date: localDate(),
        amount: decimal(19, 2),
        customer: toOne('x_Customer'),
        lines: compositionOfMany('x_Line', 'order'),
      },
    }),
    standardEntity('x_Line', { attributes: { order: toOne('x_Order'), count: integer() } }),
  ],
  enums: [Grade],
  fetchPlans: [],
});

const NOTHING_ELSE = {
  select: (): never => {
    throw new Error('no query is run');
  },
  readDocument: () => Promise.reject(new Error('no document is read')),
};

const context = (rows: Readonly<Record<string, readonly ReportRow[]>> = {}, putEmptyRow = true): BandContext => ({
  model,
  parameters: { from: '2026-01-01' },
  parameterFields: new Map([['from', { kind: 'temporal', temporal: 'date', text: '2026-01-01' }]]),
  data: {
    ...NOTHING_ELSE,
    async *load({ entity }) {
      yield* rows[entity] ?? [];
    },
  },
  signal: new AbortController().signal,
  maxPathMs: 1_000,
  maxCells: 1_000,
  putEmptyRow,
});

const computed = (name: string, rows: readonly ReportRow[], link?: string) =>
  ({ kind: 'function', name, rows: async () => rows, ...(link === undefined ? {} : { link }) }) as const;

const texts = (fields: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries([...fields].map(([name, cell]) => [name, defaultText(cell, displayIn(createMessages(), 'en'))]));

const extract = (bands: readonly ReportBand[], using = context()): Promise<BandData> =>
  extractBands({ bands }, using, () => {});

const rowsOf = (parent: BandData, band: string) => (parent.children.get(band) ?? []).map(({ data }) => texts(data));

describe('an instance as fields', () => {
  const order = readExactJson(`{"id":"1","number":2021,"date":"2026-11-05","amount":1234.50,"note":"no attribute",
    "customer":{"id":"2","_entityName":"x_Customer","_instanceName":"ACME","name":"ACME","grade":"GOLD","address":{"city":"Kiel"}},
    "lines":[{"_entityName":"x_Line","id":"3","count":1},{"_entityName":"x_Line","id":"4","count":2}]}`) as ReportRow;

  // Asserts contract/report-data.md#data.
  test('has attributes by name and those of references by dotted path, typed by the model', () => {
    expect(texts(cellsOfInstance(model, 'x_Order', order))).toEqual({
      id: '1',
      number: '2,021',
      date: '05/11/2026',
      amount: '1,234.50',
      note: 'no attribute',
      customer: 'ACME',
      'customer.id': '2',
      'customer._entityName': 'x_Customer',
      'customer._instanceName': 'ACME',
      'customer.name': 'ACME',
      'customer.grade': 'Gold',
      'customer.address': '',
      'customer.address.city': 'Kiel',
      lines: 'x_Line-3, x_Line-4',
    });
  });

  test('keeps empty references empty', () => {
    expect(texts(cellsOfInstance(model, 'x_Order', { customer: null, amount: null }))).toEqual({
      customer: '',
      amount: '',
    });
  });
});

describe('extractBands', () => {
  // Asserts contract/report-data.md#rows.
  test('gives a band without data sets one row with the parameters, as the root has', async () => {
    const root = await extract([{ name: 'Header' }]);
    expect(texts(root.data)).toEqual({ from: '01/01/2026' });
    expect(rowsOf(root, 'Header')).toEqual([{ from: '01/01/2026' }]);
  });

  // Asserts contract/report-data.md#rows.
  test('does not show the parameters in rows of data', async () => {
    const root = await extract([{ name: 'A', dataSets: [computed('set', [{ x: 1 }, { x: 2n }])] }]);
    expect(rowsOf(root, 'A')).toEqual([{ x: '1' }, { x: '2' }]);
  });

  // Asserts contract/report-data.md#ancestors, contract/report-data.md#data.
  test('asks for entities with the filter made of parameters and of the fields of the bands above', async () => {
    const asked: unknown[] = [];
    const using = context();
    const bands: readonly ReportBand[] = [
      {
        name: 'Customers',
        dataSets: [computed('customers', [{ id: 'c1' }, { id: 'c2' }])],
        bands: [
          {
            name: 'Orders',
            dataSets: [
              {
                kind: 'entities',
                name: 'orders',
                entity: 'x_Order',
                fetchPlan: '_local',
                sort: 'number',
                filter: (parameters, ancestors) => [
                  parameters['from'],
                  ancestors['Customers.id'],
                  ancestors['Root.from'],
                ],
              },
            ],
          },
        ],
      },
    ];
    const root = await extract(bands, {
      ...using,
      data: {
        ...NOTHING_ELSE,
        async *load(request) {
          asked.push(request);
          yield { number: asked.length };
        },
      },
    });
    expect(asked).toEqual(
      ['c1', 'c2'].map((id) => ({
        entity: 'x_Order',
        fetchPlan: '_local',
        sort: 'number',
        filter: ['2026-01-01', id, '2026-01-01'],
      })),
    );
    expect((root.children.get('Customers') ?? []).map((row) => rowsOf(row, 'Orders'))).toEqual([
      [{ number: '1' }],
      [{ number: '2' }],
    ]);
  });

  // Asserts contract/report-data.md#tree.
  test('gives every row its level, its parent and its orientation', async () => {
    const lines = { name: 'Lines', orientation: 'vertical', dataSets: [computed('lines', [{ x: 1 }])] } as const;
    const root = await extract([{ name: 'Orders', dataSets: [computed('orders', [{ id: 1 }])], bands: [lines] }]);
    expect(root).toMatchObject({ name: 'Root', level: 0, orientation: 'horizontal' });
    const order = root.children.get('Orders')?.[0];
    expect(order).toMatchObject({ name: 'Orders', level: 1, orientation: 'horizontal' });
    expect(order?.parent).toBe(root);
    const line = order?.children.get('Lines')?.[0];
    expect(line).toMatchObject({ name: 'Lines', level: 2, orientation: 'vertical' });
    expect(line?.parent).toBe(order);
  });

  // Asserts contract/report-data.md#order.
  test('takes first-level bands in the order of their positions, others in the order of the definition', async () => {
    const inner = [
      { name: 'C', position: 9 },
      { name: 'D', position: 1 },
    ];
    const root = await extract([{ name: 'A' }, { name: 'B', position: 2, bands: inner }, { name: 'E', position: 1 }]);
    expect([...root.children.keys()]).toEqual(['E', 'B', 'A']);
    expect([...(root.children.get('B')?.[0]?.children.keys() ?? [])]).toEqual(['C', 'D']);
  });

  // Asserts contract/report-data.md#root.
  test('adds the first row of its own data sets to the root', async () => {
    const rootDataSets = [computed('company', [{ company: 'ACME' }, { company: 'Other' }])];
    const bands = [
      {
        name: 'A',
        dataSets: [
          { kind: 'function', name: 'a', rows: async (_: unknown, __: unknown, above: ReportRow) => [above] } as const,
        ],
      },
    ];
    const root = await extractBands({ bands, rootDataSets }, context(), () => {});
    expect(texts(root.data)).toEqual({ from: '01/01/2026', company: 'ACME' });
    expect(rowsOf(root, 'A')).toEqual([{ 'Root.from': '2026-01-01', 'Root.company': 'ACME' }]);
  });

  // Asserts contract/report-data.md#rows.
  test('merges data sets row by row of each parent', async () => {
    const ofParent = (name: string, rows: (id: string) => readonly ReportRow[], link?: string) =>
      ({
        kind: 'function',
        name,
        rows: async (_: unknown, __: unknown, above: ReportRow) => rows(String(above['A.id'])),
        ...(link === undefined ? {} : { link }),
      }) as const;
    const sets = (link?: string) => [
      ofParent('first', (id) =>
        id === '2'
          ? []
          : [
              { key: 1, x: `${id}a` },
              { key: 2, x: `${id}b` },
            ],
      ),
      ofParent('second', (id) => (id === '3' ? [] : [{ key: 2, y: `${id}p` }]), link),
    ];
    const parents = computed('a', [{ id: '1' }, { id: '2' }, { id: '3' }]);
    const read = async (link?: string) => {
      const root = await extract([{ name: 'A', dataSets: [parents], bands: [{ name: 'B', dataSets: sets(link) }] }]);
      return (root.children.get('A') ?? []).map((row) => rowsOf(row, 'B').map(({ x, y }) => `${x} ${y}`));
    };
    expect(await read()).toEqual([
      ['1a 1p', '1b undefined'],
      ['undefined undefined'],
      ['3a undefined', '3b undefined'],
    ]);
    expect(await read('key')).toEqual([
      ['1a undefined', '1b 1p'],
      ['undefined undefined'],
      ['3a undefined', '3b undefined'],
    ]);
  });

  // Asserts contract/report-data.md#rows.
  test('merges further data sets by position until the shorter ends', async () => {
    const sets = [
      computed('a', [{ x: 1 }, { x: 2 }]),
      computed('b', [{ y: 'p' }]),
      computed('c', [{ z: 7 }, { z: 8 }, { z: 9 }]),
    ];
    expect(rowsOf(await extract([{ name: 'A', dataSets: sets }]), 'A')).toEqual([
      { x: '1', y: 'p', z: '7' },
      { x: '2', z: '8' },
    ]);
  });

  // Asserts contract/report-data.md#rows.
  test('merges by link, the first of equal rows receiving it', async () => {
    const first = computed('a', [{ id: 1 }, { id: 2 }, { id: 2 }, { id: null }]);
    const second = computed(
      'b',
      [
        { id: 2, y: 'two' },
        { id: 3, y: 'three' },
        { id: 1, y: 'one' },
      ],
      'id',
    );
    expect(rowsOf(await extract([{ name: 'A', dataSets: [first, second] }]), 'A')).toEqual([
      { id: '1', y: 'one' },
      { id: '2', y: 'two' },
      { id: '2' },
      { id: '' },
    ]);
  });

  // Asserts contract/report-data.md#rows.
  test('refuses rows without the field of the link', async () => {
    const sets = [computed('a', [{ id: 1 }]), computed('b', [{ other: 1 }], 'id')];
    await expect(extract([{ name: 'A', dataSets: sets }])).rejects.toThrow('The field id');
  });

  // Asserts contract/report-data.md#rows.
  test('puts one empty row where there is no data, with empty rows below it that ask for nothing', async () => {
    let asked = 0;
    const bands: readonly ReportBand[] = [
      {
        name: 'A',
        dataSets: [computed('none', [])],
        bands: [{ name: 'B', dataSets: [{ kind: 'function', name: 'set', rows: async () => [{ x: ++asked }] }] }],
      },
    ];
    const root = await extract(bands);
    expect(root.children.get('A')).toMatchObject([{ isPlaceholder: true }]);
    expect(root.children.get('A')?.[0]?.children.get('B')).toMatchObject([{ isPlaceholder: true }]);
    expect(asked).toBe(0);
    expect((await extract(bands, context({}, false))).children.get('A')).toEqual([]);
  });

  // Asserts contract/reports.md#check-order.
  test('names band and query of a data set that fails', async () => {
    const bands = [
      { name: 'A', dataSets: [{ kind: 'function', name: 'set', rows: () => Promise.reject(new Error('secret')) }] },
    ] as const;
    await expect(extract(bands)).rejects.toThrow('An error occurred while loading data for band [A] and query [set].');
  });

  test('counts rows of all bands', async () => {
    const seen: number[] = [];
    await extractBands(
      { bands: [{ name: 'A' }, { name: 'B', dataSets: [computed('b', [{ x: 1 }, { x: 2 }])] }] },
      context(),
      (rows) => seen.push(rows),
    );
    expect(seen).toEqual([1, 2, 3]);
  });

  test('holds as many rows as there are', async () => {
    const many = {
      kind: 'function',
      name: 'many',
      rows: async () => Array.from({ length: 200_000 }, () => ({})),
    } as const;
    const root = await extract([{ name: 'A', dataSets: [many] }]);
    expect(root.children.get('A')).toHaveLength(200_000);
  });

  // Asserts contract/report-data.md#tree.
  test('ends when the run is stopped, even while a data set hangs', async () => {
    const controller = new AbortController();
    const hanging = { kind: 'function', name: 'set', rows: () => new Promise<never>(() => {}) } as const;
    const extracted = extract([{ name: 'A', dataSets: [hanging] }], { ...context(), signal: controller.signal });
    setTimeout(() => controller.abort(new Error('stopped')), 20);
    await expect(extracted).rejects.toThrow('stopped');
  });
});
