import { createDatabase, type Database } from '@lintel/persistence';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { executeExplain } from '../statements/execute-statement.ts';
import { assertExpected } from './assert-affordable.ts';

const TEXT =
  'SELECT count(*) FROM item WHERE kind = $1::text AND kind = ANY ($2::text[]) LIMIT $3::bigint OFFSET $4::bigint';
const statementFor = (kind: string) => ({ name: 'items', text: TEXT, values: [kind, [kind], 10, 0], sources: [] });
const NEVER = new AbortController().signal;

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase('affordable');
  await testDatabase.query(`CREATE TABLE item AS
    SELECT CASE WHEN n <= 5 THEN 'rare' ELSE 'frequent' END AS kind FROM generate_series(1, 20000) n`);
  await testDatabase.query('CREATE INDEX ON item (kind)');
  await testDatabase.query('ANALYZE item');
  database = createDatabase({
    url: testDatabase.url,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    applicationName: 't',
  });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

const depsOf = (maxQueryCost: number) => ({
  database,
  limits: { maxQueryCost } as Parameters<typeof assertExpected>[2]['limits'],
});

/** What a caller learns from the response about a request for this kind. */
async function outcomeOf(kind: string, isLimited: boolean, maxQueryCost: number): Promise<string> {
  const asked = { expected: { rows: 0, untilMs: 0 }, rows: 10, statement: () => statementFor(kind) };
  return assertExpected({ isLimited: () => isLimited }, asked, depsOf(maxQueryCost), NEVER).then(
    () => 'affordable',
    ({ code, message, details }) => `${code} ${details ?? message}`,
  );
}

test('which values a table has cannot be found by refusals where row-level policies hold for the caller', async () => {
  const costs = await Promise.all(
    ['rare', 'frequent'].map((kind) => executeExplain(statementFor(kind), database, NEVER)),
  );
  const between = Math.ceil(((costs[0] ?? 0) + (costs[1] ?? 0)) / 2);
  // The planner knows that one of them is rare.
  expect(await outcomeOf('rare', false, between)).toBe('affordable');
  expect(await outcomeOf('frequent', false, between)).toMatch(/^REQ_COST_EXCEEDED/);
  for (const maximum of [1, between, 100_000]) {
    const outcomes = await Promise.all(['rare', 'frequent', 'none'].map((kind) => outcomeOf(kind, true, maximum)));
    expect(new Set(outcomes).size).toBe(1);
  }
});

test('a refusal names the maximum and its property, not what the planner expects', async () => {
  expect(await outcomeOf('frequent', false, 1)).toBe(
    'REQ_COST_EXCEEDED The expected cost of the request is above the maximum of 1 (svc.rest.max-query-cost)',
  );
});

test('the planner is asked again for a longer page only', async () => {
  const expected = { rows: 0, untilMs: 0 };
  let explained = 0;
  const ask = async (rows: number) => {
    const statement = () => {
      explained += 1;
      return statementFor('rare');
    };
    await assertExpected({ isLimited: () => false }, { expected, rows, statement }, depsOf(100_000), NEVER);
    return explained;
  };
  expect([await ask(1), await ask(1), await ask(10), await ask(5), await ask(10), await ask(11)]).toEqual([
    1, 1, 2, 2, 2, 3,
  ]);
  expect(expected).toEqual({ cost: expect.any(Number), rows: 11, untilMs: expect.any(Number) });
});

test('what was refused leaves what is known of shorter pages', async () => {
  const expected = { rows: 0, untilMs: 0 };
  const ask = (rows: number, maximum: number) =>
    assertExpected(
      { isLimited: () => false },
      { expected, rows, statement: () => statementFor('frequent') },
      depsOf(maximum),
      NEVER,
    );
  await ask(1, 100_000);
  const known = { ...expected };
  await expect(ask(2, 1)).rejects.toMatchObject({ code: 'REQ_COST_EXCEEDED' });
  expect(expected).toEqual(known);
});
