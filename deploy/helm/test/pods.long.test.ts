import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, createTestVhost, eventually, freePort, testEnvironment } from '@lintel/testkit';
import { makeLogins } from '../../compose/test/make-logins.ts';
import { compileAhead } from '../../images/compile-ahead.mjs';
import { makeRuntime } from '../../images/make-runtime.mjs';
import { type KubernetesObject, objectsOf, renderChart } from './chart.ts';

/*
 * What the chart renders is run, without a cluster: each pod as a process, from what its image holds (the repository
 * must have been built), with the command, the configuration and the secrets of its Deployment, and with a login of
 * the database of its own. A process has no address of its own, so ports and addresses are given to it.
 */

const COMPONENTS = ['gateway', 'auth', 'data', 'files', 'reports', 'reports-workers'];
const IMAGES = ['gateway', 'auth', 'data', 'files', 'reports'];
const LISTENERS = ['', '-internal', '-management'];

let folder: string;
let objects: readonly KubernetesObject[];
let ports: Readonly<Record<string, number>>;
const running = new Map<string, ChildProcess>();
const closing: (() => Promise<unknown>)[] = [];

const portOf = (listener: string): number => ports[listener] ?? 0;
const at = (listener: string) => `http://127.0.0.1:${portOf(listener)}`;
const componentOf = ({ metadata }: KubernetesObject) => metadata.labels['app.kubernetes.io/component'] ?? '';
const dataOf = (kind: string, name: string): Readonly<Record<string, string>> =>
  objects.find((object) => object.kind === kind && object.metadata.name === name)?.data ?? {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-pods-'));
  const listeners = COMPONENTS.flatMap((name) => LISTENERS.map((listener) => `${name}${listener}`));
  ports = Object.fromEntries(await Promise.all(listeners.map(async (name) => [name, await freePort()])));
  const server = await createTestDatabase('pods');
  closing.push(() => server.drop());
  const logins = await makeLogins(server);
  closing.unshift(() => logins.drop());
  const vhost = await createTestVhost('pods');
  closing.push(() => vhost.drop());
  const values = {
    publicUrl: at('gateway'),
    migrations: { by: 'job' },
    reportsWorkers: { enabled: true },
    shutdown: { delaySeconds: 0 },
    storage: { endpointUrl: testEnvironment('LINTEL_TEST_S3_URL'), bucket: `pods-${randomUUID()}` },
    config: {
      'svc.redis.key-prefix': `pods-${randomUUID()}:`,
      'svc.authserver.jwks-url': `${at('auth')}/oauth2/jwks`,
      'svc.authserver.internal-url': at('auth-internal'),
    },
    gateway: {
      config: Object.fromEntries(
        ['auth', 'data', 'files', 'reports'].map((name) => [`svc.gateway.${name}-url`, at(name)]),
      ),
    },
    reports: {
      config: { 'svc.data.internal-url': at('data-internal'), 'svc.files.internal-url': at('files-internal') },
    },
    secrets: {
      databaseUrl: { value: logins.urlOf('owner') },
      authDatabaseUrl: { value: logins.urlOf('auth') },
      filesDatabaseUrl: { value: logins.urlOf('files') },
      reportsDatabaseUrl: { value: logins.urlOf('reports') },
      reportDatasourceUrl: { value: logins.urlOf('report_data') },
      redisUrl: { value: testEnvironment('LINTEL_TEST_REDIS_URL') },
      brokerUrls: { value: vhost.url },
      s3AccessKey: { value: testEnvironment('LINTEL_TEST_S3_ACCESS_KEY') },
      s3SecretKey: { value: testEnvironment('LINTEL_TEST_S3_SECRET_KEY') },
    },
  };
  const file = join(folder, 'values.json');
  writeFileSync(file, JSON.stringify(values));
  objects = objectsOf(await renderChart(testEnvironment('LINTEL_TEST_HELM_PROGRAM'), 'small', ['--values', file]));
  for (const image of IMAGES) {
    await makeRuntime(join(folder, image), image);
    compileAhead(image, join(folder, image, 'compile-cache'), join(folder, image));
  }
});

afterAll(async () => {
  for (const child of running.values()) child.kill('SIGKILL');
  for (const close of closing) await close();
  rmSync(folder, { recursive: true });
});

/** Starts the container of a Deployment or a Job, with the files of its volumes. */
function start(workload: KubernetesObject): ChildProcess {
  const component = componentOf(workload);
  const { volumes, containers } = workload.spec.template.spec;
  const [container] = containers;
  const own = join(folder, `${component}-files`);
  mkdirSync(own);
  for (const { configMap, projected } of volumes) {
    const config = configMap && dataOf('ConfigMap', configMap.name)['application.properties'];
    if (config) writeFileSync(join(own, 'application.properties'), config);
    for (const { secret } of projected?.sources ?? [])
      for (const { key, path } of secret.items)
        writeFileSync(join(own, path), Buffer.from(dataOf('Secret', secret.name)[key] ?? '', 'base64'));
  }
  const variables = container.env.map(({ name, value }: { name: string; value: string }) => [
    name,
    value.replace('/run/secrets/lintel/', `${own}/`).replace('/etc/lintel/', `${own}/`),
  ]);
  const service = component === 'migrations' ? 'data' : component.replace('-workers', '');
  const addresses = LISTENERS.filter((listener) => portOf(`${service}${listener}`) > 0)
    .filter((listener) => listener !== '-internal' || ['auth', 'data', 'files'].includes(service))
    .map((listener) => [
      `SVC_${service}${listener}_PORT`.replace('-', '_').toUpperCase(),
      String(portOf(`${component}${listener}`)),
    ]);
  const command = container.command ?? ['node', '--import', '@lintel/telemetry/register'];
  const log = openSync(join(folder, `${component}.log`), 'w');
  return spawn(process.execPath, [...command.slice(1), ...(container.args ?? ['service/dist/main.js'])], {
    cwd: join(folder, service),
    env: {
      ...Object.fromEntries([...variables, ...(component === 'migrations' ? [] : addresses)]),
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: join(folder, service, 'compile-cache'),
    },
    stdio: ['ignore', log, log],
  });
}

const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode === null ? new Promise((resolve) => child.once('exit', resolve)) : Promise.resolve(child.exitCode);
const logOf = (component: string) => readFileSync(join(folder, `${component}.log`), 'utf8');

test('the job migrates the database, then every pod becomes ready', async () => {
  const [job] = objects.filter(({ kind }) => kind === 'Job');
  if (job === undefined) throw new Error('there is no job');
  expect([await ended(start(job)), logOf('migrations')]).toEqual([0, expect.any(String)]);
  for (const deployment of objects.filter(({ kind }) => kind === 'Deployment'))
    running.set(componentOf(deployment), start(deployment));
  expect([...running.keys()].sort()).toEqual([...COMPONENTS].sort());
  for (const [component, child] of running)
    await eventually(
      async () => {
        if (child.exitCode !== null) throw new Error(logOf(component));
        expect((await fetch(`${at(component)}/health/ready`)).status).toBe(200);
      },
      { timeoutMs: 100_000 },
    );
  expect((await fetch(`${at('gateway-management')}/health/services`)).status).toBe(200);
}, 240_000);

test('a user logs in, writes, stores a file, and gets a report that a worker makes', async () => {
  const login = await fetch(`${at('gateway')}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('client:secret')}` },
    body: new URLSearchParams({ grant_type: 'password', username: 'admin', password: 'admin' }),
  });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const ask = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${at('gateway')}/rest${path}`, {
      method,
      ...(body !== undefined && { body }),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    });
    return { status: response.status, json: (await response.json()) as { id: string; status: string } };
  };
  const customer = JSON.stringify({ name: 'Pods', email: 'pods@example.com' });
  expect(await ask('POST', '/entities/sales_Customer', customer)).toMatchObject({ status: 201 });
  expect(await ask('POST', '/files?name=a.txt', 'text', { 'content-type': 'text/plain' })).toMatchObject({
    status: 201,
  });
  const parameters = [
    { name: 'from', value: '2026-01-01' },
    { name: 'to', value: '2026-12-31' },
  ];
  const run = await ask('POST', '/reports/run/code/sales-by-customer', JSON.stringify({ parameters }), {
    prefer: 'respond-async',
  });
  expect(run.status).toBe(202);
  await eventually(
    async () => expect((await ask('GET', `/reports/runs/${run.json.id}`)).json).toMatchObject({ status: 'SUCCEEDED' }),
    { timeoutMs: 50_000, intervalMs: 200 },
  );
});

test('every pod ends by itself after SIGTERM', async () => {
  for (const child of running.values()) child.kill('SIGTERM');
  const codes = await Promise.all([...running].map(async ([component, child]) => [component, await ended(child)]));
  expect(codes).toEqual([...running.keys()].map((component) => [component, 0]));
});
