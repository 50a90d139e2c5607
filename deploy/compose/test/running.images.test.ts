import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually, freePort } from '@lintel/testkit';
import {
  buildImage,
  composeOutput,
  ENGINES,
  engineOutput,
  SERVICES,
  SOURCES,
} from '../../images/test/container-engine.ts';
import { startLoad } from './steady-load.ts';

/*
 * The compose file, as it is committed, with the images of the first engine and with backends of Debian packages. The
 * tests are one story: installed with the version before, upgraded, scaled, restarted under load, lost, and restored.
 */

const run = promisify(execFile);
const [engine] = ENGINES;
if (engine === undefined) throw new Error('There is no container engine');
const FOLDER = join(SOURCES, 'deploy', 'compose');
const PROJECT = `lintel-test-${randomUUID().slice(0, 8)}`;
const MINUTES = 60_000;
/** Services that are not built here. */
const BACKENDS = ['postgres', 'redis', 'rabbitmq', 's3'];
const REPLICAS = { auth: 2, data: 3, files: 2, reports: 2 };
const CONTAINERS = [...SERVICES, 'worker', ...BACKENDS];
/** The one gateway restarts: connections are refused. Everything else is refused in the form of the API. */
const REFUSAL = /^(gateway: \w+ no response|[\w ]+: \w+ (429|502|503|504) \w+)$/;
/** They share the data of the installation. */
const IN_ORDER = [
  '--runInBand',
  `--testSequencer=${fileURLToPath(new URL('../../../tools/test/by-path-sequencer.mjs', import.meta.url))}`,
];
/**
 * They compare whole PDF files, for which the plain image has no programs, or whole responses, which other tests change,
 * or wait for what is sent to this machine.
 */
const LEFT_OUT = ['contract/(events|jobs|mail|reports|webhooks)', 'e2e/(console|readme)'].flatMap((path) => [
  '--testPathIgnorePatterns',
  `tests/${path}`,
]);

let folder: string;
let url: string;
const variables: Record<string, string> = {};

/** Runs Docker Compose on the file; returns its output. */
const compose = async (...parameters: readonly string[]): Promise<string> => {
  const files = ['--project-name', PROJECT, '--project-directory', FOLDER, '--env-file', join(folder, 'env')];
  files.push('--profile', 'worker');
  writeFileSync(
    join(folder, 'env'),
    Object.entries(variables)
      .map((pair) => `${pair.join('=')}\n`)
      .join(''),
  );
  return composeOutput(engine, ...files, ...parameters);
};
const up = (...more: readonly string[]) => compose('up', '--no-build', '--detach', '--wait', ...more);
const inPostgres = (...command: readonly string[]) => compose('exec', '-T', 'postgres', ...command);

const logIn = (username: string): Promise<Response> =>
  fetch(`${url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('client:secret')}` },
    body: new URLSearchParams({ grant_type: 'password', username, password: username }),
    signal: AbortSignal.timeout(60_000),
  });
async function tokenOf(username: string): Promise<string> {
  const response = await logIn(username);
  const { access_token: token } = (await response.json()) as { readonly access_token: string };
  expect([response.status, token]).toEqual([200, expect.any(String)]);
  return token;
}
const send = (
  token: string,
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  type = 'application/json',
) =>
  fetch(`${url}/rest${path}`, {
    method,
    ...(body !== undefined && { body }),
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    signal: AbortSignal.timeout(60_000),
  });
const create = async (token: string, name: string): Promise<Response> =>
  send(token, 'POST', '/entities/sales_Customer', JSON.stringify({ name, email: `${randomUUID()}@example.com` }));
const idOf = async (response: Response): Promise<string> => ((await response.json()) as { readonly id: string }).id;

const content = new Uint8Array(randomBytes(2_000_000));
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const kept = { token: '', customer: '', fileRef: '' };

/** The record, the file, the session and the users of the version before are there. */
async function assertKept(): Promise<void> {
  expect((await send(kept.token, 'GET', `/entities/sales_Customer/${kept.customer}`)).status).toBe(200);
  const file = await send(kept.token, 'GET', `/files?fileRef=${encodeURIComponent(kept.fileRef)}`);
  expect([file.status, hashOf(new Uint8Array(await file.arrayBuffer()))]).toEqual([200, hashOf(content)]);
  await tokenOf('manager');
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-compose-'));
  for (const service of SERVICES) {
    await buildImage(engine, service, `lintel-${service}:before`, '--build-arg', 'VERSION=0.0.9');
    await buildImage(engine, service, `lintel-${service}:local`);
  }
  execFileSync('sh', [join(FOLDER, 'make-secrets.sh'), join(folder, 'secrets')]);
  const port = await freePort();
  url = `http://localhost:${port}`;
  Object.assign(variables, {
    LINTEL_PORT: `127.0.0.1:${port}`,
    LINTEL_PUBLIC_URL: url,
    LINTEL_SECRETS: join(folder, 'secrets'),
    LINTEL_SECURITY_PROFILE: 'compatible',
    LINTEL_ALLOW_INSECURE: 'compatible-profile,default-secrets,demo-data,http-issuer',
    LINTEL_DEMO: 'true',
    LINTEL_DATA_JOBS: 'false',
    ...Object.fromEntries(BACKENDS.map((name) => [`${name.toUpperCase()}_IMAGE`, 'lintel-base:backends'])),
  });
}, 60 * MINUTES);

afterAll(async () => {
  await compose('down', '--volumes', '--timeout', '5');
  rmSync(folder, { recursive: true });
}, 5 * MINUTES);

test(
  'the version before starts, with every container healthy',
  async () => {
    variables['LINTEL_VERSION'] = 'before';
    await up();
    const states = (await compose('ps', '--format', '{{.Service}} {{.Health}}')).trim().split('\n').sort();
    expect(states).toEqual(CONTAINERS.map((name) => `${name} healthy`).sort());
    kept.token = await tokenOf('admin');
    kept.customer = await idOf(await create(kept.token, 'Kept'));
    const upload = await send(kept.token, 'POST', '/files?name=kept.bin', content, 'application/octet-stream');
    kept.fileRef = ((await upload.json()) as { readonly fileRef: string }).fileRef;
    await assertKept();
  },
  10 * MINUTES,
);

test(
  'an upgrade keeps records, files, users and sessions',
  async () => {
    variables['LINTEL_VERSION'] = 'local';
    await up();
    const images = await compose('ps', '--format', '{{.Image}}');
    for (const service of SERVICES) expect(images).toContain(`lintel-${service}:local`);
    await assertKept();
  },
  10 * MINUTES,
);

test(
  'the worker runs a job, which data leaves to it',
  async () => {
    const get = async (path: string) => (await send(kept.token, 'GET', `/operations${path}`)).json();
    const jobs = (await get('/jobs')) as readonly { readonly name: string; readonly schedule: string | null }[];
    const name = jobs.find(({ schedule }) => schedule !== null)?.name;
    const queue = async () => idOf(await send(kept.token, 'POST', `/operations/jobs/${name}/run`));
    const state = async (id: string) => ((await get(`/job-runs/${id}`)) as { readonly state: string }).state;
    const first = await queue();
    await eventually(async () => expect(await state(first)).toBe('completed'));
    await compose('stop', 'worker');
    const second = await queue();
    await compose('restart', 'data');
    await up('data');
    expect(await state(second)).toBe('created');
    await up('worker');
    await eventually(async () => expect(await state(second)).toBe('completed'));
  },
  5 * MINUTES,
);

test(
  'the public API passes its tests, except tests of PDF files and of what it sends',
  async () => {
    const jest = join('node_modules', 'jest', 'bin', 'jest.js');
    const parameters = ['--selectProjects', 'contract', 'e2e', ...IN_ORDER, ...LEFT_OUT];
    const ended = await run(process.execPath, [jest, ...parameters], {
      env: { ...process.env, LINTEL_BASE_URL: url, NODE_OPTIONS: '--experimental-vm-modules --no-warnings' },
      maxBuffer: 64 * 1024 * 1024,
      timeout: 55 * MINUTES,
    }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      (error: { readonly code: number | null; readonly stderr: string }) => error,
    );
    const lines = ended.stderr.split('\n');
    process.stdout.write(`    ${lines.filter((line) => /^(Tests|Time):/.test(line)).join(' ')}\n`);
    const failed = lines.filter((line) => /^\s+● .* › /.test(line) || line.startsWith('FAIL'));
    expect([ended.code, [...new Set(failed)]]).toEqual([0, []]);
  },
  60 * MINUTES,
);

test(
  'with replicas, three of data, the gateway uses all of them',
  async () => {
    const scale = Object.entries(REPLICAS).flatMap(([service, count]) => ['--scale', `${service}=${count}`]);
    await compose('up', '--no-build', '--detach', '--no-recreate', '--no-deps', ...scale, ...Object.keys(REPLICAS));
    const ask = "fetch('http://127.0.0.1:9180/health/services').then((r) => r.text()).then(console.log)";
    await eventually(
      async () => {
        const { services } = JSON.parse(await compose('exec', '-T', 'gateway', 'node', '-e', ask)) as {
          readonly services: Readonly<Record<string, { readonly replicas: readonly { readonly status: string }[] }>>;
        };
        const ready = Object.entries(services).map(([service, { replicas }]) => [
          service,
          replicas.filter(({ status }) => status === 'ready').length,
        ]);
        expect(Object.fromEntries(ready)).toEqual(REPLICAS);
      },
      { timeoutMs: 5 * MINUTES, intervalMs: 1_000 },
    );
  },
  10 * MINUTES,
);

test(
  'each container is restarted under load: what was confirmed is kept, and requests are only refused',
  async () => {
    // The tests of the API end sessions.
    const token = await tokenOf('admin');
    kept.token = token;
    const confirmed: string[] = [];
    const parameters = Object.entries({ from: '2026-01-01', to: '2026-12-31' }).map(([name, value]) => ({
      name,
      value,
    }));
    const reportRun = JSON.stringify({ template: 'csv', parameters });
    const read = async (sent: Promise<Response>) => {
      const response = await sent;
      await response.arrayBuffer();
      return response;
    };
    const load = startLoad([...Array(8).fill(['write', 'read']).flat(), 'file', 'file', 'report', 'login'], {
      async write() {
        const response = await create(token, 'Load');
        if (response.status === 201) confirmed.push(await idOf(response));
        else await response.body?.cancel();
        return response;
      },
      read: () => read(send(token, 'GET', `/entities/sales_Customer/${confirmed.at(-1) ?? kept.customer}`)),
      file: () => read(send(token, 'GET', `/files?fileRef=${encodeURIComponent(kept.fileRef)}`)),
      report: () => read(send(token, 'POST', '/reports/run/code/sales-by-customer', reportRun)),
      login: () => read(logIn('manager')),
    });
    const seconds = new Map<string, string>();
    let sent = 0;
    try {
      for (const service of [...Object.keys(REPLICAS), 'worker', 'gateway', ...BACKENDS])
        for (const id of (await compose('ps', '--quiet', service)).trim().split('\n')) {
          load.during(service);
          const startMs = performance.now();
          await engineOutput(engine, 'restart', '-t', '60', id);
          const health = () => engineOutput(engine, 'inspect', '--format', '{{.State.Health.Status}}', id);
          await eventually(async () => expect(await health()).toBe('healthy'), {
            timeoutMs: 5 * MINUTES,
            intervalMs: 500,
          });
          load.during(`after ${service}`);
          // Requests of all kinds succeed again.
          await eventually(() => expect(load.succeeded().size).toBe(5), { timeoutMs: MINUTES });
          seconds.set(service, ((performance.now() - startMs) / 1000).toFixed(0));
        }
    } finally {
      sent = await load.stop();
    }
    const failures = [...load.failures];
    process.stdout.write(
      `    ${sent} requests, ${confirmed.length} confirmed writes; failed: ${failures.map((pair) => pair.join(' × ')).join(', ')}\n` +
        `    seconds of a restart: ${[...seconds].map((pair) => pair.join(' ')).join(', ')}\n`,
    );
    for (const id of confirmed)
      await eventually(async () =>
        expect([id, (await send(token, 'GET', `/entities/sales_Customer/${id}`)).status]).toEqual([id, 200]),
      );
    expect(failures.map(([failure]) => failure).filter((failure) => !REFUSAL.test(failure))).toEqual([]);
    await assertKept();
  },
  30 * MINUTES,
);

test(
  'a backup is restored into an empty installation as the guide says, files included',
  async () => {
    const backup = join(folder, 'backup');
    mkdirSync(backup);
    const roles = await inPostgres('pg_dumpall', '--username=postgres', '--roles-only');
    writeFileSync(join(backup, 'roles.sql'), roles);
    await inPostgres('pg_dump', '--username=postgres', '--format=custom', '--file=/tmp/lintel.dump', 'lintel');
    const idIn = async (service: string) => (await compose('ps', '--quiet', service)).trim();
    await engineOutput(engine, 'cp', `${await idIn('postgres')}:/tmp/lintel.dump`, join(backup, 'lintel.dump'));
    await engineOutput(engine, 'cp', `${await idIn('s3')}:/data/.`, join(backup, 'files'));
    const later = await idOf(await create(kept.token, 'After the backup'));

    await compose('down', '--volumes');
    await compose('up', '--no-build', '--detach', '--wait', 'postgres', 's3');
    const restore = async (file: string, ...command: readonly string[]) => {
      const [program = '', ...before] = engine.command;
      const child = run(program, [...before, 'exec', '--interactive', await idIn('postgres'), ...command], {
        env: { ...process.env, ...engine.env },
      });
      createReadStream(join(backup, file)).pipe(child.child.stdin as NodeJS.WritableStream);
      return child;
    };
    await restore('roles.sql', 'psql', '--username=postgres', '--dbname=postgres');
    await inPostgres('dropdb', '--username=postgres', 'lintel');
    await inPostgres(
      'psql',
      '--username=postgres',
      '--dbname=postgres',
      '--command=CREATE DATABASE lintel OWNER lintel_owner',
    );
    await restore('lintel.dump', 'pg_restore', '--username=postgres', '--dbname=lintel', '--exit-on-error');
    await engineOutput(engine, 'cp', `${join(backup, 'files')}/.`, `${await idIn('s3')}:/data`);
    await compose('restart', 's3');
    await up();
    // Redis is empty: sessions are gone, users are not.
    expect((await send(kept.token, 'GET', '/userInfo')).status).toBe(401);
    kept.token = await tokenOf('admin');
    await assertKept();
    expect((await send(kept.token, 'GET', `/entities/sales_Customer/${later}`)).status).toBe(404);
  },
  20 * MINUTES,
);
