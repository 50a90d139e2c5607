import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportConfig } from '@lintel/cli/config';

const SCRIPT = fileURLToPath(new URL('./print-config.mjs', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const BACKENDS = {
  SVC_DATASOURCE_URL: 'postgres://lintel:topsecret@db.example/lintel',
  SVC_REDIS_URL: 'redis://:topsecret@cache.example',
  SVC_BROKER_URLS: 'amqp://lintel:topsecret@one.example,amqp://lintel:topsecret@two.example',
  SVC_INTERNAL_SECRET: 'topsecret of the services',
  SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET: 'topsecret of the keys',
};

const folder = mkdtempSync(join(tmpdir(), 'lintel-print-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** `npm run config:print -- …` */
function print(parameters: readonly string[], variables: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators', SCRIPT, ...parameters],
    { cwd: ROOT, encoding: 'utf8', env: { PATH: process.env['PATH'], ...variables } },
  );
  return { status, stdout, stderr };
}

test('without any configuration it shows what "npm start" works with', () => {
  const { status, stdout, stderr } = print([]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('# Settings of the services in one process, as "npm start" runs them.');
  expect(stdout).toMatch(/^svc\.gateway\.port=8080 +# default; gateway$/m);
  expect(stdout).toMatch(/^svc\.internal\.secret=\*\*\* +# start; all$/m);
  expect(stdout).toMatch(/^svc\.authserver\.client\.demo\.client-secret=\*\*\* +# application; auth$/m);
});

test('in one process no client of the explorer is configured, since the console gives it one', async () => {
  const clientIn = async (environment: Record<string, string>) => {
    // A module that does not exist: no application names a client.
    const { settings } = await reportConfig(
      { SVC_APPLICATION: './no-application.js', ...environment },
      { mode: 'standalone' },
    );
    return settings.find(({ name }) => name === 'svc.rest.explorer-client')?.value;
  };
  expect(await clientIn({})).toBeNull();
  expect(await clientIn({ SVC_SECURITY_PROFILE: 'hardened', SVC_REST_EXPLORER_CLIENT: 'docs' })).toBe('docs');
});

test('of the five processes it shows values, where they come from and who reads them, and no secret', async () => {
  const file = join(folder, 'shop.yml');
  writeFileSync(file, 'svc:\n  data:\n    port: 7002\n');
  const environment = { ...BACKENDS, SVC_CONFIG_FILE: file, SVC_GATEWAY_PORT: '7000' };
  const report = await reportConfig(environment);
  expect(report).toMatchObject({ mode: 'services', valid: true, problems: [] });
  const setting = (name: string) => report.settings.find((each) => each.name === name);
  expect(setting('svc.data.port')).toEqual({
    name: 'svc.data.port',
    value: '7002',
    secret: false,
    origin: `${file}:3`,
    services: ['data'],
  });
  expect(setting('svc.gateway.port')).toMatchObject({ value: '7000', origin: 'environment: SVC_GATEWAY_PORT' });
  expect(setting('svc.datasource.url')).toMatchObject({
    value: 'postgres://lintel:***@db.example/lintel',
    services: ['data', 'auth', 'files', 'reports'],
  });
  expect(setting('svc.broker.urls')?.value).toBe('amqp://lintel:***@one.example,amqp://lintel:***@two.example');
  expect(JSON.stringify(report)).not.toContain('topsecret');
  const data = await reportConfig(environment, { service: 'data' });
  expect(data.settings.every(({ services }) => services.join() === 'data')).toBe(true);
});

test('a configuration that is not valid is refused with all that is wrong, also what was missing', () => {
  const variables = { SVC_DATASOURCE_URL: 'postgres://u:topsecret@h/d', SVC_GATEWAY_PROT: '1', SVC_DATA_PORT: 'x' };
  const { status, stdout, stderr } = print(['--mode', 'services'], variables);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain('SVC_GATEWAY_PROT: no such property; did you mean svc.gateway.port? (environment)');
  expect(stderr).toContain('svc.data.port: expected a whole number from 0 to 65535, got "x"');
  expect(stderr).toContain('svc.redis.url (SVC_REDIS_URL): is required');
  const json = print(['gateway', '--json', '--mode', 'services'], variables);
  expect(json.status).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({ mode: 'services', valid: false });
  expect(stderr + json.stdout).not.toContain('topsecret');
});

test('an application that cannot be found is reported with the rest', async () => {
  const { problems } = await reportConfig({ SVC_APPLICATION: './nowhere', SVC_GATEWAY_PORT: 'x' });
  expect(problems).toEqual([
    expect.stringContaining('svc.application: ./nowhere cannot be found'),
    expect.stringContaining('svc.gateway.port: expected'),
  ]);
});

test('one process with a configured database needs no secrets and no other backends', async () => {
  const report = await reportConfig({ SVC_DATASOURCE_URL: 'postgres://lintel:topsecret@db.example/lintel' });
  expect(report).toMatchObject({ mode: 'standalone', valid: true, problems: [] });
  expect(report.settings).toContainEqual(
    expect.objectContaining({ name: 'svc.datasource.url', origin: 'environment: SVC_DATASOURCE_URL' }),
  );
});

test.each([[['mail']], [['--mode', 'two']]])('%j is exit code 2, with what there is', (parameters) => {
  const { status, stderr } = print(parameters);
  expect(status).toBe(2);
  expect(stderr).toContain('Allowed choices are');
});
