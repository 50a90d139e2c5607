import { cases, fc } from '@lintel/testkit/properties';
import { type CopiedTable, FollowedNotes } from './warehouse.ts';

let notes: FollowedNotes;
beforeAll(async () => {
  notes = await FollowedNotes.start();
});
afterAll(() => notes?.close());

interface Row {
  readonly id: string;
}

/** A table in memory. */
function tableInMemory(): CopiedTable & { readonly rows: Map<string, Row> } {
  const rows = new Map<string, Row>();
  let kept: string | undefined;
  const put = async (lines: ReadableStream<Uint8Array>): Promise<void> => {
    const text = await new Response(lines).text();
    for (const line of text.split('\n').slice(0, -1)) rows.set(JSON.parse(line).id, JSON.parse(line));
  };
  return {
    rows,
    position: async () => kept,
    async load(lines, position) {
      rows.clear();
      await put(lines);
      kept = position;
    },
    async update(ids, lines, position) {
      for (const id of ids) rows.delete(id);
      await put(lines);
      kept = position;
    },
  };
}

const note = fc.integer({ min: 0, max: 6 });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('write' as const), note, size: fc.integer({ min: 0, max: 99 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), note }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

test('an export at a position and the changes after it are exactly the data, whatever is written meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ before: fc.array(step, { maxLength: 6 }), during: fc.array(step, { maxLength: 14 }) }),
      async (steps) => {
        const table = tableInMemory();
        await notes.follow(table, steps, async () => {
          const found = [...table.rows.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
          expect(found).toEqual(await notes.rows());
        });
      },
    ),
    cases(12),
  );
}, 240_000);
