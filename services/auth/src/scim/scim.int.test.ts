import { randomUUID } from 'node:crypto';
import { eventually, type TestDatabase } from '@lintel/testkit';
import { createScimClient, GROUP, PATCH, USER } from '../../test/scim-client.ts';
import { addAssignment, createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';

const TOKEN = 'a token of the identity provider'.replaceAll(' ', '-');
const PROPERTIES = {
  'svc.scim.token': TOKEN,
  'svc.scim.former-token': TOKEN.toUpperCase(),
  'svc.scim.resource-roles': 'Sales=sales-manager,Support=sales-clerk,*=rest-minimal',
  'svc.scim.row-level-roles': 'Support=own-region',
};

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, { properties: PROPERTIES });
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const scim = createScimClient(() => auth.url, TOKEN);
const { send, createUser, createGroup, patch, replaceIn } = scim;

const rolesOf = async (username: string): Promise<readonly string[]> =>
  (
    await testDatabase.query('SELECT role_code FROM sec.role_assignment WHERE username = $1 ORDER BY role_code', [
      username,
    ])
  ).map((row) => String(row['role_code']));
const eventsOf = (subject: string) =>
  testDatabase.query('SELECT type, envelope FROM events.outbox WHERE subject = $1 ORDER BY position', [subject]);

/** Gives a user of SCIM a password, and logs the user in. */
async function logIn(username: string): Promise<string> {
  await testDatabase.query(
    `UPDATE sec."user" SET password = (SELECT password FROM sec."user" WHERE username = 'template') WHERE username = $1`,
    [username],
  );
  const form = { grant_type: 'password', username, password: 'template' };
  return (await auth.post('/oauth/token', form)).json.access_token;
}
const isOpen = async (token: string) => (await auth.internal('/exchange', { token })).status === 200;
const sessionOf = async (token: string) => {
  const { sessionId } = (await auth.internal('/exchange', { token })).json;
  return auth.sessions.load(sessionId);
};

beforeAll(() => auth.addUser('template'));

describe('users', () => {
  // Asserts contract/tokens.md#scim.
  test('a user is created as in RFC 7644 §3.3, without a password, and read again', async () => {
    const created = await send('POST', '/Users', {
      schemas: [USER],
      userName: 'bjensen',
      externalId: 'bjensen',
      name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('content-type')).toBe('application/scim+json');
    const { id } = created.json;
    expect(created.json).toEqual({
      schemas: [USER],
      id: expect.any(String),
      externalId: 'bjensen',
      userName: 'bjensen',
      name: { formatted: 'Ms. Barbara J Jensen III', givenName: 'Barbara', familyName: 'Jensen' },
      active: true,
      meta: {
        resourceType: 'User',
        created: expect.stringMatching(/Z$/),
        lastModified: expect.stringMatching(/Z$/),
        location: `https://lintel.example/scim/v2/Users/${id}`,
        version: expect.stringMatching(/^W\/".+"$/),
      },
    });
    expect(created.headers.get('location')).toBe(created.json.meta.location);
    expect(created.headers.get('etag')).toBe(created.json.meta.version);
    expect((await send('GET', `/Users/${id}`)).json).toEqual(created.json);
    const [row] = await testDatabase.query(`SELECT password FROM sec."user" WHERE username = 'bjensen'`);
    expect(row).toEqual({ password: null });
    expect(await rolesOf('bjensen')).toEqual(['rest-minimal']);
    expect((await eventsOf('bjensen')).map(({ type }) => type)).toContain('data.user.changed.v1');
    expect(auth.log.join()).toContain('security.provisioning.user-created');
  });

  test('each change names who, whom and what (contract/operations.md#security-events)', async () => {
    const { id } = (await createUser({ userName: 'Ida' })).json;
    const group = (await createGroup('Support', [id])).json;
    await patch(`/Groups/${group.id}`, [{ op: 'remove', path: `members[value eq "${id}"]` }]);
    await patch(`/Users/${id}`, [{ op: 'replace', path: 'userName', value: 'Idun' }]);
    await patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);
    await send('DELETE', `/Groups/${group.id}`);
    const rows = await testDatabase.query<{ data: Record<string, unknown>; trace: string }>(
      `SELECT envelope -> 'data' AS data, envelope ->> 'traceparent' AS trace FROM events.outbox
WHERE subject IN ('Ida', 'Idun') ORDER BY position`,
    );
    const actor = { by: 'scim', address: '127.0.0.1' };
    const given = (username: string, role: string, change: string) => ({ username, role, change, actor });
    const roles = rows.map(({ data }) => data).filter(({ role }) => role !== undefined);
    expect(roles).toEqual([
      given('Ida', 'rest-minimal', 'given'),
      ...['row_level_role:own-region', 'sales-clerk'].map((role) => given('Ida', role, 'given')),
      ...['row_level_role:own-region', 'sales-clerk'].map((role) => given('Ida', role, 'taken')),
      given('Ida', 'rest-minimal', 'taken'),
      given('Idun', 'rest-minimal', 'given'),
    ]);
    const users = rows.map(({ data }) => data).filter(({ role }) => role === undefined);
    expect(users).toEqual([
      { username: 'Ida', change: 'created', actor },
      ...['Ida', 'Idun'].map((username) => ({ username, change: 'updated', attributes: ['username'], actor })),
      { username: 'Idun', change: 'updated', attributes: ['active'], active: false, actor },
    ]);
    for (const { trace } of rows) expect(trace).toMatch(/^00-\w{32}-/);
  });

  // Asserts contract/tokens.md#scim.
  test('the requests of Entra ID: look for, create, change, disable, remove', async () => {
    const userName = `${randomUUID()}@Contoso.example`;
    const byName = `/Users?filter=${encodeURIComponent(`userName eq "${userName.toUpperCase()}"`)}`;
    expect((await send('GET', byName)).json).toMatchObject({ totalResults: 0, startIndex: 1, Resources: [] });
    const created = await send('POST', '/Users', {
      schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: 'entra',
      userName,
      active: true,
      displayName: 'Grace',
      emails: [{ primary: true, type: 'work', value: 'grace@contoso.example' }],
      meta: { resourceType: 'User' },
      name: { givenName: 'Grace' },
      roles: [],
    });
    const { id } = created.json;
    expect((await send('GET', byName)).json).toMatchObject({ totalResults: 1, Resources: [{ id, userName }] });
    const token = await logIn(userName);
    expect(await isOpen(token)).toBe(true);
    const changed = await patch(`/Users/${id}`, [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@contoso.example' },
      { op: 'Replace', path: 'name.familyName', value: 'Hopper' },
    ]);
    expect(changed.json).toMatchObject({
      emails: [{ value: 'new@contoso.example', type: 'work', primary: true }],
      name: { givenName: 'Grace', familyName: 'Hopper' },
    });
    expect((await sessionOf(token))?.attributes).toMatchObject({ email: 'new@contoso.example' });
    expect((await patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }])).json.active).toBe(false);
    expect(await isOpen(token)).toBe(false);
    expect((await send('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await send('GET', `/Users/${id}`)).status).toBe(404);
    expect((await send('GET', byName)).json.totalResults).toBe(0);
    expect(await rolesOf(userName)).toEqual([]);
    // The user comes back, with the same id.
    expect((await createUser({ userName })).json).toMatchObject({ id, active: true });
    expect(await rolesOf(userName)).toEqual(['rest-minimal']);
  });

  // Asserts contract/tokens.md#scim.
  test('the requests of Okta: look for, create, PUT with active false, a list of all', async () => {
    const userName = `okta-${randomUUID()}`;
    const by = `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}&startIndex=1&count=100`;
    expect((await send('GET', by)).json).toMatchObject({ totalResults: 0 });
    const body = {
      schemas: [USER],
      userName,
      name: { givenName: 'Okta', familyName: 'User' },
      emails: [{ primary: true, value: 'okta@example.com', type: 'work' }],
      displayName: 'Okta User',
      locale: 'en-US',
      externalId: '00u1',
      groups: [],
      password: '1mz050nq',
      active: true,
    };
    const { json: user } = await send('POST', '/Users', body);
    expect(user).toMatchObject({ locale: 'en-US' });
    const replaced = await send('PUT', `/Users/${user.id}`, { ...body, active: false, displayName: undefined });
    expect(replaced.json).toMatchObject({ active: false, id: user.id });
    expect(replaced.json).not.toHaveProperty('displayName');
    expect((await patch(`/Users/${user.id}`, [{ op: 'replace', value: { active: true } }])).json.active).toBe(true);
    const [row] = await testDatabase.query('SELECT password, locale FROM sec."user" WHERE username = $1', [userName]);
    expect(row).toEqual({ password: null, locale: 'en_US' });
    const page = (await send('GET', '/Users?startIndex=2&count=1&sortBy=userName&attributes=userName')).json;
    expect(page).toMatchObject({ startIndex: 2, itemsPerPage: 1, Resources: [{ userName: expect.any(String) }] });
    expect(Object.keys(page.Resources[0]).toSorted()).toEqual(['id', 'schemas', 'userName']);
    expect((await send('GET', '/Users?count=0')).json).toMatchObject({
      Resources: [],
      totalResults: page.totalResults,
    });
  });

  // Asserts contract/tokens.md#scim.
  test('a new name moves the roles of the user, and takes none that were left at the name', async () => {
    const before = `before-${randomUUID()}`;
    const { json: user } = await createUser({ userName: before });
    await addAssignment(testDatabase, before, 'sales-clerk');
    const after = before.replace('before', 'after');
    await addAssignment(testDatabase, after, 'system-full-access');
    const token = await logIn(before);
    expect((await patch(`/Users/${user.id}`, [replaceIn('userName', after)])).json.userName).toBe(after);
    expect([await rolesOf(before), await rolesOf(after)]).toEqual([[], ['rest-minimal', 'sales-clerk']]);
    expect(await isOpen(token)).toBe(false);
  });

  // Asserts contract/tokens.md#scim.
  test('a change needs the version of If-Match; a read with If-None-Match is 304', async () => {
    const { json: user } = await createUser();
    const { version } = user.meta;
    const path = `/Users/${user.id}`;
    expect((await send('GET', path, undefined, { 'if-none-match': version })).status).toBe(304);
    const changed = await patch(path, [replaceIn('displayName', 'x')], { 'if-match': version });
    expect([changed.status, changed.json.meta.version === version]).toEqual([200, false]);
    for (const [method, body] of [
      ['PUT', { schemas: [USER], userName: user.userName }],
      ['PATCH', { schemas: [PATCH], Operations: [replaceIn('active', false)] }],
      ['DELETE', undefined],
    ] as const)
      expect((await send(method, path, body, { 'if-match': version })).status).toBe(412);
    // What changes nothing writes nothing.
    expect((await patch(path, [replaceIn('displayName', 'x')])).json.meta).toEqual(changed.json.meta);
  });

  // Asserts contract/tokens.md#scim.
  test('a name is unique without case, also for users that SCIM did not create and does not see', async () => {
    const { json: user } = await createUser();
    const { json: other } = await createUser();
    const conflict = { status: '409', scimType: 'uniqueness', schemas: [expect.stringMatching(/:Error$/)] };
    expect((await createUser({ userName: user.userName.toUpperCase() })).json).toMatchObject(conflict);
    expect((await patch(`/Users/${other.id}`, [replaceIn('userName', user.userName)])).json).toMatchObject(conflict);
    for (const userName of ['template', 'System', 'anonymous'])
      expect((await createUser({ userName })).json).toMatchObject(conflict);
    const [row] = await testDatabase.query(`SELECT id FROM sec."user" WHERE username = 'template'`);
    expect((await send('GET', `/Users/${row?.['id']}`)).status).toBe(404);
    expect((await patch(`/Users/${row?.['id']}`, [replaceIn('active', false)])).status).toBe(404);
    expect((await send('GET', `/Users?filter=${encodeURIComponent('userName eq "template"')}`)).json.totalResults).toBe(
      0,
    );
  });

  // Asserts contract/tokens.md#scim.
  test('two creations of one name at the same time make one user', async () => {
    const userName = randomUUID();
    const results = await Promise.all([1, 2, 3].map(() => createUser({ userName })));
    expect(results.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });
});

describe('groups', () => {
  // Asserts contract/tokens.md#scim.
  test('roles follow the members at once; roles that were given by hand stay', async () => {
    const { json: user } = await createUser();
    const { json: other } = await createUser();
    await addAssignment(testDatabase, user.userName, 'sales-manager');
    const token = await logIn(other.userName);
    const { json: group } = await createGroup('Sales', [user.id, other.id]);
    expect((await sessionOf(token))?.resourceRoles).toEqual(['rest-minimal', 'sales-manager']);
    // The groups are a part of the user.
    expect((await send('GET', `/Users/${user.id}`)).json.meta.version).not.toBe(user.meta.version);
    const path = `/Groups/${group.id}`;
    expect((await patch(path, [{ op: 'remove', path: `members[value eq "${other.id}"]` }])).status).toBe(204);
    expect((await sessionOf(token))?.resourceRoles).toEqual(['rest-minimal']);
    await patch(path, [{ op: 'Remove', path: 'members', value: [{ value: user.id }] }]);
    expect(await rolesOf(user.userName)).toEqual(['rest-minimal', 'sales-manager']);
    await patch(path, [{ op: 'Add', path: 'members', value: [{ value: other.id }] }]);
    expect((await send('GET', `/Users/${other.id}`)).json.groups).toMatchObject([
      { value: group.id, display: 'Sales' },
    ]);
    await patch(path, [replaceIn('displayName', 'SUPPORT')]);
    expect(await rolesOf(other.userName)).toEqual(['own-region', 'rest-minimal', 'sales-clerk']);
    expect((await send('DELETE', path)).status).toBe(204);
    expect(await rolesOf(other.userName)).toEqual(['rest-minimal']);
    expect((await send('GET', path)).status).toBe(404);
  });

  test('values are read as they were sent: the primary address, the formatted name, the name of a member', async () => {
    const emails = [{ value: 'ada@example.com', type: 'work', primary: false }];
    const { json: user } = await createUser({ emails, name: { formatted: 'Dr. Ada', givenName: 'Ada' } });
    expect([user.emails, user.name.formatted]).toEqual([emails, 'Dr. Ada']);
    const path = `/Users/${user.id}`;
    const isPrimary = encodeURIComponent(`userName eq "${user.userName}" and emails.primary eq true`);
    expect((await send('GET', `/Users?filter=${isPrimary}`)).json.totalResults).toBe(0);
    const changed = await patch(path, [
      replaceIn('emails[type eq "work"].primary', 'True'),
      replaceIn('name.familyName', 'L'),
    ]);
    expect([changed.json.emails[0].primary, changed.json.name.formatted]).toEqual([true, 'Ada L']);
    const { json: group } = await send('POST', '/Groups', {
      ...{ schemas: [GROUP], displayName: randomUUID() },
      members: [{ value: user.id, display: 'Ada of Sales' }],
    });
    expect(group.members).toMatchObject([{ value: user.id, display: 'Ada of Sales' }]);
  });

  // Asserts contract/tokens.md#scim.
  test('a group is replaced with its members, and read without them', async () => {
    const { json: user } = await createUser();
    const { json: group } = await createGroup(randomUUID(), [user.id], { externalId: 'e' });
    expect(group).toMatchObject({
      externalId: 'e',
      members: [{ value: user.id, display: user.userName, type: 'User' }],
    });
    const path = `/Groups/${group.id}`;
    const body = { schemas: [GROUP], displayName: 'Other', members: [] };
    const replaced = await send('PUT', path, body);
    expect(replaced.json).toMatchObject({ displayName: 'Other', members: [] });
    expect((await send('PUT', path, body, { 'if-match': group.meta.version })).status).toBe(412);
    const without = await send('GET', `${path}?excludedAttributes=members`);
    expect(without.json).not.toHaveProperty('members');
    const filter = encodeURIComponent('displayName eq "other"');
    expect((await send('GET', `/Groups?filter=${filter}&excludedAttributes=members`)).json).toMatchObject({
      totalResults: 1,
      Resources: [{ id: group.id }],
    });
    expect((await createGroup('other')).json).toMatchObject({ status: '409', scimType: 'uniqueness' });
    const unknown = [{ op: 'add', path: 'members', value: [{ value: randomUUID() }] }];
    expect((await patch(path, unknown)).json).toMatchObject({ status: '400', scimType: 'invalidValue' });
  });

  // Asserts contract/tokens.md#scim.
  test('groups with too many members are listed without them only', async () => {
    const { json: group } = await createGroup('Large');
    await testDatabase.query(
      'INSERT INTO auth.scim_member (group_id, user_id) SELECT $1, gen_random_uuid() FROM generate_series(1, 20001)',
      [group.id],
    );
    expect((await send('GET', '/Groups')).json).toMatchObject({ status: '400', scimType: 'tooMany' });
    expect((await send('GET', '/Groups?excludedAttributes=members')).status).toBe(200);
    expect((await send('DELETE', `/Groups/${group.id}`)).status).toBe(204);
  });

  // Asserts contract/roles.md#definition, contract/tokens.md#scim.
  test('after a change of the configuration roles follow at the start', async () => {
    const { json: user } = await createUser();
    await createGroup('Finance', [user.id]);
    const changed = await startAuth(testDatabase, {
      properties: { ...PROPERTIES, 'svc.scim.resource-roles': 'finance=accountant' },
    });
    try {
      await eventually(async () => expect(await rolesOf(user.userName)).toEqual(['accountant']));
      const given = (await eventsOf(user.userName)).map(({ envelope }) => (envelope as { data: object }).data);
      expect(given).toContainEqual(
        expect.objectContaining({
          role: 'accountant',
          change: 'given',
          actor: expect.objectContaining({ by: 'scim' }),
        }),
      );
    } finally {
      await changed.close();
    }
    // Names of groups are compared without case, codes of roles exactly: in another case it is another role.
    const exact = await startAuth(testDatabase, {
      properties: { ...PROPERTIES, 'svc.scim.resource-roles': 'FINANCE=Accountant' },
    });
    try {
      await eventually(async () => expect(await rolesOf(user.userName)).toEqual(['Accountant']));
    } finally {
      await exact.close();
    }
  });
});

describe('the service', () => {
  // Asserts contract/tokens.md#scim.
  test('describes itself', async () => {
    expect((await send('GET', '/ServiceProviderConfig')).json).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      etag: { supported: true },
    });
    expect((await send('GET', '/ResourceTypes')).json).toMatchObject({ totalResults: 2 });
    expect((await send('GET', '/ResourceTypes/User')).json).toMatchObject({ endpoint: '/Users', schema: USER });
    const names = (await send('GET', '/Schemas')).json.Resources.map(({ id }: { id: string }) => id);
    expect(names).toEqual([USER, GROUP]);
    expect((await send('GET', `/Schemas/${USER}`)).json.attributes).toContainEqual(
      expect.objectContaining({ name: 'userName', required: true, uniqueness: 'server' }),
    );
    expect((await send('GET', '/Schemas?filter=id%20pr')).status).toBe(403);
  });

  // Asserts contract/tokens.md#scim.
  test.each<[string, string, number]>([
    ['GET', '/Bulk', 501],
    ['GET', '/Users/x', 404],
    ['DELETE', '/Users', 405],
    ['POST', '/ServiceProviderConfig', 405],
    ['PUT', '/ResourceTypes', 405],
    ['PATCH', '/ResourceTypes/User', 405],
    ['DELETE', '/Schemas', 405],
    ['DELETE', `/Schemas/${USER}`, 405],
    ['POST', '/.search', 501],
    ['POST', '/Bulk', 501],
    ['GET', '/Me', 501],
    ['POST', `/Groups/${randomUUID()}`, 405],
    ['GET', '/Users?filter=password%20pr', 400],
    ['GET', '/Users?count=x', 400],
    ['GET', '/Users?sortBy=password', 400],
    ['GET', '/Groups?sortBy=members', 400],
    ['GET', '/Schemas/x', 404],
  ])('%s %s is an error in the form of SCIM: %d', async (method, path, status) => {
    const { json, headers, status: given } = await send(method, path);
    expect([given, json.status, headers.get('content-type')]).toEqual([
      status,
      String(status),
      'application/scim+json',
    ]);
    expect(json.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
  });
});

test('concurrent changes of a user and of groups in any order all succeed', async () => {
  const users = await Promise.all([1, 2, 3, 4].map(async () => (await createUser()).json.id as string));
  const [first, second] = await Promise.all([createGroup(randomUUID()), createGroup(randomUUID())]);
  const change = (id: string, op: string, members: readonly string[]) =>
    patch(`/Groups/${id}`, [{ op, path: 'members', value: members.map((value) => ({ value })) }]);
  for (const op of ['add', 'remove', 'add', 'remove']) {
    const all = await Promise.all([
      change(first.json.id, op, users),
      change(second.json.id, op, users.toReversed()),
      ...users.map((id) =>
        patch(`/Users/${id}`, [replaceIn('displayName', randomUUID()), replaceIn('name.givenName', randomUUID())]),
      ),
    ]);
    expect(all.map(({ status }) => status)).toEqual([204, 204, ...users.map(() => 200)]);
  }
});

// Asserts contract/tokens.md#scim.
test('of concurrent requests for names that differ in case, one gets the name', async () => {
  const { json: user } = await createUser();
  const name = randomUUID();
  const all = await Promise.all([
    patch(`/Users/${user.id}`, [replaceIn('userName', name)]),
    createUser({ userName: name.toUpperCase() }),
  ]);
  expect(all.map(({ status }) => status).toSorted()).toEqual([expect.any(Number), 409]);
});

// Asserts contract/tokens.md#scim.
test('a user who comes back logs in with a new subject of the provider', async () => {
  const { json: user } = await createUser();
  const link = (subject: string) =>
    testDatabase.query(
      `INSERT INTO auth.federated_user (issuer, subject, user_id, provider) VALUES ('https://sso.example', $1, $2, 'acme')`,
      [subject, user.id],
    );
  await link('before');
  await send('DELETE', `/Users/${user.id}`);
  expect((await createUser({ userName: user.userName })).json.id).toBe(user.id);
  await link('after');
});

describe('with users that exist', () => {
  // Asserts contract/tokens.md#scim.
  test('SCIM finds, changes and removes them', async () => {
    const linked = await startAuth(testDatabase, {
      properties: { ...PROPERTIES, 'svc.scim.link-existing-users': 'true', 'svc.scim.delete': 'remove' },
    });
    try {
      const at = createScimClient(() => linked.url, TOKEN);
      await auth.addUser('existing', { roles: ['sales-clerk'] });
      const found = await at.send('GET', `/Users?filter=${encodeURIComponent('userName eq "existing"')}`);
      const [user] = found.json.Resources;
      await at.patch(`/Users/${user.id}`, [replaceIn('externalId', 'linked')]);
      expect(await rolesOf('existing')).toEqual(['rest-minimal', 'sales-clerk']);
      expect(
        (await at.send('GET', `/Users?filter=${encodeURIComponent('userName eq "system"')}`)).json.totalResults,
      ).toBe(0);
      expect((await at.send('DELETE', `/Users/${user.id}`)).status).toBe(204);
      expect(await testDatabase.query(`SELECT 1 FROM sec."user" WHERE username = 'existing'`)).toEqual([]);
      expect(await rolesOf('existing')).toEqual([]);
    } finally {
      await linked.close();
    }
  });
});
