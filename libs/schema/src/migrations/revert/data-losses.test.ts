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

const retype = (type: string): string => `ALTER TABLE "s"."t" ALTER COLUMN "c" TYPE ${type}`;

test.each([
  ['numeric(12,2)', 'numeric(10,2)', false],
  ['numeric(10,2)', 'numeric(12,4)', true],
  ['numeric(10,2)', 'numeric', true],
  ['bigint USING "c"::bigint', 'integer USING "c"::integer', false],
  ['character varying(9) USING "c"::text', 'integer USING "c"::integer', false],
  ['integer USING "c"::integer', 'character varying(9) USING "c"::text', true],
  ['bigint USING "c"::bigint / 10', 'integer', true],
  ['character varying(9) USING "c"::character varying(3)', 'text', true],
  ['timestamp(6) with time zone', 'timestamp(3) with time zone', false],
  ['timestamp(3) with time zone', 'timestamp(6) with time zone', true],
  ['numeric(10)', 'numeric(10,2)', true],
  ['numeric(10,2)', 'numeric(10)', false],
  ['text, DROP COLUMN "d"', 'integer', true],
  ['text; DROP TABLE "s"."u"', 'integer', true],
  ['numeric; DROP TABLE "s"."u"', 'integer', true],
  ['text COLLATE "C";TRUNCATE"u"', 'integer', true],
])('a column that becomes %s and was %s: %s', (type, former, isLoss) => {
  expect(dataLossesOf([retype(type)], ['SELECT 1', retype(former)]).length > 0).toBe(isLoss);
});

test('a change of type in the form that is generated is known by names with blanks and quotes', () => {
  const alter = (type: string): string => `ALTER TABLE "my s"."a ""t""" ALTER COLUMN "a ""c""" TYPE ${type}`;
  expect(dataLossesOf([alter('numeric(12,2)')], [alter('numeric(10,2)')])).toEqual([]);
});

const DROPPED = ['t is dropped with its rows'];
const COLUMN = ['column c of t is dropped with its values'];
const REMOVED = ['rows of t are removed'];
const OVERWRITTEN = ['values of t are overwritten'];
const CAST = ['values of column c of t are cast, which may round them or cut them off'];

test.each([
  ['-- a comment\nDROP TABLE t', DROPPED],
  ['/* a comment */DROP\n  TABLE IF EXISTS\tt CASCADE;', DROPPED],
  ['DROP TABLE "my table", s . u', ['"my table" is dropped with its rows', 's.u is dropped with its rows']],
  ['UPDATE t SET a = 1; DROP TABLE t', [...OVERWRITTEN, ...DROPPED]],
  ['ALTER TABLE t DROP c', COLUMN],
  ['ALTER TABLE ONLY t DROP COLUMN IF EXISTS c CASCADE', COLUMN],
  ['ALTER TABLE IF EXISTS ONLY t * DROP c', COLUMN],
  ['ALTER TABLE t ADD a numeric(1, 2), DROP COLUMN c', COLUMN],
  [
    'ALTER TABLE t DROP CONSTRAINT a, DROP "the c", DROP d',
    ['column "the c" of t is dropped with its values', 'column d of t is dropped with its values'],
  ],
  ['ALTER TABLE t DROP if', ['column if of t is dropped with its values']],
  ...[
    'integer',
    'bigint',
    'smallint',
    'int',
    'date',
    'real',
    'double precision',
    'time',
    'timestamptz(3)',
    'jsonb',
    's.kind',
    'char(3)',
    'date[]',
  ].map((type) => [`ALTER TABLE t ALTER c TYPE ${type}`, CAST] as const),
  ['ALTER TABLE t ALTER COLUMN c SET DATA TYPE text USING left(c, 1)', CAST],
  ['ALTER TABLE t ADD a int, ALTER c TYPE bigint, DROP c', [...CAST, ...COLUMN]],
  ['ALTER TABLE t SET UNLOGGED', ['t is no longer kept when the server crashes']],
  ['DELETE FROM ONLY t', REMOVED],
  ['DELETE  FROM t WHERE a = $$DELETE FROM u$$', REMOVED],
  ['WITH x AS (DELETE FROM t RETURNING *) INSERT INTO u SELECT * FROM x', REMOVED],
  ['WITH x AS (SELECT 1) DELETE FROM t USING x', REMOVED],
  ['CREATE TABLE u AS WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x', REMOVED],
  ['UPDATE ONLY t AS x SET a = 1', OVERWRITTEN],
  ['WITH x AS (UPDATE "t" x SET a = 1 RETURNING 1) SELECT 1', ['values of "t" are overwritten']],
  ['INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2', OVERWRITTEN],
  ['UPDATE ONLY (t) SET a = 1', OVERWRITTEN],
  ['DELETE FROM ONLY (t)', REMOVED],
  ['ALTER TABLE ONLY (t) DROP c', COLUMN],
  ['DROP TABLE view', ['view is dropped with its rows']],
  ['UPDATE t', ['what "UPDATE t" does to data is not known']],
  ['ALTER TABLE t ALTER c SET GENERATED ALWAYS RESTART', ['the numbers of column c of t are given anew']],
  ['DROP MATERIALIZED VIEW v CASCADE', ['what depends on materialized view v is dropped with it, columns too']],
  ['MERGE INTO t USING u ON true WHEN MATCHED THEN DELETE', ['rows of t are overwritten or removed']],
  ['TRUNCATE TABLE ONLY t, s.u RESTART IDENTITY', ['the rows of t are removed', 'the rows of s.u are removed']],
  [
    'DROP SCHEMA IF EXISTS s, u CASCADE',
    ['schema s is dropped with all its tables', 'schema u is dropped with all its tables'],
  ],
  ['DROP SEQUENCE s', ['sequence s is dropped with the number it has reached']],
  ['ALTER SEQUENCE s RESTART', ['sequence s gives numbers anew']],
  ['DROP TYPE s.kind CASCADE', ['what depends on type s.kind is dropped with it, columns too']],
  ['DROP DOMAIN d CASCADE', ['what depends on domain d is dropped with it, columns too']],
  ['DROP FUNCTION f(int) CASCADE', ['what depends on function f is dropped with it, columns too']],
  ['ALTER TYPE s.kind DROP ATTRIBUTE a', ['values of type s.kind lose or change an attribute']],
  ['DO $$ BEGIN DELETE FROM t; END $$', [`what "DO ''" does to data is not known`]],
  ['CALL clean(1, 2, 3)', ['what "CALL clean ( 1" does to data is not known']],
  ['DROP OWNED BY somebody', ['what "DROP OWNED BY somebody" does to data is not known']],
  ['DROP EXTENSION e', ['what "DROP EXTENSION e" does to data is not known']],
  ['ALTER TABLE t FROBNICATE', ['what "ALTER TABLE t FROBNICATE" does to data is not known']],
  ['SELECT forget()', ['what "SELECT forget ( )" does to data is not known']],
] as const)('%s says what is lost', (text, sentences) => {
  expect(dataLossesOf([text])).toEqual(sentences);
});

test('several statements are judged in their order', () => {
  expect(dataLossesOf(['DROP TABLE t', 'SELECT 1', '-- DROP TABLE u', 'TRUNCATE t; DELETE FROM t'])).toEqual([
    ...DROPPED,
    'the rows of t are removed',
    ...REMOVED,
  ]);
});

test.each([
  '',
  '-- DROP TABLE t',
  '/* DROP TABLE t; */ ;',
  'SELECT 1',
  'SELECT * FROM t FOR UPDATE',
  `COMMENT ON TABLE t IS 'DROP TABLE t; DELETE FROM t'`,
  'GRANT SELECT, UPDATE, DELETE ON t TO somebody',
  'REVOKE DELETE ON t FROM somebody',
  'CREATE TABLE t (a int REFERENCES u ON UPDATE SET NULL ON DELETE CASCADE, "drop" text)',
  'ALTER TABLE t ADD CONSTRAINT fk FOREIGN KEY (a) REFERENCES u (a) ON DELETE SET NULL ON UPDATE CASCADE',
  'CREATE TRIGGER g BEFORE INSERT OR UPDATE OF a OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION f()',
  'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DELETE FROM t; DROP TABLE t $$',
  'CREATE FUNCTION f() RETURNS void LANGUAGE sql BEGIN ATOMIC DELETE FROM t; DELETE FROM u; END',
  'CREATE UNIQUE INDEX CONCURRENTLY i ON t (a) WHERE delete_ts IS NULL',
  'CREATE VIEW v AS SELECT a FROM t',
  `INSERT INTO t (a) SELECT coalesce(b, 'DELETE FROM t') FROM u ON CONFLICT DO NOTHING`,
  'WITH x AS (SELECT 1 AS a) INSERT INTO t SELECT a FROM x',
  'DROP INDEX CONCURRENTLY IF EXISTS s.i',
  'DROP INDEX i CASCADE',
  'DROP TRIGGER g ON t',
  'DROP FUNCTION f(int), s.g()',
  'DROP PROCEDURE p',
  'DROP VIEW IF EXISTS v',
  'DROP MATERIALIZED VIEW v',
  'DROP POLICY p ON t',
  'DROP TYPE kind',
  'DROP DOMAIN d RESTRICT',
  'DROP SCHEMA IF EXISTS s RESTRICT',
  'ALTER TABLE t RENAME TO u',
  'ALTER TABLE t RENAME a TO b',
  'ALTER TABLE IF EXISTS ONLY t ADD COLUMN IF NOT EXISTS c int DEFAULT 1, ADD CHECK (c IN (1, 2))',
  'ALTER TABLE t ALTER c DROP NOT NULL, ALTER c DROP DEFAULT, ALTER c SET DEFAULT 1, DROP CONSTRAINT IF EXISTS k CASCADE',
  'ALTER TABLE t ALTER c DROP IDENTITY, ALTER c ADD GENERATED BY DEFAULT AS IDENTITY',
  'ALTER TABLE t ALTER c TYPE text, ALTER d TYPE varchar(20) COLLATE "C", ALTER e SET DATA TYPE uuid, ALTER f TYPE text[]',
  'ALTER TABLE t VALIDATE CONSTRAINT k, ENABLE ROW LEVEL SECURITY, DISABLE TRIGGER g, OWNER TO somebody, SET SCHEMA s',
  'ALTER INDEX i RENAME TO j',
  'ALTER SEQUENCE s OWNED BY t.a',
  `ALTER TYPE kind ADD VALUE 'drop'`,
  'ALTER TYPE kind RENAME ATTRIBUTE a TO b',
  'SET LOCAL statement_timeout = 0',
  'LOCK TABLE t',
  'REFRESH MATERIALIZED VIEW v',
  'ANALYZE t',
])('%s keeps what is there', (text) => {
  expect(dataLossesOf([text])).toEqual([]);
});
