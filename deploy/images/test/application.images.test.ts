import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@lintel/testkit';
import {
  type LocalRegistry,
  type NewcomerShell,
  openShell,
  removeFolder,
  startLocalRegistry,
} from '@lintel/tests-newcomer';
import { composeOutput, ENGINES, engineOutput } from './container-engine.ts';
import { inspect, probe } from './probe-image.ts';

/*
 * An application as `npm create lintel` writes it, from a registry of this machine that has the packages: one image,
 * whose services run by the compose file of the application.
 */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const [engine] = ENGINES;
if (engine === undefined) throw new Error('There is no container engine');
const MINUTES = 60_000;
const SERVICES = 'gateway, auth, data, worker, files, reports';
const OPS = { id: 'ops', secret: randomBytes(32).toString('hex') };
/** The first administrator of docs/guide/deploy.md. */
const OVERRIDE = {
  services: {
    auth: {
      environment: {
        SVC_AUTHSERVER_CLIENT_OPS_CLIENT_ID: OPS.id,
        SVC_AUTHSERVER_CLIENT_OPS_CLIENT_SECRET: OPS.secret,
        SVC_AUTHSERVER_CLIENT_OPS_GRANT_TYPES: 'client_credentials',
        SVC_AUTHSERVER_CLIENT_OPS_RESOURCE_ROLES: 'system-full-access',
      },
    },
  },
};

let folder: string;
let application: string;
let registry: LocalRegistry;
let shell: NewcomerShell;
const compose = (...parameters: readonly string[]): Promise<string> =>
  composeOutput(engine, '--project-directory', application, '--profile', 'worker', ...parameters);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-application-'));
  // The builder of another user reads it.
  chmodSync(folder, 0o755);
  application = join(folder, 'shop');
  const upstream = await promisify(execFile)('npm', ['config', 'get', 'registry'], { cwd: ROOT });
  registry = await startLocalRegistry(join(folder, 'registry'), await freePort(), upstream.stdout.trim());
  const settings = `registry=${registry.url}\n`;
  // npm wants a login before it publishes; this registry checks none.
  writeFileSync(join(folder, 'npmrc'), `${settings}${registry.url.replace('http:', '')}:_authToken=none\n`);
  shell = openShell(folder, {
    npm_config_userconfig: join(folder, 'npmrc'),
    npm_config_cache: join(folder, 'cache'),
  });
  await shell.run(`(cd ${ROOT} && npm run pack >/dev/null)`);
  await shell.run(`for file in ${ROOT}.lintel/packages/*.tgz; do npm publish --silent --ignore-scripts $file; done`);
  await shell.run('npm create --yes lintel@latest shop 2>&1');
  appendFileSync(join(application, '.npmrc'), settings);
  await shell.run('cd shop && npm install 2>&1');
}, 20 * MINUTES);
afterAll(async () => {
  try {
    await compose('down', '--volumes', '--timeout', '5');
  } finally {
    await shell.close();
    await registry.close();
    removeFolder(folder);
  }
}, 5 * MINUTES);

test.each(ENGINES.map((each) => [each.name, each] as const))(
  '%s builds one image of an application, for a user without rights, without a shell and settings of npm',
  async (_name, each) => {
    const bases = ['BUILD_IMAGE=lintel-base:build', 'RUNTIME_IMAGE=lintel-base:runtime'];
    // The registry is on this machine.
    const parameters = ['--network=host', ...each.build, ...bases.flatMap((base) => ['--build-arg', base])];
    await engineOutput(each, 'build', ...parameters, '--tag', 'shop:latest', application);
    const { Size, Config } = await inspect(each, 'shop:latest');
    process.stdout.write(`    ${each.name}: ${(Size / 1e6).toFixed(0)} MB\n`);
    expect(Config.User).toBe('65532:65532');
    const [{ files, writable, shells, uid }, base] = [
      await probe(each, 'shop:latest'),
      await probe(each, 'lintel-base:runtime'),
    ];
    expect([uid, shells]).toEqual([65532, []]);
    // The volume with the files of users.
    expect(writable.filter((path) => !base.writable.includes(path))).toEqual(['/files']);
    const paths = Object.keys(files);
    expect(paths.filter((path) => /^\/app\/(\.npmrc|.*\.env(\..*)?)$/.test(path))).toEqual([]);
    expect(paths).toContainEqual(expect.stringMatching(/^\/app\/compile-cache\/.*\/\w+$/));
  },
  30 * MINUTES,
);

test(
  'the compose file starts five services and a worker of that image, after deploy check has named all that is missing',
  async () => {
    const check = 'npx lintel deploy check || true';
    const example = readFileSync(join(application, '.env.example'), 'utf8');
    const secrets = [...example.matchAll(/^(\w+)=$/gm)].flatMap(([, name = '']) =>
      name === 'ALLOW_INSECURE' ? [] : [name],
    );
    const missing = secrets.map((name) => `✗ ${name}: has no value (compose.yaml)`);
    expect((await shell.run(check)).trim().split('\n').sort()).toEqual(missing.sort());
    const port = await freePort();
    const values = {
      ...Object.fromEntries(secrets.map((name) => [name, randomBytes(32).toString('hex')])),
      ...Object.fromEntries(['POSTGRES', 'REDIS', 'RABBITMQ'].map((name) => [`${name}_IMAGE`, 'lintel-base:backends'])),
      PUBLIC_URL: `http://localhost:${port}`,
      PORT: String(port),
      DATA_JOBS: 'false',
    };
    writeFileSync(
      join(application, '.env'),
      Object.entries(values)
        .map((pair) => `${pair.join('=')}\n`)
        .join(''),
    );
    writeFileSync(join(application, 'compose.override.yaml'), JSON.stringify(OVERRIDE));
    expect(await shell.run(check)).toBe(`Nothing is missing for ${SERVICES}.\n`);

    await compose('up', '--no-build', '--detach', '--wait');
    const login = await fetch(`http://localhost:${port}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${OPS.id}:${OPS.secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token: token } = (await login.json()) as { readonly access_token: string };
    const created = await fetch(`http://localhost:${port}/rest/entities/shop_Customer`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ name: 'Ada' }),
    });
    expect([created.status, await created.json()]).toEqual([201, expect.objectContaining({ _instanceName: 'Ada' })]);
  },
  15 * MINUTES,
);
