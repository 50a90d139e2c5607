import { dataLossesOf } from './data-losses.ts';

test.each([
  ['DROP TABLE "s"."t"', '"s"."t" is dropped with its rows'],
  ['ALTER TABLE "s"."t" DROP COLUMN "c"', 'column "c" of "s"."t" is dropped with its values'],
  ['truncate s.t', 'the rows of s.t are removed'],
  ['DELETE FROM s.t WHERE x', 'rows of s.t are removed'],
  ['DROP SCHEMA s CASCADE', 'schema s is dropped with all its tables'],
  ['ALTER TABLE s.t ALTER COLUMN c TYPE integer USING c::integer', 'values of column c of s.t are cast'],
  ['ALTER TABLE "s"."t" ALTER COLUMN "c" TYPE numeric(10,2)', 'values of column "c" of "s"."t" are cast'],
])('%s loses data', (statement, sentence) => {
  expect(dataLossesOf([statement]).join()).toContain(sentence);
});

test.each([
  'DROP INDEX "s"."i"',
  'DROP SCHEMA "s"',
  'ALTER TABLE "s"."t" DROP CONSTRAINT "c"',
  'ALTER TABLE "s"."t" ADD "c" text',
  'ALTER TABLE "s"."t" RENAME COLUMN "a" TO "b"',
  'ALTER TABLE "s"."t" ALTER COLUMN "c" TYPE character varying(10)',
  'ALTER TABLE "s"."t" ALTER COLUMN "c" SET NOT NULL',
])('%s loses none: it keeps values or fails', (statement) => {
  expect(dataLossesOf([statement])).toEqual([]);
});
