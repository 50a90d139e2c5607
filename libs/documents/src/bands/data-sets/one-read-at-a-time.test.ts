import type { ReportDataSet } from '@lintel/application';
import { buildModel, integer, standardEntity } from '@lintel/metadata';
import type { BandContext } from '../band-context.ts';
import { extractBands } from '../extract-bands.ts';

const model = buildModel({
  entities: [
    standardEntity('x_Order', { attributes: { number: integer() } }),
    standardEntity('x_Line', { attributes: { number: integer() } }),
  ],
  enums: [],
  fetchPlans: [],
});

describe('data sets of one band', () => {
  /** Reads of the data service, each of which uses a connection to the database until it ends. */
  function startReads(rows: number) {
    let open = 0;
    let maxOpen = 0;
    let read = 0;
    const context: BandContext = {
      model,
      parameters: {},
      parameterFields: new Map(),
      signal: new AbortController().signal,
      putEmptyRow: false,
      maxPathMs: 1_000,
      maxCells: 1_000,
      data: {
        async *load({ entity }) {
          open += 1;
          maxOpen = Math.max(maxOpen, open);
          try {
            for (let number = 1; number <= rows; number += 1) {
              read += 1;
              yield { number, [entity]: number };
            }
          } finally {
            open -= 1;
          }
        },
        // biome-ignore lint/correctness/useYield: no query is run
        async *select() {
          throw new Error('no query is run');
        },
        readDocument: () => Promise.reject(new Error('no document is read')),
      },
    };
    return { context, reads: () => ({ open, maxOpen, read }) };
  }
  const set = (entity: string, link?: string): ReportDataSet => ({
    kind: 'entities',
    name: entity,
    entity,
    fetchPlan: '_local',
    ...(link === undefined ? {} : { link }),
  });
  const sets = [set('x_Order'), set('x_Line'), set('x_Line', 'number')];

  test('are read one after the other: a run never waits for a connection while it has one', async () => {
    const { context, reads } = startReads(3);
    const root = await extractBands({ bands: [{ name: 'A', dataSets: sets }] }, context, () => {});
    expect(root.children.get('A')).toHaveLength(3);
    expect(reads()).toEqual({ open: 0, maxOpen: 1, read: 9 });
  });

  test('are not read beyond the greatest number of rows', async () => {
    const { context, reads } = startReads(1_000_000);
    let counted = 0;
    const countRow = (): void => {
      counted += 1;
      if (counted > 10) throw new Error('too many');
    };
    const extracted = extractBands({ bands: [{ name: 'A', dataSets: sets }] }, { ...context, countRow }, () => {});
    await expect(extracted).rejects.toThrow('too many');
    expect(reads()).toEqual({ open: 0, maxOpen: 1, read: 11 });
  });

  test('of the root give its first row without reading the others of it', async () => {
    const { context, reads } = startReads(1_000);
    const root = await extractBands({ bands: [], rootDataSets: sets.slice(0, 2) }, context, () => {});
    expect([...root.data.keys()]).toEqual(['number', 'x_Order', 'x_Line']);
    expect(reads()).toMatchObject({ open: 0, maxOpen: 1 });
    expect(reads().read).toBeLessThanOrEqual(3);
  });
});
