import { EXTERNAL_AUDIENCE, type ExternalIssuer, startExternalIssuer } from '@lintel/federation/testing';
import { userNameKey, userNameProblem } from '@lintel/security';
import type { TestDatabase } from '@lintel/testkit';
import { createScimClient, USER } from '../../test/scim-client.ts';
import { addFormerUser, createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';

const TOKEN = 'a-token-of-the-identity-provider';

let issuer: ExternalIssuer;
let testDatabase: TestDatabase;
let auth: RunningAuth;
let properties: Record<string, string>;
beforeAll(async () => {
  [issuer, testDatabase] = await Promise.all([startExternalIssuer(), createAuthDatabase()]);
  properties = {
    'svc.scim.token': TOKEN,
    'svc.scim.link-existing-users': 'true',
    'svc.scim.resource-roles': '*=rest-minimal',
    'svc.resource-server.issuer': issuer.issuer,
    'svc.resource-server.audience': EXTERNAL_AUDIENCE,
    'svc.resource-server.first-login': 'link,create',
  };
  auth = await startAuth(testDatabase, { properties });
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
  await issuer?.close();
});

const { send, createUser, patch, replaceIn } = createScimClient(() => auth.url, TOKEN);
const addFormer = (username: string) => addFormerUser(testDatabase, username);
const put = (id: string, members: object) => send('PUT', `/Users/${id}`, { schemas: [USER], ...members });
const nameFor = async (claims: Record<string, unknown>): Promise<string | undefined> => {
  const { sessionId } = (await auth.internal('/exchange', { token: await issuer.token(claims) })).json;
  return sessionId && (await auth.sessions.load(sessionId))?.username;
};
const reasonOfLast = () => auth.log.join().match(/.*"reason":"([\w-]+)"/s)?.[1];

test('the database compares all names that are possible as the code does', async () => {
  const texts: string[] = ['J\u030cX', 'E\u0301', 'I\u0307', '\u03a3\u03a3', '\uff21b', '\u0130x'];
  for (let point = 0x21; point <= 0x1ffff; point += 1) {
    // Without surrogates, Hangul and the ideographs, which have no case.
    if (/[\p{Cs}\p{Script=Hangul}\p{Script=Han}\p{Script=Tangut}]/u.test(String.fromCodePoint(point))) continue;
    const character = String.fromCodePoint(point);
    for (const text of [`x${character}x`, `\u05d0${character}\u05d0`])
      if (userNameProblem(text) === undefined) texts.push(text);
  }
  const [row] = await testDatabase.query<{ readonly keys: string[] }>(
    'SELECT array_agg(sec.name_key(name) ORDER BY at) AS keys FROM unnest($1::text[]) WITH ORDINALITY AS n(name, at)',
    [texts],
  );
  const others = texts.filter((text, at) => row?.keys[at] !== userNameKey(text));
  expect([texts.length > 10_000, others]).toEqual([true, []]);
});

describe('SCIM', () => {
  test('names that differ by case only never prevent that a user is disabled, changed or deleted', async () => {
    const [one, other] = [await addFormer('ada'), await addFormer('ADA')];
    const disabled = await patch(`/Users/${one}`, [replaceIn('active', false)]);
    expect([disabled.status, disabled.json.active, disabled.json.userName]).toEqual([200, false, 'ada']);
    expect((await patch(`/Users/${other}`, [replaceIn('name.givenName', 'Ada')])).status).toBe(200);
    // A provider that sends the whole user, with its own form of the name.
    const replaced = await put(other, { userName: 'Ada', active: false });
    expect([replaced.status, replaced.json.active, replaced.json.userName]).toEqual([200, false, 'ADA']);
    expect((await put(other, { userName: 'Ada', active: true })).json).toMatchObject({ scimType: 'uniqueness' });
    for (const id of [one, other]) expect((await send('DELETE', `/Users/${id}`)).status).toBe(204);
  });

  test('a new name is not that of another user in another case, of a client, or of the platform', async () => {
    const { id } = (await createUser({ userName: 'grace' })).json;
    for (const userName of ['Grace', 'INTEGRATION', '\uff47race', 'provider:corp', 'System']) {
      const { status, json } = await createUser({ userName });
      expect([userName, status, json.scimType]).toEqual([userName, 409, 'uniqueness']);
      if (userName !== 'Grace' && userName !== '\uff47race')
        expect((await patch(`/Users/${id}`, [replaceIn('userName', userName)])).status).toBe(409);
    }
    for (const userName of ['gra\u200dce', ' grace', 'gra ce', '\u202egrace']) {
      expect((await createUser({ userName })).json.scimType).toBe('invalidValue');
      expect((await put(id, { userName })).json.scimType).toBe('invalidValue');
    }
    expect((await patch(`/Users/${id}`, [replaceIn('userName', 'GRACE')])).json.userName).toBe('GRACE');
  });

  test('a former name that is not possible any more goes on to work', async () => {
    const id = await addFormer('Mary Ann ');
    expect((await put(id, { userName: 'Mary Ann ', name: { givenName: 'Mary' } })).json.name.givenName).toBe('Mary');
    expect((await put(id, { userName: 'Mary Ann ', active: false })).json.active).toBe(false);
  });
});

describe('tokens of an issuer', () => {
  test('find a user without case, and never make a second one', async () => {
    await auth.addUser('Linus');
    expect(await nameFor({ sub: 's-1', preferred_username: 'LINUS' })).toBe('Linus');
    expect(await nameFor({ sub: 's-1', preferred_username: 'linus', iat: Math.floor(Date.now() / 1000) })).toBe(
      'Linus',
    );
    const rows = await testDatabase.query('SELECT FROM sec."user" WHERE lower(username) = $1', ['linus']);
    expect(rows).toHaveLength(1);
  });

  test.each([
    ['two users differ by case', 'Twin', 'ambiguous-name'],
    ['it is the name of a client', 'Integration', 'name-taken'],
    ['it has invisible characters', 'eve\u200b', 'invalid-name'],
    ['it is a name of the platform', 'scim', 'invalid-name'],
    ['it is the built-in user', 'SYSTEM', 'no-user-claim'],
  ])('are refused if %s', async (_why, name, reason) => {
    for (const each of ['twin', 'TWIN']) if (name === 'Twin') await addFormer(each);
    expect(await nameFor({ sub: `s-${name}`, preferred_username: name })).toBeUndefined();
    expect(reasonOfLast()).toBe(reason);
  });
});

describe('clients', () => {
  const caller = { username: 'root', isUnlimited: true, resourceRoles: [], rowLevelRoles: [], coversMaker: true };

  test('a new client of the database does not get the name of a user, in any case', async () => {
    await auth.addUser('Nightly');
    const client = { clientId: 'nightly', grantTypes: ['client_credentials'] };
    const { status, text } = await auth.internal('/clients/create', { caller, client });
    expect([status, text]).toEqual([400, expect.stringContaining('is the name of a user')]);
  });

  test('a client that is added to the configuration does not get the name of a user', async () => {
    await auth.addUser('Robot');
    const added = { 'svc.authserver.client.new.client-id': 'robot', 'svc.authserver.client.new.client-secret': 'x' };
    await expect(startAuth(testDatabase, { properties: added })).rejects.toThrow(
      'svc.authserver.client: robot: the name of a user',
    );
    const former = await createAuthDatabase();
    try {
      await former.query(
        `INSERT INTO sec."user" (id, version, username, active) VALUES (gen_random_uuid(), 1, 'Robot', true)`,
      );
      const first = await startAuth(former, { properties: added });
      expect(first.log.join()).toContain('clients have the names of users');
      await first.close();
    } finally {
      await former.drop();
    }
  });
});
