import { externalAuthentication } from './external-authentication.ts';

const [ONE, TWO] = ['urn:lintel:acr:1fa', 'urn:lintel:acr:2fa'];
const acrOf = (claims: Record<string, unknown>, acrValues: readonly string[] = [], acrClaim = 'acr') =>
  externalAuthentication({ iat: 100, ...claims }, { acrClaim, acrValues }).acr;

test.each<[string, Record<string, unknown>, string[], string | undefined]>([
  ['a value of ours', { acr: TWO }, [], TWO],
  ['a value of the table', { acr: 'gold' }, [`gold=${TWO}`], TWO],
  ['a value with an equals sign', { acr: 'loa=2' }, [`loa=2=${TWO}`], TWO],
  ['a value that is not in the table', { acr: 'silver' }, [`gold=${TWO}`], undefined],
  ['a value in other case', { acr: 'Gold' }, [`gold=${TWO}`], undefined],
  ['no value', {}, [`gold=${TWO}`], undefined],
  ['no value, where all tokens have one factor', {}, [`*=${ONE}`], ONE],
  ['two values of the table', { acr: 'gold' }, [`gold=${TWO}`, `*=${ONE}`], TWO],
  ['a list', { acr: ['silver', 'gold'] }, [`silver=${ONE}`, `gold=${TWO}`], TWO],
  ['a number', { acr: 2 }, [`2=${TWO}`], undefined],
  ['an object', { acr: { gold: true } }, [`gold=${TWO}`], undefined],
])('%s', (_case, claims, table, expected) => {
  expect(acrOf(claims, table)).toBe(expected);
});

test('another claim may have the values', () => {
  expect(acrOf({ amr: ['pwd', 'mfa'] }, [`mfa=${TWO}`], 'amr')).toBe(TWO);
  expect(acrOf({ amr: ['pwd', 'mfa'], acr: TWO }, [`other=${TWO}`], 'amr')).toBeUndefined();
  expect(acrOf({ login: { strength: 'high' } }, [`high=${TWO}`], 'login.strength')).toBe(TWO);
});

test.each([
  [90, 90],
  [150, 100],
  ['90', undefined],
  [undefined, undefined],
])('the time %j of a token that was issued at 100 is %j', (time, expected) => {
  expect(externalAuthentication({ iat: 100, auth_time: time }, { acrClaim: 'acr', acrValues: [] }).auth_time).toBe(
    expected,
  );
});
