import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestAuthority, eventually, replaceCertificate, type TestCertificate } from '@lintel/testkit';
import { ownPostgres } from '@lintel/testkit/backends';
import type { Database } from '../database.ts';
import { assertDatabase } from './assert-database.ts';
import { createDatabase } from './create-database.ts';
import type { DatabaseOptions } from './database-options.ts';

// Needs LINTEL_TEST_POSTGRES: a server of its own.
const authority = createTestAuthority();
const stranger = createTestAuthority('another authority');
const server = await ownPostgres();
const [{ folder = '' } = {}] = await server.query<{ folder: string }>(
  `SELECT setting AS folder FROM pg_settings WHERE name = 'data_directory'`,
);
const client = authority.issue({ name: 'app' });
const open: Database[] = [];

/** Files of the server belong to its user. */
function writeServerFile(name: string, content: string): void {
  const file = join(folder, name);
  writeFileSync(file, content);
  chmodSync(file, 0o600);
  const { uid, gid } = statSync(folder);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

const serverCertificate = (validDays: number): TestCertificate =>
  authority.issue({ name: 'server', hosts: ['IP:127.0.0.1'], validDays });

/** The server uses a certificate for 127.0.0.1, and expects one of the login `app`. */
async function encrypt({ certificate, key }: TestCertificate): Promise<void> {
  writeServerFile('server.crt', readFileSync(certificate, 'utf8'));
  writeServerFile('server.key', readFileSync(key, 'utf8'));
  writeServerFile('ca.crt', readFileSync(authority.certificate, 'utf8'));
  await server.query('SELECT pg_reload_conf()');
}

beforeAll(async () => {
  writeServerFile(
    'pg_hba.conf',
    ['host all postgres all scram-sha-256', 'hostssl all app all scram-sha-256 clientcert=verify-full', ''].join('\n'),
  );
  await server.query(`CREATE ROLE app LOGIN PASSWORD 'secret'`);
  await server.query(`ALTER SYSTEM SET ssl_ca_file = 'ca.crt'`);
  await server.query('ALTER SYSTEM SET ssl = on');
  await encrypt(serverCertificate(1));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((database) => database.close()));
});
afterAll(async () => {
  await server.dispose();
  authority.dispose();
  stranger.dispose();
});

interface Given {
  readonly host?: string;
  readonly password?: string;
  readonly authority?: string;
  readonly client?: Partial<TestCertificate>;
  readonly mode?: string;
}

function urlOf(given: Given = {}): string {
  const { certificate, key } = given.client ?? client;
  const url = new URL(
    `postgres://app:${given.password ?? 'secret'}@${given.host ?? '127.0.0.1'}:${server.port}/lintel_test`,
  );
  const parameters = {
    sslmode: given.mode ?? 'verify-full',
    sslrootcert: given.authority ?? authority.certificate,
    sslcert: certificate,
    sslkey: key,
  };
  for (const [name, value] of Object.entries(parameters)) if (value) url.searchParams.set(name, value);
  return url.href;
}

function connect(options: Partial<DatabaseOptions> = {}): Database {
  const database = createDatabase({
    url: urlOf(),
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'encrypted',
    ...options,
  });
  open.push(database);
  return database;
}

const OWN_CERTIFICATE = {
  text: 'SELECT client_dn AS name FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
  values: [],
};

test('connections are encrypted, and the server accepts the certificate', async () => {
  await eventually(() => assertDatabase({ url: urlOf(), applicationName: 'check' }));
  await expect(connect().query(OWN_CERTIFICATE)).resolves.toEqual([{ name: '/CN=app' }]);
});

test.each<[string, () => Given, RegExp]>([
  [
    'another authority',
    () => ({ authority: stranger.certificate }),
    /not signed by an authority of svc.datasource.ssl/,
  ],
  [
    'another host name',
    () => ({ host: 'localhost' }),
    /is not for localhost: .*Name the server as its certificate does/,
  ],
  ['no certificate', () => ({ client: {} }), /does not accept svc.datasource.ssl.certificate/],
  [
    'a certificate of another login',
    () => ({ client: authority.issue({ name: 'other' }) }),
    /and, if it requires certificates, the name in svc.datasource.ssl.certificate/,
  ],
  [
    'a certificate that has expired',
    () => ({ client: authority.issue({ name: 'app', validDays: -1 }) }),
    /does not acc/,
  ],
  ['a certificate that a stranger has signed', () => ({ client: stranger.issue({ name: 'app' }) }), /does not accept/],
  [
    'the key of another certificate',
    () => ({ client: { ...client, key: authority.issue({ name: 'app' }).key } }),
    /does not accept svc.datasource.ssl.certificate with svc.datasource.ssl.key/,
  ],
  ['a file that is not there', () => ({ client: { ...client, key: '/missing/key' } }), /cannot be read: .*missing/],
  ['another password', () => ({ password: 'other' }), /refuses the login: check the password/],
  [
    'no encryption',
    () => ({ mode: 'disable', client: {}, authority: '' }),
    /requires TLS: set svc.datasource.ssl.mode/,
  ],
])('the start fails with the name of the property: %s', async (_, given, message) => {
  const start = assertDatabase({ url: urlOf(given()), applicationName: 'check' });
  await expect(start).rejects.toThrow(message);
});

test('a server whose certificate has expired is named, and requests get 503', async () => {
  await encrypt(serverCertificate(-1));
  const start = () => assertDatabase({ url: urlOf(), applicationName: 'check' });
  await eventually(() =>
    expect(start()).rejects.toThrow('The certificate of the server of svc.datasource.url has expired'),
  );
  await expect(connect().query(OWN_CERTIFICATE)).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
  await encrypt(serverCertificate(1));
  await eventually(start);
});

test('a certificate that is replaced is used by the next connection', async () => {
  const files = authority.issue({ name: 'app', validDays: -1 });
  const database = connect({ url: urlOf({ client: files }) });
  await expect(database.query(OWN_CERTIFICATE)).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
  replaceCertificate(files, authority.issue({ name: 'app' }));
  await expect(database.query(OWN_CERTIFICATE)).resolves.toEqual([{ name: '/CN=app' }]);
});

test('an aborted statement is cancelled over an encrypted connection', async () => {
  const database = connect({ pooler: 'transaction' });
  const text = 'SELECT pg_sleep(60) /* encrypted */';
  const abort = new AbortController();
  const running = database.query({ text, values: [] }, abort.signal);
  const count = async () =>
    (await server.query(`SELECT FROM pg_stat_activity WHERE query = $1 AND state = 'active'`, [text])).length;
  await eventually(async () => expect(await count()).toBe(1));
  abort.abort();
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  await eventually(async () => expect(await count()).toBe(0));
});
