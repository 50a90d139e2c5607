import { createServer as createTcpServer } from 'node:net';
import { type FakeUpstream, startGateway, startUpstream, until } from '../../test/gateway-fixture.ts';

const AUTHORIZATION = { authorization: 'Bearer opaque-clerk' };
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function replica(at?: Parameters<typeof startUpstream>[1]): Promise<FakeUpstream> {
  const upstream = await startUpstream('data', at);
  undo.push(() => upstream.close());
  return upstream;
}

/** A gateway in front of replicas of the data service. */
async function gatewayOf(
  urls: readonly string[],
  hosts: Record<string, readonly string[]> = {},
  fallbackHostSuffix?: string,
) {
  const gateway = await startGateway(
    {
      ...(fallbackHostSuffix !== undefined && { 'svc.gateway.fallback-host-suffix': fallbackHostSuffix }),
      'svc.gateway.data-url': urls.join(', '),
      healthIntervalMs: 50,
      lookupIntervalMs: 50,
    },
    undefined,
    hosts,
  );
  undo.push(() => gateway.close());
  const call = (method = 'GET', body?: string) =>
    fetch(`${gateway.url}/rest/userInfo`, { method, headers: AUTHORIZATION, ...(body === undefined ? {} : { body }) });
  /** Statuses of `count` requests, one after the other. */
  const statuses = async (count: number, method = 'GET', body?: string) => {
    const found: number[] = [];
    for (let each = 0; each < count; each += 1) {
      const response = await call(method, body);
      await response.text();
      found.push(response.status);
    }
    return [...new Set(found)];
  };
  /** Sends requests, all of which succeed, until the replica receives one: a check has to find it ready first. */
  const untilAsked = async (upstream: FakeUpstream, method?: string, body?: string) => {
    const endMs = Date.now() + 100_000;
    while (upstream.seen.length === 0 && Date.now() < endMs) expect(await statuses(2, method, body)).toEqual([200]);
    expect(upstream.seen.length).toBeGreaterThan(0);
  };
  return { ...gateway, call, statuses, untilAsked };
}

test('replicas take turns, and while one is busy others get the requests', async () => {
  const [one, two] = [await replica(), await replica()];
  const gateway = await gatewayOf([one.url, two.url]);
  expect(await gateway.statuses(10)).toEqual([200]);
  expect([one.seen.length, two.seen.length]).toEqual([5, 5]);
  const handle = one.handle;
  let release: (() => void) | undefined;
  one.handle = (request, response) => {
    release = () => handle(request, response);
  };
  const slow = [gateway.call(), gateway.call()];
  await until(() => release !== undefined);
  const before = one.seen.length;
  expect(await gateway.statuses(6)).toEqual([200]);
  expect(one.seen.length).toBe(before);
  release?.();
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200]);
});

test('a replica that says it is not ready gets nothing until it is', async () => {
  const [one, two] = [await replica(), await replica()];
  const gateway = await gatewayOf([one.url, two.url]);
  one.isReady = false;
  await until(() => gateway.lines.some((line) => line.includes('"health":"not ready"')));
  expect(await gateway.statuses(6)).toEqual([200]);
  expect([one.seen.length, two.seen.length]).toEqual([0, 6]);
  one.isReady = true;
  await gateway.untilAsked(one);
});

test('no request of any method fails because a replica stopped, and the replica is used again when it is back', async () => {
  const [one, two] = [await replica(), await replica()];
  const gateway = await gatewayOf([one.url, two.url]);
  expect(await gateway.statuses(4, 'POST', '{"a":1}')).toEqual([200]);
  await one.close();
  let bodies = '';
  two.handle = (request, response) => {
    request.on('data', (piece) => (bodies += String(piece)));
    request.on('end', () => response.end());
  };
  expect(await gateway.statuses(4, 'POST', '{"b":1}')).toEqual([200]);
  expect(bodies).toBe('{"b":1}'.repeat(4));
  const back = await replica({ port: Number(new URL(one.url).port) });
  await gateway.untilAsked(back, 'POST', '{"c":1}');
});

test('where every replica refuses connections the response has the status 503', async () => {
  const [one, two] = [await replica(), await replica()];
  const gateway = await gatewayOf([one.url, two.url]);
  await Promise.all([one.close(), two.close()]);
  const response = await gateway.call('POST', '{}');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.json()).toEqual({ error: 'Service unavailable', details: 'The service cannot be reached' });
});

test('a GET whose connection a replica closes is repeated at another one; a POST is not, which may have had its effect', async () => {
  const [one, two] = [await replica(), await replica()];
  const gateway = await gatewayOf([one.url, two.url]);
  one.handle = (request) => request.socket.destroy();
  expect(await gateway.statuses(6)).toEqual([200]);
  expect(one.seen.length).toBeGreaterThan(0);
  expect(two.seen.length).toBe(6);
  two.handle = one.handle;
  const seen = () => one.seen.length + two.seen.length;
  let before = seen();
  expect((await gateway.call()).status).toBe(502);
  expect(seen()).toBe(before + 2);
  before = seen();
  expect((await gateway.call('POST', '{}')).status).toBe(502);
  expect(seen()).toBe(before + 1);
});

test('a GET is not repeated after the first byte of its response', async () => {
  let connections = 0;
  const broken = createTcpServer((socket) => {
    socket.once('data', (head) => {
      if (head.toString().startsWith('GET /health')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      else {
        connections += 1;
        socket.end('HTTP/1.1 200 O');
      }
    });
  });
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  undo.push(() => new Promise((resolve) => broken.close(resolve)));
  const address = broken.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const gateway = await gatewayOf([url]);
  expect((await gateway.call()).status).toBe(502);
  expect(connections).toBe(1);
});

test('a replica that closes its connections gets no further requests at once', async () => {
  const [one, two] = [await replica(), await replica()];
  const gateway = await gatewayOf([one.url, two.url]);
  one.handle = (_request, response) => {
    one.isReady = false;
    response.setHeader('Connection', 'close');
    response.end('{}');
  };
  expect(await gateway.statuses(8)).toEqual([200]);
  expect([one.seen.length, two.seen.length]).toEqual([1, 7]);
});

test('a host name is all its addresses, and is looked up again', async () => {
  const one = await replica({ host: '127.0.0.1' });
  const port = Number(new URL(one.url).port);
  const two = await replica({ host: '127.0.0.2', port });
  const three = await replica({ host: '127.0.0.3', port });
  const hosts: Record<string, readonly string[]> = { 'data.test': ['127.0.0.1', '127.0.0.2'] };
  const gateway = await gatewayOf([`http://data.test:${port}`], hosts);
  expect(await gateway.statuses(4)).toEqual([200]);
  expect([one.seen.length, two.seen.length]).toEqual([2, 2]);
  hosts['data.test'] = ['127.0.0.2', '127.0.0.3'];
  while (three.seen.length === 0) await gateway.statuses(1);
  const before = one.seen.length;
  expect(await gateway.statuses(4)).toEqual([200]);
  expect(one.seen.length).toBe(before);
  delete hosts['data.test'];
  await until(() => gateway.lines.some((line) => line.includes('data.test is not known')));
  expect(await gateway.statuses(2)).toEqual([200]);
});

test('a service whose name is not resolved yet returns 503, and is found as soon as it is resolved', async () => {
  const one = await replica();
  const hosts: Record<string, readonly string[]> = {};
  const gateway = await gatewayOf([one.url.replace('127.0.0.1', 'data.test')], hosts);
  expect((await gateway.call()).status).toBe(503);
  hosts['data.test'] = ['127.0.0.1'];
  expect((await gateway.call()).status).toBe(200);
});

/** At another address, with the port of the replica. */
const balancerOf = ({ url }: FakeUpstream): Promise<FakeUpstream> =>
  replica({ host: '127.0.0.2', port: Number(new URL(url).port) });

test('a load balancer gets the requests while the name of the replicas is not resolved, and none afterwards', async () => {
  const one = await replica();
  const balancer = await balancerOf(one);
  const hosts: Record<string, readonly string[]> = { 'data.test-all': ['127.0.0.2'] };
  const gateway = await gatewayOf([one.url.replace('127.0.0.1', 'data.test')], hosts, '-all');
  expect(await gateway.statuses(3)).toEqual([200]);
  expect([one.seen.length, balancer.seen.length]).toEqual([0, 3]);
  expect((await gateway.askServices()).services['data']).toMatchObject({ status: 'ready', replicas: [{}] });
  hosts['data.test'] = ['127.0.0.1'];
  while (one.seen.length === 0) await gateway.statuses(1);
  const before = balancer.seen.length;
  expect(await gateway.statuses(4)).toEqual([200]);
  expect(balancer.seen.length).toBe(before);
  expect((await gateway.askServices()).services['data']?.replicas).toMatchObject([{ address: one.url }]);
});

test('a load balancer gets the requests while the known addresses of the replicas are outdated', async () => {
  const one = await replica();
  const balancer = await balancerOf(one);
  const hosts = { 'data.test': ['127.0.0.1'], 'data.test-all': ['127.0.0.2'] };
  const gateway = await gatewayOf([one.url.replace('127.0.0.1', 'data.test')], hosts, '-all');
  expect(await gateway.statuses(2, 'POST', '{}')).toEqual([200]);
  expect(balancer.seen).toEqual([]);
  await one.close();
  expect(await gateway.statuses(4, 'POST', '{}')).toEqual([200]);
  expect(balancer.seen).toHaveLength(4);
});

test('a name that cannot be resolved is logged once, and once more when it can be', async () => {
  const hosts: Record<string, readonly string[]> = {};
  const one = await replica();
  const gateway = await gatewayOf([one.url.replace('127.0.0.1', 'user:secret@data.test')], hosts);
  const logged = (text: string) => gateway.lines.filter((line) => line.includes(text));
  for (let each = 0; each < 3; each += 1) expect((await gateway.call()).status).toBe(503);
  // The data service is looked up twice: for requests and for streams.
  expect(logged('no addresses of the service')).toHaveLength(2);
  expect(logged('no addresses of the service').join()).toContain('http://data.test:');
  expect(logged('no addresses of the service').join()).not.toMatch(/stack|secret/);
  hosts['data.test'] = ['127.0.0.1'];
  await until(() => logged('addresses of the service are known').length === 2);
});

test('the handshake of a WebSocket is refused in the form of the API', async () => {
  const one = await replica();
  const gateway = await gatewayOf([one.url]);
  const failure = await new Promise<Event>((resolve) => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/rest/userInfo`);
    socket.onerror = resolve;
  });
  expect(failure.type).toBe('error');
  expect(one.seen).toEqual([]);
  expect(gateway.lines.join('')).toContain('"code":"REQ_INVALID_PARAMETER"');
});
