import { type SamlIdentityProvider, startSamlIdentityProvider } from '@lintel/federation/testing';
import type { TestDatabase } from '@lintel/testkit';
import { type Slapd, startSlapd } from '@lintel/testkit/backends';
import { Client } from 'ldapts';
import { authorization, Browser, loginPages } from '../../../test/login-pages.ts';
import { clientOf, WEB } from '../../../test/provider-properties.ts';
import { type SecondProvider, startSecondProvider } from '../../../test/second-provider.ts';
import { addFormerUser, createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';

const SUFFIX = 'dc=acme,dc=example';
const ROOT = `cn=admin,${SUFFIX}`;
const ROOT_PASSWORD = 'password of the administrator';

let openid: SecondProvider;
let saml: SamlIdentityProvider;
let slapd: Slapd;
let admin: Client;
let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  [openid, saml, slapd, testDatabase] = await Promise.all([
    startSecondProvider('https://lintel.example/as-login/provider/acme/callback', () => auth.url),
    startSamlIdentityProvider('corp'),
    startSlapd({ suffix: SUFFIX, rootDn: ROOT, rootPassword: ROOT_PASSWORD }),
    createAuthDatabase(),
  ]);
  admin = new Client({ url: slapd.url });
  await admin.bind(ROOT, ROOT_PASSWORD);
  await admin.add(SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'acme', o: 'Acme' });
  auth = await startAuth(testDatabase, {
    properties: {
      ...WEB,
      ...clientOf('acme', openid.issuer),
      'svc.auth.provider.acme.first-login': 'link,create',
      'svc.auth.provider.corp.kind': 'saml',
      'svc.auth.provider.corp.issuer': saml.issuer,
      'svc.auth.provider.corp.metadata-url': saml.metadataUrl,
      'svc.auth.provider.corp.first-login': 'link,create',
      'svc.auth.directory.people.urls': slapd.url,
      'svc.auth.directory.people.bind-dn': ROOT,
      'svc.auth.directory.people.bind-password': ROOT_PASSWORD,
      'svc.auth.directory.people.base-dn': SUFFIX,
      directoryTimeoutMs: 30_000,
      'svc.auth.directory.people.first-login': 'link,create',
    },
  });
});
afterAll(async () => {
  await auth?.close();
  await admin?.unbind();
  await slapd?.dispose();
  await testDatabase?.drop();
  await Promise.all([openid?.close(), saml?.close()]);
});

const { redeem } = loginPages(() => auth);

/** The tokens after a login at a provider; undefined if the login was refused. */
async function throughProvider(provider: string, respond: (request: URL) => Promise<string>) {
  const browser = new Browser(auth);
  const { page = '' } = await browser.follow(await browser.ask(authorization({ scope: 'rest-api' })));
  const href = new RegExp(`href="([^"]*/provider/${provider}[^"]*)"`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const request = new URL((await browser.ask(href)).headers.get('location') ?? '');
  const { left } = await browser.follow(await browser.ask(await respond(request)));
  return left === undefined ? undefined : (await redeem(left.searchParams.get('code') ?? '')).json;
}

/** The ways to log in, each with the name that a provider has for a person. */
const LOGINS = {
  openid: (name: string) =>
    throughProvider('acme', async (request) => {
      openid.account = { sub: `sub-of-${name}`, claims: { preferred_username: name } };
      return (await openid.visit(request)).href;
    }),
  saml: (name: string) =>
    throughProvider('corp', async (request) => {
      const response = await fetch(`${auth.url}/as-login/provider/corp/acs`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams(saml.respond(request, { nameId: name })),
      });
      return response.headers.get('location') ?? '';
    }),
  async ldap(name: string) {
    const form = { grant_type: 'password', username: name, password: `password of ${name.toLowerCase()}` };
    const { status, json } = await auth.post('/oauth/token', form);
    return status === 200 ? json : undefined;
  },
} as const;
const addPerson = (uid: string) =>
  admin.add(`uid=${uid},${SUFFIX}`, {
    objectClass: ['inetOrgPerson'],
    ...{ cn: uid, sn: uid, userPassword: `password of ${uid.toLowerCase()}` },
  });

/** The user of a login; undefined if it was refused. */
async function userOf(way: keyof typeof LOGINS, name: string): Promise<string | undefined> {
  const tokens = await LOGINS[way](name);
  if (tokens === undefined) return undefined;
  const { sessionId } = (await auth.internal('/exchange', { token: tokens.access_token })).json;
  return (await auth.sessions.load(sessionId))?.username;
}
/** The active users of a name, in any case. */
async function usersNamed(name: string): Promise<readonly string[]> {
  const rows = await testDatabase.query<{ readonly username: string }>(
    'SELECT username FROM sec."user" WHERE active AND lower(username) = lower($1) ORDER BY username COLLATE "C"',
    [name],
  );
  return rows.map(({ username }) => username);
}

describe.each(['openid', 'saml', 'ldap'] as const)('names of logins by %s (contract/tokens.md#user-names)', (way) => {
  const nameOf = (text: string) => `${text}-${way}`;
  /** A directory finds its entry without case. Elsewhere another case is another subject, and the user has one. */
  const sameSubject = (name: string) => (way === 'ldap' ? name : undefined);

  // Asserts contract/tokens.md#user-names.
  test('a name in another case finds the user, at the first login and later, and makes no second one', async () => {
    const name = nameOf('Katherine');
    await auth.addUser(name);
    await addPerson(name.toUpperCase());
    expect(await userOf(way, name.toUpperCase())).toBe(name);
    expect(await userOf(way, name.toUpperCase())).toBe(name);
    expect(await userOf(way, name.toLowerCase())).toBe(sameSubject(name));
    expect(await usersNamed(name)).toEqual([name]);
  });

  // Asserts contract/tokens.md#user-names.
  test('a user that a first login has created is found in another case, too', async () => {
    const name = nameOf('grace');
    await addPerson(name);
    expect(await userOf(way, name)).toBe(name);
    expect(await userOf(way, name.toUpperCase())).toBe(sameSubject(name));
    expect(await usersNamed(name)).toEqual([name]);
  });

  // Asserts contract/tokens.md#user-names.
  test('where two users differ by case only, the login is refused in every case, and changes neither', async () => {
    const name = nameOf('twin');
    await addPerson(name);
    const twins = [name.toUpperCase(), name];
    for (const each of twins) await addFormerUser(testDatabase, each);
    for (const each of [...twins, nameOf('Twin')]) {
      const logged = auth.log.length;
      expect([each, await userOf(way, each)]).toEqual([each, undefined]);
      expect(auth.log.slice(logged).join()).toContain('"reason":"ambiguous-name"');
    }
    expect(await usersNamed(name)).toEqual(twins);
    const links = `SELECT FROM auth.federated_user AS f JOIN sec."user" AS u ON u.id = f.user_id WHERE lower(u.username) = $1`;
    expect(await testDatabase.query(links, [name])).toEqual([]);
  });
});
