import { createdTables, joinChanges, warningsOf } from './schema-difference.ts';

const none: ReadonlySet<string> = new Set();

test('steps are undone in the reverse of their order', () => {
  const first = { up: ['a1', 'a2'], down: ['-a2', '-a1'], losses: ['a2'] };
  const second = { up: ['b'], down: ['-b'] };
  expect(joinChanges(first, second)).toEqual({
    up: ['a1', 'a2', 'b'],
    down: ['-b', '-a2', '-a1'],
    losses: ['a2'],
  });
});

test.each([
  ['DROP TABLE "s"."t"', '"s"."t" is dropped with its rows'],
  ['ALTER TABLE "s"."t" DROP COLUMN "c"', 'column "c" of "s"."t" is dropped with its values'],
  [
    'ALTER TABLE "s"."t" RENAME COLUMN "a" TO "b"',
    'column "a" of "s"."t" becomes "b": the former version of the application does not work with the result',
  ],
  [
    'ALTER TABLE "s"."t" ADD "c" integer NOT NULL',
    'column "c" of "s"."t" is mandatory: the step fails where there are rows. Give the attribute a default(…), remove the step from the migrations and generate it again, or fill the column in it',
  ],
  [
    'ALTER TABLE "s"."t" ALTER COLUMN "c" SET NOT NULL',
    'column "c" of "s"."t" becomes mandatory: the step fails where it is empty',
  ],
  [
    'ALTER TABLE "s"."t" ALTER COLUMN "c" TYPE numeric(5,2)',
    'column "c" of "s"."t" becomes numeric(5,2): the step fails where a value does not fit',
  ],
  [
    'CREATE UNIQUE INDEX "uq" ON "s"."t" ("c")',
    '"s"."t" gets the unique index "uq": the step fails where values repeat',
  ],
  ['DROP TABLE "old shop"."an ""item""!"', '"old shop"."an ""item""!" is dropped with its rows'],
  ['ALTER TABLE "s"."a t" DROP COLUMN "a ""c"', 'column "a ""c" of "s"."a t" is dropped with its values'],
  [
    'CREATE UNIQUE INDEX "a uq" ON "s"."a t" ("c")',
    '"s"."a t" gets the unique index "a uq": the step fails where values repeat',
  ],
  [
    `UPDATE "s"."a t" SET "kind" = 'zoo_Cat' WHERE "kind" = 'zoo_Dgo'`,
    `rows of "s"."a t" that are 'zoo_Dgo' become 'zoo_Cat': a misspelt former name changes none`,
  ],
])('%s is worth a warning', (statement, warning) => {
  expect(warningsOf([statement], none)).toEqual([warning]);
});

test.each([
  'ALTER TABLE "s"."t" ADD "c" integer',
  `ALTER TABLE "s"."t" ADD "c" integer NOT NULL DEFAULT '1'`,
  'CREATE INDEX "ix" ON "s"."t" ("c")',
  'CREATE TABLE "s"."t" ("id" uuid NOT NULL)',
])('%s is not', (statement) => {
  expect(warningsOf([statement], none)).toEqual([]);
});

test('a table that is created by the same step has no rows to fail on', () => {
  const statements = ['CREATE TABLE "s"."a t" ("c" integer)', 'CREATE UNIQUE INDEX "uq" ON "s"."a t" ("c")'];
  expect(warningsOf(statements, createdTables(statements))).toEqual([]);
});
