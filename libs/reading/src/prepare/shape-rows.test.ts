import { countRounds } from '@lintel/testkit';
import { shapeRows } from './shape-rows.ts';

type Read = Parameters<typeof shapeRows>[0];

/** A read whose rows are completed by code, which hides those with the member `hidden`. */
const read = {
  parsed: { returnNulls: true },
  access: { sessionValue: () => undefined },
  compiled: {
    rows: {
      shape: {
        kind: 'object',
        object: {
          members: [{ name: 'id', value: { kind: 'column', format: { kind: 'datatype', datatype: 'string' } } }],
          cycles: [],
          policies: [
            {
              entity: 't_Pet',
              isOfDescendant: false,
              object: { members: [{ name: 'hidden', value: { kind: 'constant' } }] },
              predicates: [{ test: ({ hidden }: { readonly hidden?: unknown }) => hidden !== true }],
            },
          ],
        },
      },
    },
  },
} as unknown as Read;
const rowOf = (id: number, length: number, hidden = false) => ({
  json: JSON.stringify({ id: String(id), text: 'x'.repeat(length), $policy: { t_Pet: { hidden } } }),
});
const shape = (rows: readonly { readonly json: string }[]) => shapeRows(read, rows, (json) => JSON.parse(json).id);

test('short rows are shaped without a promise, long ones in slices', async () => {
  const short = [rowOf(1, 10), rowOf(2, 10)];
  const long = Array.from({ length: 20 }, (_, at) => rowOf(at, 100_000));
  expect(shape([...short, rowOf(3, 10, true)])).toEqual(['1', '2']);
  expect(await shape(long)).toEqual(long.map((_, at) => String(at)));
  expect(await countRounds(() => shape(short))).toBe(0);
  expect(await countRounds(() => shape(long))).toBeGreaterThanOrEqual(5);
});
