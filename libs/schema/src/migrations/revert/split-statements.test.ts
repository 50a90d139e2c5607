import { splitStatements } from './split-statements.ts';

const read = (text: string): readonly string[] => splitStatements(text).map((tokens) => tokens.join(' '));

test.each([
  ['', []],
  [' ; -- nothing; at all\n;/* nor ; here */', []],
  ['DROP TABLE a;DROP\tTABLE\r\n  b ;', ['DROP TABLE a', 'DROP TABLE b']],
  ['-- a comment; with a semicolon\rDROP TABLE t', ['DROP TABLE t']],
  ['/* one /* in ; another */ ; */ DROP/**/TABLE t', ['DROP TABLE t']],
  [
    `INSERT INTO t VALUES ('it''s; -- no comment', E'\\'; x', U&'\\0041;', B'1')`,
    ["INSERT INTO t VALUES ( '' , '' , '' , '' )"],
  ],
  [`SELECT 'a\\'; DROP TABLE t`, ["SELECT ''", 'DROP TABLE t']],
  ['DROP TABLE "my ""own""; table" . t', ['DROP TABLE "my ""own""; table" . t']],
  ['DO $$ BEGIN; $x$ END; $$; DROP TABLE t', ["DO ''", 'DROP TABLE t']],
  ['DO $a_1$ $$ ; $b$ $a_1$', ["DO ''"]],
  ['SELECT a$b$c; DROP TABLE d$b$', ['SELECT a$b$c', 'DROP TABLE d$b$']],
  ['SELECT $1; SELECT 1$$;$$', ['SELECT $ 1', "SELECT 1 ''"]],
  [
    'CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2); SELECT 3',
    ['CREATE RULE r AS ON INSERT TO t DO ( SELECT 1 ; SELECT 2 )', 'SELECT 3'],
  ],
  [
    'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC DELETE FROM t; SELECT CASE 1 WHEN 1 THEN 2 END; END; DROP TABLE t',
    [
      'CREATE FUNCTION f ( ) RETURNS int BEGIN ATOMIC DELETE FROM t ; SELECT CASE 1 WHEN 1 THEN 2 END ; END',
      'DROP TABLE t',
    ],
  ],
  ['CREATE VIEW v AS SELECT 1 AS case; DROP TABLE t', ['CREATE VIEW v AS SELECT 1 AS case', 'DROP TABLE t']],
  ['SELECT begin atomic; DROP TABLE t', ['SELECT begin atomic', 'DROP TABLE t']],
  ['SELECT ); DROP TABLE t', ['SELECT )', 'DROP TABLE t']],
  [`SELECT 'not closed; DROP TABLE t`, ["SELECT ''"]],
  ['SELECT /* not closed; DROP TABLE t', ['SELECT']],
  ['SELECT $x$ not closed; DROP TABLE t', ["SELECT ''"]],
  ['DROP TABLE größe', ['DROP TABLE größe']],
])('%s', (text, statements) => {
  expect(read(text)).toEqual(statements);
});
