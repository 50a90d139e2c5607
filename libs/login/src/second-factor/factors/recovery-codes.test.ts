import { newRecoveryCodes, recoveryCodeDigests, recoveryCodeOf } from './recovery-codes.ts';

test('ten different codes that are easy to copy', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([a-z0-9]{4}-){2}[a-z0-9]{4}$/);
});

test.each([
  ['abcd-efgh-jkmn', 'abcdefghjkmn'],
  [' ABCD efgh\tjkmn ', 'abcdefghjkmn'],
  ['abcd-efgh-jkm', undefined],
  ['abcd-efgh-jkml', undefined],
  ['123456', undefined],
  ['', undefined],
])('%j is the code %j', (text, code) => {
  expect(recoveryCodeOf(text)).toBe(code);
});

test('a digest is that of its user, its code and the secret', () => {
  const digest = recoveryCodeDigests('one');
  const same = digest('u1', 'abcd-efgh-jkmn');
  expect(digest('u1', 'abcdefghjkmn')).toBe(same);
  for (const other of [
    digest('u2', 'abcdefghjkmn'),
    digest('u1', 'abcdefghjkmp'),
    recoveryCodeDigests('two')('u1', 'abcdefghjkmn'),
  ])
    expect(other).not.toBe(same);
});
