import { isStartError, StartError } from '@lintel/errors';
import { sourceError } from './source-error.ts';

const thrown = (error: Error, stack: string): Error => Object.assign(error, { stack });
const messageOf = (error: unknown): string => (sourceError(error, '/home/shop') as Error).message;

test('a syntax error has the line and the column that Node marks', () => {
  const stack = `file:///home/shop/src/index.ts:3
export default defineApplication({{
                                  ^
SyntaxError: Unexpected token '{'
    at compileSourceTextModule (node:internal/modules/esm/utils:318:16)`;
  expect(messageOf(thrown(new SyntaxError("Unexpected token '{'"), stack))).toBe(
    "src/index.ts:3:35: SyntaxError: Unexpected token '{'",
  );
});

test('the column of a syntax error in TypeScript is below the lines before it', () => {
  const stack = `/home/shop/src/roles.ts:4
/** c */
exprt const ADMIN = 3;
      ^^^^^
  foo();

SyntaxError [ERR_INVALID_TYPESCRIPT_SYNTAX]: Expected ';', '}' or <eof>`;
  expect(messageOf(thrown(new SyntaxError("Expected ';', '}' or <eof>\n"), stack))).toBe(
    "src/roles.ts:4:7: SyntaxError: Expected ';', '}' or <eof>",
  );
});

test('an error of a statement has the position of the innermost call in the folder', () => {
  const stack = `TypeError: wrong
    at check (/home/shop/node_modules/other/index.js:1:2)
    at file:///home/shop/src/my%20roles.ts:7:9
    at ModuleJob.run (node:internal/modules/esm/module_job:439:25)`;
  const error = sourceError(thrown(new TypeError('wrong'), stack), '/home/shop') as Error;
  expect(error.message).toBe('src/my roles.ts:7:9: TypeError: wrong');
  expect([isStartError(error), error.cause]).toEqual([true, expect.any(TypeError)]);
});

test('errors that explain themselves and errors of other sources stay as they are', () => {
  const other = thrown(new Error('x'), 'Error: x\n    at f (/usr/lib/other.js:1:2)');
  for (const error of [new StartError('is named'), other]) expect(sourceError(error, '/home/shop')).toBe(error);
});
