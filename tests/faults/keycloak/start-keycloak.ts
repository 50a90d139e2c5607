import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@lintel/testkit';
import { REALM, type RealmAddresses, realmOf } from './realm.ts';

/** A Keycloak with the realm of the tests. */
export interface Keycloak {
  /** Issuer of OpenID, and entity id of SAML. */
  readonly issuer: string;
  /** The access token that an application gets for a user, without Lintel. */
  accessToken(username: string): Promise<string>;
  leaveGroup(username: string, group: string): Promise<void>;
  disable(username: string): Promise<void>;
  /** Ends all sessions of a user, as an administrator does. */
  logOut(username: string): Promise<void>;
  stop(): Promise<void>;
}

const ARTIFACT = 'org.keycloak:keycloak-quarkus-dist:26.0.7';
const START_DEADLINE_MS = 300_000;
const ADMIN = { username: 'admin', password: 'password of the administrator' };

const run = promisify(execFile);

/** Starts a Keycloak, which Maven fetches. Needs Java 17 or newer with Maven, and Python 3. */
export async function startKeycloak(port: number, addresses: RealmAddresses): Promise<Keycloak> {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-keycloak-'));
  await run('mvn', ['-q', 'dependency:copy', `-Dartifact=${ARTIFACT}:zip`, `-DoutputDirectory=${folder}`], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const [, name, version] = ARTIFACT.split(':');
  await run('python3', ['-m', 'zipfile', '-e', `${name}-${version}.zip`, '.'], { cwd: folder });
  const home = join(folder, `keycloak-${version}`);
  await mkdir(join(home, 'data', 'import'), { recursive: true });
  await writeFile(join(home, 'data', 'import', 'realm.json'), JSON.stringify(realmOf(addresses)));
  const parameters = ['start-dev', '--import-realm', '--db=dev-mem', `--http-port=${port}`, '--http-host=127.0.0.1'];
  const child = spawn('bash', [join(home, 'bin', 'kc.sh'), ...parameters], {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      JAVA_OPTS_APPEND: '-Xmx600m',
      KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    },
    // A group of its own, since the script starts Java.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString();
    });
  const origin = `http://localhost:${port}`;
  const issuer = `${origin}/realms/${REALM}`;
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      const ended = once(child, 'exit');
      process.kill(-child.pid, 'SIGKILL');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await eventually(
      async () => {
        const isReady = await fetch(issuer).then(
          ({ ok }) => ok,
          () => false,
        );
        if (!isReady && child.exitCode === null) throw new Error(`Keycloak is not ready: ${output}`);
      },
      { timeoutMs: START_DEADLINE_MS, intervalMs: 500 },
    );
    if (child.exitCode !== null) throw new Error(`Keycloak has ended: ${output}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { issuer, ...administration(origin), stop };
}

function administration(origin: string): Omit<Keycloak, 'issuer' | 'stop'> {
  async function tokenOf(realm: string, form: Readonly<Record<string, string>>): Promise<string> {
    const response = await fetch(`${origin}/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', ...form }),
    });
    const { access_token: token } = (await response.json()) as { readonly access_token?: string };
    if (token === undefined) throw new Error(`no token of Keycloak, status ${response.status}`);
    return token;
  }

  async function send(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${origin}/admin/realms/${REALM}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await tokenOf('master', { client_id: 'admin-cli', ...ADMIN })}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} of Keycloak: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  async function idOf(path: string, isIt: (found: Readonly<Record<string, unknown>>) => boolean): Promise<string> {
    const all = (await send('GET', path)) as readonly Readonly<Record<string, unknown>>[];
    return String(all.find(isIt)?.['id']);
  }

  const userPath = async (username: string): Promise<string> =>
    `/users/${await idOf(`/users?exact=true&username=${username}`, (user) => user['username'] === username)}`;

  return {
    accessToken: (username) => tokenOf(REALM, { client_id: 'app', username, password: username }),
    async leaveGroup(username, group) {
      const id = await idOf('/groups', ({ name }) => name === group);
      await send('DELETE', `${await userPath(username)}/groups/${id}`);
    },
    async disable(username) {
      await send('PUT', await userPath(username), { enabled: false });
    },
    async logOut(username) {
      await send('POST', `${await userPath(username)}/logout`);
    },
  };
}
