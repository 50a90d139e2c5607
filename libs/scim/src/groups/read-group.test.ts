import { readPatch } from '../requests/patch-request.ts';
import { MAX_MEMBERS, readGroup, readGroupChanges } from './read-group.ts';

const A = '2819c223-7f76-453a-919d-413861904646';
const B = '902c246b-6245-4190-8e05-00816be7344a';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const changes = (...operations: readonly object[]) =>
  readGroupChanges(readPatch({ schemas: [PATCH], Operations: operations })).map((change) =>
    'members' in change ? { ...change, members: change.members.map(({ id }) => id) } : change,
  );

test.each<[string, object, readonly object[]]>([
  [
    'members of Entra ID',
    { op: 'Add', path: 'members', value: [{ value: A }, { value: B }] },
    [{ kind: 'add', members: [A, B] }],
  ],
  [
    'one that is there twice',
    { op: 'add', path: 'members', value: [{ value: A }, { value: A.toUpperCase() }] },
    [{ kind: 'add', members: [A] }],
  ],
  ['a removal by filter', { op: 'remove', path: `members[value eq "${A}"]` }, [{ kind: 'remove', members: [A] }]],
  [
    'a removal of two',
    { op: 'remove', path: `members[value eq "${A}" or value eq "${B}"]` },
    [{ kind: 'remove', members: [A, B] }],
  ],
  ['a removal by value', { op: 'Remove', path: 'members', value: [{ value: A }] }, [{ kind: 'remove', members: [A] }]],
  ['a removal of all', { op: 'remove', path: 'members' }, [{ kind: 'replace', members: [] }]],
  [
    'a removal of an id that cannot be',
    { op: 'remove', path: 'members[value eq "x"]' },
    [{ kind: 'remove', members: [] }],
  ],
  ['a new list', { op: 'replace', path: 'members', value: [{ value: B }] }, [{ kind: 'replace', members: [B] }]],
  ['a name', { op: 'replace', path: 'displayName', value: 'Sales' }, [{ kind: 'name', displayName: 'Sales' }]],
  [
    'Okta with its id',
    { op: 'replace', value: { id: A, displayName: 'Sales' } },
    [{ kind: 'name', displayName: 'Sales' }],
  ],
  ['an attribute that is not stored', { op: 'add', path: 'roles', value: ['admin'] }, []],
])('%s', (_case, operation, expected) => {
  expect(changes(operation)).toEqual(expected);
});

// Asserts contract/tokens.md#scim.
test.each<[string, object, string]>([
  ['an id that is none', { op: 'add', path: 'members', value: [{ value: "x' OR 1=1" }] }, 'invalidValue'],
  ['a member without an id', { op: 'add', path: 'members', value: [{ display: 'x' }] }, 'invalidValue'],
  ['too many members', { op: 'add', path: 'members', value: Array(MAX_MEMBERS + 1).fill({ value: A }) }, 'tooMany'],
  ['a filter that adds', { op: 'add', path: `members[value eq "${A}"]`, value: [] }, 'invalidPath'],
  ['another filter', { op: 'remove', path: 'members[display co "x"]' }, 'invalidFilter'],
  ['a member of a member', { op: 'replace', path: `members[value eq "${A}"].display`, value: 'x' }, 'mutability'],
  ['the id', { op: 'replace', path: 'id', value: A }, 'mutability'],
  ['the removal of the name', { op: 'remove', path: 'displayName' }, 'mutability'],
])('%s is refused', (_case, operation, scimType) => {
  expect(() => changes(operation)).toThrow(expect.objectContaining({ status: 400, scimType }));
});

// Asserts contract/tokens.md#scim.
test('operations for single members are one change, in the order of the others', () => {
  const add = (value: string) => ({ op: 'Add', path: 'members', value: [{ value }] });
  const remove = (value: string) => ({ op: 'Remove', path: `members[value eq "${value}"]` });
  const rename = { op: 'replace', path: 'displayName', value: 'x' };
  expect(changes(add(A), add(B), add(A), remove(A), remove(B), rename, add(A))).toEqual([
    { kind: 'add', members: [A, B] },
    { kind: 'remove', members: [A, B] },
    { kind: 'name', displayName: 'x' },
    { kind: 'add', members: [A] },
  ]);
});

// Asserts contract/tokens.md#scim.
test('a group needs its schema and a name', () => {
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
  expect(readGroup({ schemas, displayName: 'Sales' })).toEqual({ displayName: 'Sales', externalId: null, members: [] });
  expect(() => readGroup({ displayName: 'Sales' })).toThrow(/schemas/);
  expect(() => readGroup({ schemas })).toThrow(/displayName/);
});
