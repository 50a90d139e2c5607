import { operationOf } from './statement-watch.ts';

test.each([
  ['SELECT 1', 'SELECT'],
  ['WITH a AS (SELECT 1) SELECT * FROM a', 'WITH'],
  ['  insert into t values (1)', 'INSERT'],
  ['\nUPDATE t SET a = 1', 'UPDATE'],
  ['COMMIT', 'COMMIT'],
  ['VACUUM', '_OTHER'],
  ["/* a comment */ SELECT 'x'", '_OTHER'],
  ['', '_OTHER'],
])('%j is %s', (text, operation) => {
  expect(operationOf(text)).toBe(operation);
});
