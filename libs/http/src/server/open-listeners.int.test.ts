import { type AddressInfo, createServer } from 'node:net';
import { isStartError } from '@lintel/errors';
import { type RunningMetrics, startMetrics } from '@lintel/telemetry';
import { type Listeners, type OpenListenersOptions, openListeners } from './open-listeners.ts';
import { createServiceApp } from './service-app.ts';

const ANYWHERE = { host: '127.0.0.1', port: 0 };
let lines: { readonly fields: object; readonly message: string }[];
const logger = {
  debug() {},
  info: (fields: object, message: string) => void lines.push({ fields, message }),
  warn() {},
  error() {},
  child: () => logger,
};

let running: RunningMetrics;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  lines = [];
  running = await startMetrics('lintel-probe');
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await running.close();
});

const appNamed = (name: string) =>
  createServiceApp({
    service: 'probe',
    internalSecret: undefined,
    logger,
    metrics: running.metrics,
    readiness: {},
    configure: (app) => app.get('/name', (_request, response) => void response.send(name)),
  });
async function open(more: Partial<OpenListenersOptions> = {}): Promise<Listeners> {
  const listeners = await openListeners({
    service: 'probe',
    public: { app: appNamed('public'), ...ANYWHERE },
    management: ANYWHERE,
    readiness: {},
    shutdown: { delayMs: 0, drainMs: 1_000 },
    running,
    logger,
    ...more,
  });
  closing.push(listeners.close, listeners.closeManagement);
  return listeners;
}
const ask = async (url = '') => (await fetch(url)).text();

test('each listener has its application, its name in the metrics and its address in the log', async () => {
  const { urls } = await open({ internal: { app: appNamed('internal'), ...ANYWHERE } });
  expect(await ask(`${urls.url}/name`)).toBe('public');
  expect(await ask(`${urls.internalUrl}/name`)).toBe('internal');
  const metrics = await ask(`${urls.managementUrl}/metrics`);
  for (const listener of ['probe', 'probe-internal'])
    expect(metrics).toContain(`lintel_http_connections{listener="${listener}"}`);
  expect(lines.filter(({ message }) => message === 'ready')).toEqual([{ fields: urls, message: 'ready' }]);
});

test.each<[string, (taken: { host: string; port: number }) => Partial<OpenListenersOptions>]>([
  ['svc.probe.port', (taken) => ({ public: { app: appNamed('public'), ...taken } })],
  ['svc.probe.internal-port', (taken) => ({ internal: { app: appNamed('internal'), ...taken } })],
  ['svc.probe.management-port', (taken) => ({ management: taken })],
])('a port that another program has is named by its property: %s', async (property, optionsAt) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => other.close(resolve)));
  const { port } = other.address() as AddressInfo;
  const error: unknown = await open(optionsAt({ host: '127.0.0.1', port })).catch((thrown: unknown) => thrown);
  expect(isStartError(error)).toBe(true);
  expect((error as Error).message).toBe(
    `Cannot listen at 127.0.0.1, port ${port}: another program has the port. End it, or set another ${property}.`,
  );
});

test('operators learn that those that serve are closed, before their own listener is', async () => {
  const listeners = await open({ askServices: async () => ({ status: 'ready' }) });
  const { url, managementUrl } = listeners.urls;
  expect(listeners.urls).not.toHaveProperty('internalUrl');
  expect((await fetch(`${managementUrl}/health/services`)).status).toBe(200);
  expect((await fetch(`${managementUrl}/health/ready`)).status).toBe(200);
  await listeners.close();
  await expect(fetch(url)).rejects.toThrow();
  expect((await fetch(`${managementUrl}/health/ready`)).status).toBe(503);
  await listeners.closeManagement();
  await expect(fetch(managementUrl)).rejects.toThrow();
});
