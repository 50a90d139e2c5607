import { buildModel, standardEntity, string, withDynamicAttributes } from '@lintel/metadata';
import type { Statement, Transaction } from '@lintel/persistence';
import { announceWriter } from './announce-writer.ts';

const attributes = { name: string() };
const declared = buildModel({
  entities: [standardEntity('t_Kept', { attributes, history: true }), standardEntity('t_Other', { attributes })],
});
const model = withDynamicAttributes(declared, [
  {
    ...{ id: 'a', code: 'color', entity: 't_Kept', category: 'c', name: 'color', description: undefined },
    ...{ type: 'STRING', collection: false, required: false, target: undefined, values: [] },
    ...{ localizedNames: {}, localizedDescriptions: {} },
  },
]);

/** Names or texts of what is sent for some statements. */
function sentFor(...texts: readonly string[]): readonly string[] {
  const sent: string[] = [];
  const note = ({ name, text }: Statement): void => void sent.push(name ?? text);
  const port = {
    send: note,
    query: async (statement: Statement) => {
      note(statement);
      return [];
    },
  } as unknown as Transaction;
  const transaction = announceWriter(port, model, { username: 'ada', locale: null });
  for (const text of texts) void transaction.query({ text, values: [] });
  return sent;
}

const KEPT = 'UPDATE t.kept SET name = $1';
const VALUES = 'INSERT INTO dynat.attribute_value VALUES ($1)';

// Asserts contract/history.md#recorded.
test('the writer is announced before the first write that is recorded, and recorded values before the first of them', () => {
  expect(sentFor('UPDATE t.other SET name = $1', 'SELECT * FROM t.kept')).toHaveLength(2);
  expect(sentFor(KEPT, KEPT)).toEqual(['announce_history', KEPT, KEPT]);
  expect(sentFor(KEPT, VALUES, VALUES)).toEqual(['announce_history', KEPT, 'announce_history_values', VALUES, VALUES]);
  expect(sentFor(VALUES, KEPT)).toEqual(['announce_history', 'announce_history_values', VALUES, KEPT]);
});
