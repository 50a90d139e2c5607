import {
  type AttributeBuilder,
  buildModel,
  decimal,
  type EntityDefinition,
  integer,
  long,
  type Model,
  softDeletedEntity,
  standardEntity,
  string,
  text,
  toOne,
} from '@lintel/metadata';
import { createClient } from '@lintel/persistence';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { cases, fc } from '@lintel/testkit/properties';
import type { Client } from 'pg';
import { dataLossesOf } from '../migrations/revert/data-losses.ts';
import { runMigrations } from '../migrations/run-migrations.ts';
import { describeTables } from '../tables/expected/describe-tables.ts';
import { findChanges, readSchemaState } from './find-changes.ts';
import { tryChange } from './try-change.ts';

let server: TestDatabase;
let client: Client;

beforeAll(async () => {
  server = await createTestDatabase('restored');
  await runMigrations({ url: server.url, migrations: [] });
  client = createClient(server.url, 'test');
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await server.drop();
});

/** Types among which an attribute changes; every pair has a cast of PostgreSQL, also of an empty table. */
const TYPES: readonly (() => AttributeBuilder<never>)[] = [
  () => string(20),
  () => string(40),
  () => text(),
  () => integer(),
  () => long(),
  () => decimal(10, 2),
  () => decimal(12, 4),
] as never;

const attribute = fc.record({
  type: fc.nat(TYPES.length - 1),
  mandatory: fc.boolean(),
  unique: fc.boolean(),
  isIndexed: fc.constantFrom('no', 'plain', 'partial', 'descending'),
});
const entity = fc.record({
  a: fc.option(attribute),
  b: fc.option(attribute),
  c: fc.option(attribute),
  refersTo: fc.option(fc.constantFrom('A', 'B')),
  isSoftDeleted: fc.boolean(),
  isChecked: fc.boolean(),
  isExclusive: fc.boolean(),
  isRecorded: fc.boolean(),
});
const models = fc.record({ A: entity, B: fc.option(entity) });

function modelOf(described: Record<string, unknown>): Model {
  const all = Object.entries(described).filter(([, one]) => one !== null) as [string, Record<string, never>][];
  const names = all.map(([name]) => name);
  return buildModel({ entities: all.map(([name, one]) => entityOf(name, one, names)) });
}

// biome-ignore lint/suspicious/noExplicitAny: generated values
function entityOf(name: string, one: any, names: readonly string[]): EntityDefinition {
  // biome-ignore lint/suspicious/noExplicitAny: attributes of several types
  const attributes: Record<string, AttributeBuilder<any>> = { from: integer(), to: integer() };
  const indexes: { attributes: string[]; unique: boolean; where?: string; expression?: string }[] = [];
  for (const key of ['a', 'b', 'c']) {
    const given = one[key];
    if (given === null) continue;
    // biome-ignore lint/suspicious/noExplicitAny: one of several types
    let builder: any = TYPES[given.type]?.();
    if (given.mandatory) builder = builder.mandatory();
    if (given.unique) builder = builder.unique();
    attributes[key] = builder;
    if (given.isIndexed === 'plain') indexes.push({ attributes: [key], unique: false });
    if (given.isIndexed === 'partial') indexes.push({ attributes: [key], unique: true, where: '{from} > 0' });
    if (given.isIndexed === 'descending')
      indexes.push({ attributes: [key], unique: false, expression: `({${key}}::text)` });
  }
  if (one.refersTo !== null && names.includes(one.refersTo)) attributes['other'] = toOne(`p_${one.refersTo}`);
  return (one.isSoftDeleted ? softDeletedEntity : standardEntity)(`p_${name}`, {
    attributes,
    indexes,
    ...(one.isChecked ? { checks: { order: '{from} < {to}' } } : {}),
    ...(one.isRecorded ? { history: true } : {}),
    ...(one.isExclusive ? { exclusions: { apart: { period: ['from', 'to'] } } } : {}),
  });
}

/** What a person adds to the tables by hand. */
const BY_HAND = [
  `COMMENT ON TABLE p.a IS 'a table'`,
  `COMMENT ON COLUMN p.a."from" IS 'a column'`,
  'ALTER TABLE p.a ALTER COLUMN "to" SET DEFAULT 7',
  'ALTER TABLE p.a ADD CONSTRAINT hand CHECK ("from" <> "to")',
  `COMMENT ON CONSTRAINT hand ON p.a IS 'a check'`,
  'CREATE STATISTICS p.hand_statistics ON "from", "to" FROM p.a',
  'GRANT SELECT ON p.a TO PUBLIC',
  'CREATE INDEX hand_index ON p.a ("from" DESC NULLS LAST) INCLUDE ("to")',
];
/** On an attribute that the next model may not have. */
const ON_ATTRIBUTE = [
  `COMMENT ON COLUMN p.a.a IS 'gone and back'`,
  'CREATE INDEX hand_pattern ON p.a (a DESC)',
  'GRANT UPDATE (a) ON p.a TO PUBLIC',
  'ALTER TABLE p.a ALTER COLUMN a SET STATISTICS 7',
];

test('every generated change leads to its model, and its undo restores the catalogue exactly', async () => {
  await fc.assert(
    fc.asyncProperty(models, models, async (before, after) => {
      const [first, second] = [before, after].map((each) => describeTables(modelOf(each)));
      if (first === undefined || second === undefined) return;
      await client.query('DROP SCHEMA IF EXISTS p CASCADE');
      const initial = findChanges(first, first, await readSchemaState(client, first)).change;
      const more = before.A.a === null ? BY_HAND : [...BY_HAND, ...ON_ATTRIBUTE];
      for (const statement of [...initial.up, ...more]) await client.query(statement);
      const state = await readSchemaState(client, [...first, ...second]);
      const { change } = findChanges(second, second, state);
      // "generate" and what judges the written statements agree; what was written by hand is dropped with its column.
      const isLoss = (statement: string): boolean => dataLossesOf([statement], change.down).length > 0;
      expect(change.losses?.filter((each) => !each.includes('"hand'))).toEqual(change.up.filter(isLoss));
      const isRemoved = change.up.includes('ALTER TABLE "p"."a" DROP COLUMN "a"');
      expect(change.losses?.includes('DROP INDEX "p"."hand_pattern"')).toBe(isRemoved);
      expect(await tryChange(client, change, second, state)).toEqual([]);
      // The undo has been tried; forward, back and forward again is the same as forward.
      for (const statement of [...change.up, ...change.down, ...change.up]) await client.query(statement);
      expect(findChanges(second, second, await readSchemaState(client, second)).change).toMatchObject({
        up: [],
        down: [],
      });
    }),
    cases(15),
  );
});
