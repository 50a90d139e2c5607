import { statementKind } from './statement-kind.ts';

test.each([
  ['START TRANSACTION', 'begin'],
  ['commit;', 'commit'],
  ['ROLLBACK', 'rollback'],
  ['ROLLBACK TO SAVEPOINT typeorm_1', 'write'],
  ['SAVEPOINT typeorm_1', 'write'],
  ['RELEASE SAVEPOINT typeorm_1', 'write'],
  ['SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'isolation'],
  ['SET LOCAL lock_timeout = 100', 'write'],
  ['SELECT 1', 'read'],
  ['  -- a comment\n/* and\n another */ select 1', 'read'],
  ['WITH gone AS (DELETE FROM d.ticket RETURNING 1) SELECT count(*) FROM gone', 'write'],
  ['INSERT INTO d.ticket DEFAULT VALUES', 'write'],
  ['/* hidden */ COMMIT AND CHAIN', 'refused'],
  ['END', 'refused'],
  ['SET search_path = other', 'refused'],
  ['LISTEN channel', 'refused'],
  ["PREPARE TRANSACTION 'x'", 'refused'],
  ['COPY d.ticket TO STDOUT', 'refused'],
] as const)('%s: %s', (text, kind) => {
  expect(statementKind(text)).toBe(kind);
});
