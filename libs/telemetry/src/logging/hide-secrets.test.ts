import { hideMembers, hideSecrets } from './hide-secrets.ts';

test('fields without secrets stay the same object', () => {
  const fields = { method: 'GET', status: 200, headers: { accept: '*/*' }, nothing: null };
  expect(hideSecrets(fields)).toBe(fields);
});

test('secrets are masked in the fields and in the objects in them, and what was given stays as it is', () => {
  const fields = { jwt: 'a.b.c', headers: { Authorization: 'Bearer abc', accept: '*/*' }, token: undefined };
  expect(hideSecrets(fields)).toEqual({ jwt: '***', headers: { Authorization: '***', accept: '*/*' }, token: '***' });
  expect(fields).toEqual({ jwt: 'a.b.c', headers: { Authorization: 'Bearer abc', accept: '*/*' }, token: undefined });
});

test('an error stays an error for its serializer', () => {
  const error = Object.assign(new Error('no'), { token: 'abc' });
  expect(hideSecrets({ error })['error']).toBe(error);
  expect(hideMembers({ message: 'no', token: 'abc' })).toEqual({ message: 'no', token: '***' });
});
