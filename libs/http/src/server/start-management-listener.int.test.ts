import { NO_METRICS, type RunningMetrics, startMetrics } from '@lintel/telemetry';
import type { Readiness } from '../health/readiness.ts';
import { listen, type RunningServer } from './listen.ts';
import { createServiceApp } from './service-app.ts';
import { type ManagementOptions, startManagementListener } from './start-management-listener.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

let running: RunningMetrics;
const servers: RunningServer[] = [];
beforeEach(async () => {
  running = await startMetrics('lintel-probe');
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await running.close();
});

async function manage(readiness: Readiness, more: Partial<ManagementOptions> = {}): Promise<string> {
  const server = await startManagementListener({
    service: 'probe',
    at: { host: '127.0.0.1', port: 0 },
    readiness,
    apps: [],
    metrics: running,
    ...more,
  });
  servers.push(server);
  return server.url;
}

const ask = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as unknown };
};

test('operators learn why a process is not ready, in words that hold no address and no secret', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED postgres://u:secret@10.0.0.1'), {
    code: 'ECONNREFUSED',
  });
  const url = await manage({
    memory: () => true,
    start: () => false,
    database: () => Promise.reject(new Error('translated, with secret', { cause: refused })),
    store: () => Promise.reject(new Error('secret')),
    bucket: () => Promise.reject(Object.assign(new Error('secret'), { code: 'SomeOtherThing' })),
  });
  expect(await ask(`${url}/health/ready`)).toEqual({
    status: 503,
    body: {
      service: 'probe',
      status: 'not ready',
      checks: { memory: 'up', start: 'down', database: 'down', store: 'down', bucket: 'down' },
      reasons: {
        start: 'not yet',
        database: 'connection refused',
        store: 'failed',
        bucket: 'failed (SomeOtherThing)',
      },
    },
  });
  expect(await ask(`${url}/health/live`)).toEqual({ status: 200, body: { service: 'probe', status: 'live' } });
});

test('a process that can do without what is missing is ready, and operators learn what it is', async () => {
  const url = await manage({ database: () => true, replicas: () => ({ degraded: 'replica 2 is away' }) });
  expect(await ask(`${url}/health/ready`)).toEqual({
    status: 200,
    body: {
      service: 'probe',
      status: 'ready',
      checks: { database: 'up', replicas: 'degraded' },
      reasons: { replicas: 'replica 2 is away' },
    },
  });
});

test('a process that stops is not ready from then on, and says so until its end', async () => {
  const app = createServiceApp({
    service: 'probe',
    internalSecret: undefined,
    logger: silent,
    readiness: {},
    configure: () => undefined,
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  const url = await manage({}, { apps: [app] });
  expect(await ask(`${url}/health/ready`)).toMatchObject({ status: 200, body: { status: 'ready', reasons: {} } });
  await server.close();
  expect(await ask(`${url}/health/ready`)).toMatchObject({
    status: 503,
    body: { status: 'not ready', reasons: { service: 'it is stopping' } },
  });
});

test('the listener of the service says neither why, nor anything about metrics and other services', async () => {
  const readiness = { database: () => Promise.reject(new Error('secret')) };
  const app = createServiceApp({
    service: 'probe',
    internalSecret: undefined,
    logger: silent,
    readiness,
    configure: () => undefined,
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  servers.push(server);
  const body = { service: 'probe', status: 'not ready', checks: { database: 'down' } };
  expect(await ask(`${server.url}/health/ready`)).toEqual({ status: 503, body });
  for (const path of ['/metrics', '/health/services']) expect((await ask(server.url + path)).status).toBe(404);
});

test('requests are counted by listener, method, route template and status; connections as they are', async () => {
  const { metrics } = running;
  const app = createServiceApp({
    service: 'probe',
    internalSecret: undefined,
    logger: silent,
    metrics,
    readiness: {},
    configure(app) {
      app.get('/things/:id', (request, response) => void response.status(request.params.id === 'no' ? 404 : 200).end());
    },
  });
  const observed = { metrics, listener: 'probe' };
  const server = await listen(app, { host: '127.0.0.1', port: 0, observed });
  servers.push(server);
  for (const path of ['/things/1', '/things/2', '/things/no', '/elsewhere?name=value'])
    await (await fetch(server.url + path)).arrayBuffer();
  await (await fetch(`${server.url}/things/3`, { method: 'PROPFIND' })).arrayBuffer();
  const response = await fetch(`${await manage({})}/metrics`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await response.text();
  const count = (method: string, route: string, status: string) =>
    new RegExp(
      `^http_server_request_duration_seconds_count\\{listener="probe",http_request_method="${method}",${route}http_response_status_code="${status}",url_scheme="http",network_protocol_version="1.1"\\} (\\d+)$`,
      'm',
    ).exec(text)?.[1];
  expect(count('GET', 'http_route="/things/:id",', '200')).toBe('2');
  expect(count('GET', 'http_route="/things/:id",', '404')).toBe('1');
  expect(count('GET', '', '404')).toBe('1');
  expect(count('_OTHER', '', '40[45]')).toBe('1');
  expect(text).toMatch(/^http_server_active_requests\{listener="probe"\} 0$/m);
  expect(text).toMatch(/^lintel_http_connections\{listener="probe"\} [1-9]/m);
  expect(text).not.toMatch(/things\/[0-9]|value|elsewhere/);
});

test('a service without metrics measures nothing', () => {
  expect(() => NO_METRICS.counter('lintel.outbox.failures').add(1)).not.toThrow();
});
