import { callerKeyOf } from './caller-key.ts';

const KINDS = ['user', 'client', 'anonymous'] as const;

test('callers of different kinds or names never have the same key', () => {
  const names = ['a', 'client:a', 'user:a', 'user:client:a', 'anonymous', 'anonymous:a', 'client:client:a', ''];
  const callers = KINDS.flatMap((kind) => names.map((username) => ({ kind, username })));
  expect(new Set(callers.map(callerKeyOf)).size).toBe(callers.length);
});

test('the key of a user is the name, which triggers follow', () => {
  expect(callerKeyOf({ kind: 'user', username: 'clerk' })).toBe('clerk');
  expect(callerKeyOf({ kind: 'client', username: 'clerk' })).toBe('client:clerk');
});
