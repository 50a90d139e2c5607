import type { TestDatabase } from '@lintel/testkit';
import { type Slapd, startSlapd } from '@lintel/testkit/backends';
import { Attribute, Change, Client } from 'ldapts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';

// OpenLDAP with the attributes of Active Directory by which Lintel is configured in docs/guide/identity.md.

const SUFFIX = 'dc=acme,dc=example';
const ROOT = `cn=admin,${SUFFIX}`;
const ROOT_PASSWORD = 'password of the administrator';
const SALES = `cn=Sales,ou=Groups,${SUFFIX}`;
const ENABLED = '512';
const DISABLED = '514';
const USER_FILTER =
  '(&(|(sAMAccountName={0})(userPrincipalName={0}))(!(userAccountControl:1.2.840.113556.1.4.803:=2)))';

const attributeType = (oid: string, name: string, rest: string) =>
  `attributetype ( 1.2.840.113556.1.${oid} NAME '${name}' ${rest} )`;
const TEXT = 'EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE';
const SCHEMA = [
  attributeType('4.2', 'objectGUID', 'EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE'),
  attributeType('4.221', 'sAMAccountName', TEXT),
  attributeType('4.656', 'userPrincipalName', TEXT),
  attributeType('4.8', 'userAccountControl', 'EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE'),
  attributeType('2.102', 'memberOf', 'EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12'),
  `objectclass ( 1.2.840.113556.1.5.9 NAME 'user' SUP inetOrgPerson STRUCTURAL MUST ( objectGUID $ sAMAccountName ) MAY ( userPrincipalName $ userAccountControl $ memberOf ) )`,
];

let slapd: Slapd;
let testDatabase: TestDatabase;
let auth: RunningAuth;
let admin: Client;

const dnOf = (name: string) => `cn=${name} example,ou=people,${SUFFIX}`;
/** Bytes that no text has: NUL, high bits, and the special characters of filters. */
const guidOf = (last: number) =>
  Buffer.from([0, 0xff, 0x28, 0x29, 0x2a, 0x5c, 0xc3, 0x28, 0x80, 1, 2, 3, 4, 5, 6, last]);

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  slapd = await startSlapd({ suffix: SUFFIX, rootDn: ROOT, rootPassword: ROOT_PASSWORD, schema: SCHEMA });
  admin = new Client({ url: slapd.url });
  await admin.bind(ROOT, ROOT_PASSWORD);
  await admin.add(SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'acme', o: 'Acme' });
  await admin.add(`ou=people,${SUFFIX}`, { objectClass: 'organizationalUnit', ou: 'people' });
  for (const [index, name] of ['grace', 'joan', 'mary'].entries())
    await admin.add(dnOf(name), [
      ...Object.entries({
        objectClass: 'user',
        sn: 'Example',
        givenName: name,
        sAMAccountName: name,
        userPrincipalName: `${name}@acme.example`,
        mail: `${name}@acme.example`,
        userAccountControl: name === 'mary' ? DISABLED : ENABLED,
        memberOf: SALES,
        userPassword: `password of ${name}`,
      }).map(([type, value]) => new Attribute({ type, values: [value] })),
      new Attribute({ type: 'objectGUID', values: [guidOf(index)] }),
    ]);
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.auth.directory.ad.urls': slapd.url,
      'svc.auth.directory.ad.bind-dn': ROOT,
      'svc.auth.directory.ad.bind-password': ROOT_PASSWORD,
      'svc.auth.directory.ad.base-dn': `ou=people,${SUFFIX}`,
      'svc.auth.directory.ad.user-filter': USER_FILTER,
      'svc.auth.directory.ad.user-claim': 'sAMAccountName',
      'svc.auth.directory.ad.id-attribute': 'objectGUID',
      'svc.auth.directory.ad.groups-claim': 'memberOf',
      'svc.auth.directory.ad.resource-roles[0]': `${SALES}=sales-manager`,
      'svc.auth.directory.ad.resource-roles[1]': '*=rest-minimal',
      checkIntervalMs: 0,
    },
  });
});
afterAll(async () => {
  await auth.close();
  await admin.unbind();
  await slapd.dispose();
  await testDatabase.drop();
});

const logIn = (username: string, password: string) =>
  auth.post('/oauth/token', { grant_type: 'password', username, password });
const exchange = async (token: string) => (await auth.internal('/exchange', { token })).json;
const replace = (name: string, type: string, value: string | undefined) =>
  admin.modify(dnOf(name), [
    new Change({
      operation: 'replace',
      modification: new Attribute({ type, values: value === undefined ? [] : [value] }),
    }),
  ]);
const sessionOf = async (token: string) => auth.sessions.load((await exchange(token)).sessionId);

// Asserts contract/tokens.md#providers.
test('a user logs in with the name of the account or the principal, as the same user with the roles of memberOf', async () => {
  for (const name of ['grace', 'GRACE', 'grace@acme.example']) {
    const { status, json } = await logIn(name, 'password of grace');
    expect([name, status]).toEqual([name, 200]);
    const session = await sessionOf(json.access_token);
    expect(session).toMatchObject({ username: 'grace', resourceRoles: ['rest-minimal', 'sales-manager'] });
  }
  const linked = await testDatabase.query(`SELECT issuer, subject FROM auth.federated_user`);
  expect(linked).toEqual([{ issuer: 'ldap:ad', subject: guidOf(0).toString('hex') }]);
});

// Asserts contract/tokens.md#providers.
test('an account that is disabled cannot log in', async () => {
  expect((await logIn('mary', 'password of mary')).status).toBe(400);
});

// Asserts contract/tokens.md#providers.
test('a user who is renamed stays the same; a group that ends takes its role, and a disabled account its session', async () => {
  const { json } = await logIn('joan', 'password of joan');
  await replace('joan', 'sAMAccountName', 'joan.clarke');
  expect((await exchange(json.access_token)).jwt).toEqual(expect.any(String));
  const again = await logIn('joan.clarke', 'password of joan');
  expect((await sessionOf(again.json.access_token))?.username).toBe('joan');
  await replace('joan', 'memberOf', undefined);
  expect((await sessionOf(json.access_token))?.resourceRoles).toEqual(['rest-minimal']);
  await replace('joan', 'userAccountControl', DISABLED);
  expect(await exchange(json.access_token)).toEqual({ reason: 'invalid' });
});
