import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createTestAuthority, type TestAuthority } from '@lintel/testkit';
import { type Slapd, startSlapd } from '@lintel/testkit/backends';
import { Client } from 'ldapts';
import { createDirectory } from './directory.ts';
import { directorySchema } from './directory-settings.ts';
import { DirectoryUnavailable } from './directory-unavailable.ts';
import { testDirectory } from './test-directory.ts';

const SUFFIX = 'dc=acme,dc=example';
const ROOT = `cn=admin,${SUFFIX}`;
const ROOT_PASSWORD = 'password of the administrator';

let slapd: Slapd;
let authority: TestAuthority;
beforeAll(async () => {
  authority = createTestAuthority();
  const certificate = authority.issue({ name: 'directory', hosts: ['IP:127.0.0.1'] });
  slapd = await startSlapd({ suffix: SUFFIX, rootDn: ROOT, rootPassword: ROOT_PASSWORD, certificate });
  const client = new Client({ url: slapd.url });
  await client.bind(ROOT, ROOT_PASSWORD);
  await client.add(SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'acme', o: 'Acme' });
  await client.add(`ou=people,${SUFFIX}`, { objectClass: 'organizationalUnit', ou: 'people' });
  await client.add(`ou=groups,${SUFFIX}`, { objectClass: 'organizationalUnit', ou: 'groups' });
  await client.add(`uid=ada,ou=people,${SUFFIX}`, {
    objectClass: 'inetOrgPerson',
    cn: 'ada',
    sn: 'Lovelace',
    userPassword: 'password of ada',
  });
  await client.unbind();
});
afterAll(async () => {
  await slapd?.dispose();
  authority?.dispose();
});

/** Longer than a machine may stand still. */
const TIMEOUT_MS = 30_000;

const settingsOf = (urls: string, more: Record<string, string> = {}) =>
  directorySchema.parse({
    urls,
    'bind-dn': ROOT,
    'bind-password': ROOT_PASSWORD,
    'base-dn': `ou=people,${SUFFIX}`,
    'group-base-dn': `ou=groups,${SUFFIX}`,
    ...more,
  });

// Asserts contract/operations.md#identity-providers.
test('the test of a directory names the server, and what is wrong with it', async () => {
  const problems = (urls: string, more: Record<string, string> = {}) =>
    testDirectory(createDirectory('acme', settingsOf(urls, more), TIMEOUT_MS));
  const { host } = new URL(slapd.url);
  expect(await problems(slapd.url)).toEqual([]);
  expect(await problems(`ldap://127.0.0.1:1, ${slapd.url}`)).toEqual([
    { code: 'connection', message: 'There is no connection to 127.0.0.1:1: ECONNREFUSED' },
  ]);
  const wrong = await problems(slapd.url, { 'bind-password': 'wrong' });
  expect(wrong).toEqual([{ code: 'login', message: `${host} refuses bind-dn with bind-password` }]);
  expect(await problems(slapd.url, { 'base-dn': `ou=none,${SUFFIX}` })).toMatchObject([{ code: 'base' }]);
});

test('an unknown name costs the directory as much as a wrong password', async () => {
  await through(slapd.url, {}, async (url, count) => {
    const at = createDirectory('acme', settingsOf(url), TIMEOUT_MS);
    const connectionsFor = async (username: string) => {
      const before = count();
      expect(await at.authenticate(username, 'wrong')).toBeUndefined();
      return count() - before;
    };
    // The search, and the bind of the user.
    expect([await connectionsFor('ada'), await connectionsFor('unknown')]).toEqual([2, 2]);
  });
});

test.each([
  ['ldaps', () => slapd.tlsUrl, 'false'],
  ['StartTLS', () => slapd.url, 'true'],
])('%s is used with the certificate of the authority, and refused without', async (_case, url, startTls) => {
  const logIn = (more: Record<string, string> = {}) =>
    createDirectory('tls', settingsOf(url(), { 'start-tls': startTls, ...more }), TIMEOUT_MS).authenticate(
      'ada',
      'password of ada',
    );
  expect(await logIn({ 'ca-file': authority.certificate })).toMatchObject({ claims: { uid: 'ada' } });
  await expect(logIn()).rejects.toBeInstanceOf(DirectoryUnavailable);
});

test('bytes that a third party adds before the encryption of StartTLS do not answer the bind of a user', async () => {
  const settings = (url: string) => settingsOf(url, { 'start-tls': 'true', 'ca-file': authority.certificate });
  // The beginning of a successful response to the bind, whose message is the response that the server encrypts.
  const success = Buffer.from('301a02010361150a01000400040e', 'hex');
  const added = (connection: number) => (connection === 2 ? success : Buffer.alloc(0));
  await through(slapd.url, { added }, async (url) => {
    await expect(createDirectory('tls', settings(url), TIMEOUT_MS).authenticate('ada', 'wrong')).rejects.toThrow('tls');
  });
  await through(slapd.url, {}, async (url) => {
    const at = createDirectory('tls', settings(url), TIMEOUT_MS);
    expect(await at.authenticate('ada', 'wrong')).toBeUndefined();
    expect(await at.authenticate('ada', 'password of ada')).toMatchObject({ claims: { uid: 'ada' } });
  });
});

/** Runs work with the address of a relay in front of a server, which adds bytes to the first response of each connection. */
async function through(
  target: string,
  { added = () => Buffer.alloc(0) }: { readonly added?: (connection: number) => Buffer },
  work: (url: string, count: () => number) => Promise<void>,
): Promise<void> {
  const connections: Socket[] = [];
  const relay = createServer((socket) => {
    const more = added(connections.push(socket));
    const { hostname, port } = new URL(target);
    const server = connect(Number(port), hostname);
    server.on('error', () => socket.destroy());
    socket.on('error', () => server.destroy());
    socket.pipe(server);
    server.once('data', (first) => {
      socket.write(Buffer.concat([first, more]));
      server.pipe(socket);
    });
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  try {
    await work(`ldap://127.0.0.1:${(relay.address() as AddressInfo).port}`, () => connections.length);
  } finally {
    for (const socket of connections) socket.destroy();
    await new Promise((resolve) => relay.close(resolve));
  }
}
