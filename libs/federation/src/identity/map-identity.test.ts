import { z } from 'zod';
import { IDENTITY_MEMBERS } from './identity-settings.ts';
import { mapIdentity } from './map-identity.ts';

const rulesOf = (texts: Record<string, string> = {}) => z.object(IDENTITY_MEMBERS).parse(texts);
const map = (claims: Record<string, unknown>, texts: Record<string, string> = {}) =>
  mapIdentity(claims, rulesOf(texts));

const TABLE = { 'resource-roles': 'sales=sales-manager, cn=a,*=rest-minimal'.replace('cn=a,', '') };

test('groups become roles by the table, and everybody has those of *', () => {
  expect(map({ groups: ['sales', 'other'] }, TABLE)).toMatchObject({
    resourceRoles: ['sales-manager', 'rest-minimal'],
  });
  expect(map({ groups: ['*'] }, TABLE)).toMatchObject({ resourceRoles: ['rest-minimal'] });
  expect(map({ groups: 'sales' }, TABLE)).toMatchObject({ resourceRoles: ['sales-manager', 'rest-minimal'] });
});

// Asserts contract/roles.md#definition.
test('codes of roles stay as the table has them', () => {
  const tables = { 'resource-roles': 'sales=Sales-Manager', 'row-level-roles': '*=OWN-Region' };
  expect(map({ groups: ['sales'] }, tables)).toMatchObject({
    resourceRoles: ['Sales-Manager'],
    rowLevelRoles: ['OWN-Region'],
  });
});

test('the names of groups may contain equals signs', () => {
  const rules = z.object(IDENTITY_MEMBERS).parse({ 'resource-roles': ['cn=sales,ou=groups=sales-manager'] });
  expect(mapIdentity({ groups: ['cn=sales,ou=groups'] }, rules)).toMatchObject({ resourceRoles: ['sales-manager'] });
});

test.each([
  ['no claim', {}],
  ['an object', { groups: { sales: true } }],
  ['a number', { groups: 7 }],
  ['a list without texts', { groups: [{ name: 'sales' }, 1, null] }],
])('%s gives no group', (_case, claims) => {
  expect(map(claims, TABLE)).toMatchObject({ kind: 'mapped', resourceRoles: ['rest-minimal'] });
});

test('without the claim of the groups, a table of row-level roles refuses', () => {
  const table = { 'row-level-roles': 'north=own-region' };
  expect(map({}, table)).toEqual({ kind: 'refused', reason: 'groups-missing' });
  expect(map({ groups: {} }, table)).toEqual({ kind: 'refused', reason: 'groups-missing' });
  expect(map({ groups: [] }, table)).toMatchObject({ kind: 'mapped', rowLevelRoles: [] });
  expect(map({ groups: ['north'] }, table)).toMatchObject({ rowLevelRoles: ['own-region'] });
  expect(map({}, { 'row-level-roles': '*=own-region' })).toMatchObject({ rowLevelRoles: ['own-region'] });
});

test('groups that the token leaves to another request are refused', () => {
  const refused = { kind: 'refused', reason: 'groups-not-listed' };
  expect(map({ _claim_names: { groups: 'src1' } }, TABLE)).toEqual(refused);
  expect(map({ hasgroups: true })).toEqual(refused);
});

test('a claim is found by its name first, then by its path, and never in a prototype', () => {
  const paths = (claim: string) => ({ ...TABLE, 'groups-claim': claim });
  const sales = { resourceRoles: ['sales-manager', 'rest-minimal'] };
  expect(map({ realm_access: { roles: ['sales'] } }, paths('realm_access.roles'))).toMatchObject(sales);
  expect(map({ 'https://x.example/roles': ['sales'] }, paths('https://x.example/roles'))).toMatchObject(sales);
  expect(map({ a: null }, paths('a.b'))).toMatchObject({ resourceRoles: ['rest-minimal'] });
  expect(map({}, { 'user-claim': 'constructor.name' })).toMatchObject({ username: undefined });
});

test.each([
  ['absent', {}],
  ['empty', { preferred_username: '' }],
  ['a number', { preferred_username: 7 }],
  ['a list', { preferred_username: ['ada'] }],
  ['too long', { preferred_username: 'a'.repeat(256) }],
  ['with a control character', { preferred_username: 'a\u0000b' }],
  ['with a space at its end', { preferred_username: 'admin ' }],
  ['a built-in user', { preferred_username: 'system' }],
  ['the anonymous user', { preferred_username: 'anonymous' }],
])('a user claim that is %s names no user', (_case, claims) => {
  expect(map(claims)).toMatchObject({ kind: 'mapped', username: undefined });
});

test.each([
  ['verified', { email: 'ada@corp.example', email_verified: true }, 'ada@corp.example', undefined],
  ['verified, as a text', { email: 'ada@corp.example', email_verified: 'true' }, 'ada@corp.example', undefined],
  ['not verified', { email: 'ada@corp.example', email_verified: false }, undefined, 'email-not-verified'],
  ['of a provider that does not say', { email: 'ada@corp.example' }, undefined, 'email-not-verified'],
  ['absent', { email_verified: true }, undefined, 'no-user-claim'],
])('an address of e-mail that is %s, as the user claim', (_case, claims, username, nameProblem) => {
  const mapped = { nameProblem: undefined, ...map(claims, { 'user-claim': 'email' }) };
  expect(mapped).toMatchObject({ kind: 'mapped', username, nameProblem });
});

test.each([
  [true, 'ada@corp.example'],
  [undefined, 'ada@corp.example'],
  [false, null],
  ['false', null],
])('with email_verified %j the address of a new user is %j', (verified, email) => {
  expect(map({ email: 'ada@corp.example', email_verified: verified })).toMatchObject({ kind: 'mapped', email });
});

test.each([
  ['no address', {}, 'domain'],
  ['another domain', { email: 'ada@evil.example', email_verified: true }, 'domain'],
  ['a domain that ends alike', { email: 'ada@notcorp.example', email_verified: true }, 'domain'],
  ['a subdomain', { email: 'ada@x.corp.example', email_verified: true }, 'domain'],
  ['an address that is not verified', { email: 'ada@corp.example' }, 'email-not-verified'],
  ['a verified one', { email: 'ada@CORP.example', email_verified: true }, undefined],
  ['two at signs', { email: 'ada@corp.example@evil.example', email_verified: true }, 'domain'],
])('the rule of domains: %s', (_case, claims, reason) => {
  const mapped = map(claims, { domains: 'corp.example' });
  expect('reason' in mapped ? mapped.reason : undefined).toBe(reason);
});

test.each([
  [{}, false],
  [{ tenant: 'b' }, false],
  [{ tenant: 'a' }, false],
  [{ tenant: 'a', mfa: true }, true],
  [{ tenant: ['x', 'a'], mfa: 'true' }, true],
])('required claims must all hold: %j', (claims, isAccepted) => {
  expect(map(claims, { 'required-claims': 'tenant=a, mfa=true' }).kind).toBe(isAccepted ? 'mapped' : 'refused');
});
