import { readPatch } from '../requests/patch-request.ts';
import { patchUser } from './patch-user.ts';
import { readUser } from './read-user.ts';

const USER = {
  userName: 'bjensen',
  firstName: 'Barbara',
  lastName: 'Jensen',
  email: 'b@example.com',
  active: true,
  locale: null,
  displayName: null,
  isPrimary: true,
  formattedName: null,
  externalId: null,
};
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const patched = (...operations: readonly object[]) =>
  patchUser(USER, readPatch({ schemas: [PATCH], Operations: operations }));

test.each<[string, readonly object[], object]>([
  ['Entra ID with capitals and texts', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
  [
    'Entra ID with the type of an address',
    [{ op: 'Add', path: 'emails[type eq "work"].value', value: 'new@example.com' }],
    { email: 'new@example.com' },
  ],
  [
    'Entra ID with an attribute that is not stored',
    [{ op: 'Add', path: `${ENTERPRISE}:department`, value: 'Sales' }],
    {},
  ],
  [
    'Entra ID without a path, with dotted members',
    [
      {
        op: 'replace',
        value: {
          displayName: 'Babs',
          'name.givenName': 'Barb',
          'name.formatted': 'Barb Jensen',
          'emails[type eq "work"].value': 'barb@example.com',
          [`${ENTERPRISE}:employeeNumber`]: '7',
          active: 'True',
        },
      },
    ],
    { displayName: 'Babs', firstName: 'Barb', formattedName: 'Barb Jensen', email: 'barb@example.com' },
  ],
  ['Okta without a path', [{ op: 'replace', value: { active: false } }], { active: false }],
  ['Okta with its id', [{ op: 'replace', value: { id: '1', active: false, meta: {}, groups: [] } }], { active: false }],
  ['a complex value', [{ op: 'add', path: 'name', value: { givenName: 'Barb' } }], { firstName: 'Barb' }],
  [
    'a path with the schema',
    [{ op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName', value: 'J' }],
    { lastName: 'J' },
  ],
  [
    'a list of addresses',
    [{ op: 'replace', path: 'emails', value: [{ value: 'x@y.z' }, { value: 'p@y.z', primary: true }] }],
    { email: 'p@y.z' },
  ],
  ['an address of another type', [{ op: 'add', path: 'emails[type eq "home"].value', value: 'h@y.z' }], {}],
  [
    'a removal',
    [
      { op: 'remove', path: 'name.givenName' },
      { op: 'Remove', path: 'emails[value eq "B@example.com"]' },
    ],
    { firstName: null, email: null },
  ],
  ['a removal of an address that is not there', [{ op: 'remove', path: 'emails[value eq "other"]' }], {}],
  ['a language tag', [{ op: 'replace', path: 'preferredLanguage', value: 'zh-CN' }], { locale: 'zh_CN' }],
  [
    'passwords and roles',
    [{ op: 'replace', value: { password: 'x', roles: ['admin'], __proto__: { active: false } } }],
    {},
  ],
])('%s', (_case, operations, expected) => {
  expect(patched(...operations)).toEqual({ ...USER, ...expected });
});

// Asserts contract/tokens.md#scim.
test.each<[string, object | null, string]>([
  ['an unknown operation', { op: 'move', path: 'active' }, 'invalidSyntax'],
  ['no operation', { path: 'active', value: true }, 'invalidSyntax'],
  ['no object', null, 'invalidSyntax'],
  ['no value', { op: 'add', path: 'active' }, 'invalidSyntax'],
  ['a removal without a path', { op: 'remove' }, 'noTarget'],
  ['a value that is no object without a path', { op: 'add', value: [1] }, 'invalidSyntax'],
  ['a path that is none', { op: 'add', path: 'emails[', value: 1 }, 'invalidPath'],
  ['a path that is no text', { op: 'add', path: 7, value: 1 }, 'invalidPath'],
  ['a path with brackets for one value', { op: 'replace', path: 'active[value eq "x"]', value: true }, 'invalidPath'],
  ['the id', { op: 'replace', path: 'id', value: 'x' }, 'mutability'],
  ['the groups', { op: 'add', path: 'groups', value: [{ value: 'x' }] }, 'mutability'],
  ['the removal of the name', { op: 'remove', path: 'userName' }, 'mutability'],
  ['an empty name', { op: 'replace', path: 'userName', value: '' }, 'invalidValue'],
  ['active that is neither', { op: 'replace', path: 'active', value: 'yes' }, 'invalidValue'],
  ['a text that is a number', { op: 'replace', path: 'displayName', value: 5 }, 'invalidValue'],
  ['a long text', { op: 'replace', path: 'displayName', value: 'x'.repeat(256) }, 'invalidValue'],
  ['NUL', { op: 'replace', path: 'displayName', value: 'a\0b' }, 'invalidValue'],
  ['an address that is not there', { op: 'replace', path: 'emails[value eq "x"].value', value: 'y' }, 'noTarget'],
])('%s is refused', (_case, operation, scimType) => {
  expect(() => patched(operation as object)).toThrow(expect.objectContaining({ status: 400, scimType }));
});

// Asserts contract/tokens.md#scim.
test('a body without its schema, without operations or with too many is refused', () => {
  const invalid = expect.objectContaining({ scimType: 'invalidSyntax' });
  const operation = { op: 'replace', path: 'active', value: true };
  expect(() => readPatch({ Operations: [operation] })).toThrow(invalid);
  expect(() => readPatch({ schemas: [PATCH] })).toThrow(invalid);
  expect(() => readPatch({ schemas: [PATCH], Operations: Array(1_001).fill(operation) })).toThrow(invalid);
  expect(() => readPatch({ schemas: [PATCH], operations: [operation], Operations: [] })).toThrow(invalid);
});

// Asserts contract/tokens.md#scim.
test('a body of a user has the attributes that are stored, in any case of letters', () => {
  const body = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
    USERNAME: 'bjensen',
    Name: { GivenName: 'Barbara' },
    password: 't1meMa$heen',
    roles: [{ value: 'system-full-access' }],
    groups: [{ value: 'x' }],
    emails: [
      { value: 'home@x', type: 'home' },
      { value: 'work@x', type: 'work' },
    ],
    locale: 'de-DE',
    [ENTERPRISE]: { department: 'x' },
  };
  expect(readUser(body)).toEqual({
    userName: 'bjensen',
    firstName: 'Barbara',
    lastName: null,
    email: 'work@x',
    active: undefined,
    locale: 'de_DE',
    displayName: null,
    isPrimary: true,
    formattedName: null,
    externalId: null,
  });
});
