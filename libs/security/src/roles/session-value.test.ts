import { type PolicyCaller, sessionValue } from './session-value.ts';

const caller: PolicyCaller = {
  username: 'ada',
  userId: 'u1',
  locale: 'de',
  attributes: {
    username: 'forged',
    id: 'forged',
    country: 'DE',
    level: 0,
    note: null,
    team: { id: 't1', name: 'Blue' },
    tax_id: '42',
    code_id: null,
    code: { id: 'c1' },
  },
  sessionAttributes: { branch: 'north' },
};

// Asserts contract/row-policies.md#policies.
test.each([
  ['current_locale', 'de'],
  ['session$userId', 'u1'],
  ['session$userLogin', 'ada'],
  ['session$username', 'ada'],
  ['current_user_username', 'ada'],
  ['current_user_id', 'u1'],
  ['current_user_country', 'DE'],
  ['current_user_level', 0],
  ['current_user_note', null],
  ['current_user_team', 't1'],
  ['current_user_team_id', 't1'],
  ['current_user_tax_id', '42'],
  ['current_user_code_id', null],
  ['session_branch', 'north'],
])('the parameter %s has the value %j of the caller', (name, value) => {
  expect(sessionValue(caller, name)).toEqual(value);
});

test.each([
  'current_user_city',
  'current_user_country_id',
  'current_user_city_id',
  'current_user_',
  'current_user_constructor',
  'current_user_constructor_id',
  'session_city',
  'session_constructor',
  'session$locale',
  'country',
  'branch',
])('the parameter %s has no value', (name) => {
  expect(sessionValue(caller, name)).toBeUndefined();
});

test('a caller without session attributes has no value for any', () => {
  expect(sessionValue({ ...caller, sessionAttributes: undefined }, 'session_branch')).toBeUndefined();
});
