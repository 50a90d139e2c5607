import { SlowStatements } from './slow-statements.ts';

const execution = (statement: string, lastMs = 1_000) => ({
  pool: 'lintel-data',
  statement,
  text: `SELECT $1 -- ${statement}`,
  lastAt: '2026-11-26T08:00:00.000Z',
  lastMs,
  traceId: null,
});

// Asserts contract/operations.md#slow-statements.
test('executions of one statement are counted, with the longest and the last', () => {
  const statements = new SlowStatements();
  statements.record(execution('a', 3_000));
  statements.record(execution('b'));
  statements.record(execution('a', 2_000));
  expect(statements.list()).toEqual([
    { ...execution('a', 2_000), count: 2, maxMs: 3_000, plan: null },
    { ...execution('b'), count: 1, maxMs: 1_000, plan: null },
  ]);
});

test('a plan is added to its statement and stays', () => {
  const statements = new SlowStatements();
  statements.record(execution('a'));
  statements.explain(execution('a'), 'Seq Scan');
  statements.explain(execution('unknown'), 'Seq Scan');
  statements.record(execution('a'));
  expect(statements.list().map(({ plan, count }) => [plan, count])).toEqual([['Seq Scan', 2]]);
});

test('a hundred statements are kept', () => {
  const statements = new SlowStatements();
  for (let at = 0; at < 105; at += 1) statements.record(execution(`q${at}`));
  const names = statements.list().map(({ statement }) => statement);
  expect([names.length, names[0], names.at(-1)]).toEqual([100, 'q104', 'q5']);
});
