import { enteredUser, isChangeable, writtenUser } from './entered-user.ts';

const user = { id: '1', username: 'zoë', firstName: 'Zoë', lastName: null, active: false };
const everything = () => true;

test('a form begins with the values of the user, and never with a password', () => {
  expect(enteredUser(user)).toEqual({
    ...{ username: 'zoë', firstName: 'Zoë', lastName: '', email: '', locale: '', country: '' },
    ...{ password: '', active: false },
  });
});

test('a new user is active', () => {
  expect(enteredUser(undefined)).toMatchObject({ username: '', password: '', active: true });
});

test('texts without a value are sent as null, and a password only where one was entered', () => {
  const entered = { ...enteredUser(user), firstName: '' };
  expect(writtenUser(entered, everything)).toEqual({
    ...{ username: 'zoë', firstName: null, lastName: null, email: null, locale: null, country: null },
    active: false,
  });
  expect(writtenUser({ ...entered, password: ' ' }, everything)).toMatchObject({ password: ' ' });
});

test('a form can be saved if the caller may change any of its attributes', () => {
  const may = (...names: readonly string[]) => isChangeable((name) => names.includes(name));
  expect([may('email'), may('password'), may('active'), may('username'), may(), may('roles')]).toEqual([
    ...[true, true, true, true, false, false],
  ]);
});

test('attributes that the caller may not change are not sent', () => {
  const mayModify = (name: string) => name === 'email';
  expect(writtenUser({ ...enteredUser(user), email: 'z@example.com' }, mayModify)).toEqual({ email: 'z@example.com' });
});
