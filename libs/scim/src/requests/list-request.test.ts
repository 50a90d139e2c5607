import { readListRequest, readProjection } from './list-request.ts';
import { projectResource } from './project-resource.ts';

// Asserts contract/tokens.md#scim.
test.each<[Record<string, unknown>, object]>([
  [{}, { startIndex: 1, count: 200 }],
  [
    { startIndex: '0', count: '-1' },
    { startIndex: 1, count: 0 },
  ],
  [
    { startIndex: '-5', count: '100000' },
    { startIndex: 1, count: 200 },
  ],
  [
    { sortBy: 'Name.FamilyName', sortOrder: 'Descending' },
    { sortBy: 'name.familyname', isDescending: true },
  ],
])('%j is a page within the limits', (query, expected) => {
  expect(readListRequest(query, 200)).toMatchObject(expected);
});

// Asserts contract/tokens.md#scim.
test.each<[Record<string, unknown>, string]>([
  [{ startIndex: 'x' }, 'startIndex'],
  [{ startIndex: '99999999999' }, 'startIndex'],
  [{ count: '1.5' }, 'count'],
  [{ sortOrder: 'up' }, 'sortOrder'],
  [{ filter: ['id pr', 'id pr'] }, 'filter'],
  [{ attributes: Array(101).fill('id').join(',') }, 'attributes'],
])('%j is refused by name', (query, name) => {
  expect(() => readListRequest(query, 200)).toThrow(new RegExp(`^${name}: `));
});

// Asserts contract/tokens.md#scim.
test.each<[Record<string, string>, object]>([
  [{ attributes: 'userName' }, { id: '1', schemas: [], userName: 'b' }],
  [
    { attributes: 'name.givenName,emails' },
    { id: '1', schemas: [], name: { givenName: 'B' }, emails: [{ value: 'x', type: 'work' }] },
  ],
  [{ excludedAttributes: 'id,emails.type,NAME' }, { id: '1', schemas: [], userName: 'b', emails: [{ value: 'x' }] }],
  [{ attributes: 'urn:ietf:params:scim:schemas:core:2.0:User:userName' }, { id: '1', schemas: [], userName: 'b' }],
])('%j selects attributes', (query, expected) => {
  const resource = {
    id: '1',
    schemas: [],
    userName: 'b',
    name: { givenName: 'B', familyName: 'J' },
    emails: [{ value: 'x', type: 'work' }],
  };
  expect(projectResource(resource, readProjection(query))).toEqual(expected);
});
