import { GROUP_COLUMNS } from '../groups/group-store.ts';
import { USER_COLUMNS } from '../users/user-queries.ts';
import { compileFilter } from './compile-filter.ts';
import { matchesFilter } from './matches-filter.ts';
import { parseFilter } from './parse-filter.ts';

const ID = '2819c223-7f76-453a-919d-413861904646';

function compiled(source: string, columns = USER_COLUMNS) {
  const parameters: unknown[] = [];
  return { sql: compileFilter(parseFilter(source), columns, parameters), parameters };
}

// Asserts contract/tokens.md#scim.
test.each<[string, string, readonly unknown[]]>([
  ['userName eq "bjensen"', 'lower(u.username) = lower($1::text)', ['bjensen']],
  ['username EQ "bjensen"', 'lower(u.username) = lower($1::text)', ['bjensen']],
  ['name.familyName co "O\'Malley"', 'strpos(lower(u.last_name), lower($1::text)) > 0', ["O'Malley"]],
  ['userName sw "J"', 'starts_with(lower(u.username), lower($1::text))', ['J']],
  [
    'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
    'starts_with(lower(u.username), lower($1::text))',
    ['J'],
  ],
  ['displayName pr', "(coalesce(s.display_name, '') <> '')", []],
  [
    'meta.lastModified gt "2011-05-13T04:42:34Z"',
    "(greatest(u.created_date, u.last_modified_date) AT TIME ZONE 'UTC') > $1::timestamptz",
    ['2011-05-13T04:42:34.000Z'],
  ],
  [
    'displayName pr and userName ew "x"',
    "((coalesce(s.display_name, '') <> '') AND right(lower(u.username), length(lower($1::text))) = lower($1::text))",
    ['x'],
  ],
  [
    'emails[type eq "work" and value co "@example.com"] or not (active eq true)',
    "((lower(CASE WHEN u.email IS NOT NULL THEN 'work' END) = lower($1::text) AND strpos(lower(u.email), lower($2::text)) > 0) OR NOT coalesce(coalesce(u.active, false) = $3::boolean, false))",
    ['work', '@example.com', true],
  ],
  [
    'emails[type eq "work"].value eq "a@b.c"',
    "(lower(CASE WHEN u.email IS NOT NULL THEN 'work' END) = lower($1::text) AND lower(u.email) = lower($2::text))",
    ['work', 'a@b.c'],
  ],
  ['externalId ne "Ab"', 'NOT coalesce(s.external_id = $1::text, false)', ['Ab']],
  ['externalId eq null', "NOT (coalesce(s.external_id, '') <> '')", []],
  ['active eq "False"', 'coalesce(u.active, false) = $1::boolean', [false]],
  [`id eq "${ID}"`, '(u.id = $1::uuid)', [ID]],
  ['id eq "1\' OR true --"', 'false', []],
  [
    `groups.value eq "${ID}"`,
    'EXISTS (SELECT FROM auth.scim_member AS f WHERE f.user_id = u.id AND f.group_id = $1::uuid)',
    [ID],
  ],
])('%s is a condition whose values are parameters', (source, sql, parameters) => {
  expect(compiled(source)).toEqual({ sql, parameters });
});

test('and binds stronger than or; parentheses group', () => {
  expect(parseFilter('id pr or id pr and id pr')).toMatchObject({ kind: 'or', terms: [{}, { kind: 'and' }] });
  expect(parseFilter('(id pr or id pr) and id pr')).toMatchObject({ kind: 'and', terms: [{ kind: 'or' }, {}] });
});

test('members of groups are found by their id', () => {
  expect(compiled(`members[value eq "${ID}"]`, GROUP_COLUMNS)).toEqual({
    sql: 'EXISTS (SELECT FROM auth.scim_member AS f WHERE f.group_id = g.id AND f.user_id = $1::uuid)',
    parameters: [ID],
  });
});

const nested = (depth: number): string => `${'('.repeat(depth)}id pr${')'.repeat(depth)}`;

test.each([
  '',
  'userName',
  'userName eq',
  'userName eq bjensen',
  "userName eq 'bjensen'",
  'userName like "x"',
  'userName eq "x" and',
  'not userName eq "x"',
  '(userName eq "x"',
  'userName eq "x")',
  'emails[type eq "work"',
  'emails[value eq "x" and emails[type pr]]',
  'userName eq "x" ; DROP TABLE sec.user',
  'userName; DROP TABLE x eq "x"',
  'userName eq "\\x"',
  'userName eq "\\u0000"',
  'userName eq 5',
  'userName eq true',
  'active gt true',
  'active eq 1',
  'meta.created gt "yesterday"',
  'meta.created co "2011"',
  'password eq "x"',
  'u.password eq "x"',
  '__proto__ eq "x"',
  'constructor pr',
  'groups co "x"',
  // Asserts contract/tokens.md#scim.
  nested(11),
  Array.from({ length: 51 }, () => 'id pr').join(' or '),
  `userName eq "${'x'.repeat(4_096)}"`,
])('%s is no filter', (source) => {
  expect(() => compiled(source)).toThrow(expect.objectContaining({ status: 400, scimType: 'invalidFilter' }));
});

// Asserts contract/tokens.md#scim.
test('filters have at most ten levels and fifty terms', () => {
  expect(() => parseFilter(nested(10))).not.toThrow();
  expect(() => parseFilter(Array.from({ length: 50 }, () => 'id pr').join(' or '))).not.toThrow();
});

test.each([
  ['emails[type eq "work"]', true],
  ['emails[type ne "work"]', false],
  ['emails[value sw "A@" and value ew ".C"]', true],
  ['emails[value co "x" or primary eq true]', true],
  ['emails[not (value pr)]', false],
  ['emails[other eq null]', true],
  ['emails[value gt "a" and value lt "b" and value ge "a@b.c" and value le "a@b.c"]', true],
])('%s selects values in memory', (source, expected) => {
  expect(matchesFilter(parseFilter(source), { type: 'work', value: 'a@b.c', primary: true })).toBe(expected);
});
