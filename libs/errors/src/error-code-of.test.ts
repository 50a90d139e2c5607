import { errorCodeOf } from './error-code-of.ts';

test('the code of a system error', () => {
  expect(errorCodeOf(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe('ENOENT');
});

test.each([new Error('none'), { code: 5 }, null, undefined, 'ENOENT'])('%p has no code', (error) => {
  expect(errorCodeOf(error)).toBe('');
});
