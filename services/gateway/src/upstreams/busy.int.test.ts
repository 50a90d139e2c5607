import { connect } from 'node:net';
import { type FakeUpstream, startGateway, startUpstream, until } from '../../test/gateway-fixture.ts';

const AUTHORIZATION = { authorization: 'Bearer opaque-clerk' };
/** Part of a body, long enough for its request to be forwarded. */
const HALF = 'x'.repeat(70_000);
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function gatewayOf(urls: readonly string[], queueTimeoutMs: number) {
  const gateway = await startGateway({
    'svc.gateway.data-url': urls.join(', '),
    'svc.gateway.max-connections': '1',
    queueTimeoutMs,
    healthIntervalMs: 50,
  });
  undo.push(() => gateway.close());
  const call = (init: RequestInit = {}) => fetch(`${gateway.url}/rest/userInfo`, { headers: AUTHORIZATION, ...init });
  return { ...gateway, call };
}

async function service(): Promise<FakeUpstream> {
  const upstream = await startUpstream('data');
  undo.push(() => upstream.close());
  return upstream;
}

/** Lets requests wait until they are released, one by one. */
function hold(upstream: FakeUpstream) {
  const { handle } = upstream;
  const held: (() => void)[] = [];
  upstream.handle = (request, response) => held.push(() => handle(request, response));
  return { held, release: () => held.shift()?.() };
}

test('a request that finds every connection in use waits for one, and returns 503 where none becomes free in time', async () => {
  const data = await service();
  const { held, release } = hold(data);
  const gateway = await gatewayOf([data.url], 300);
  const first = gateway.call();
  await until(() => held.length === 1);
  const refused = await gateway.call();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toEqual({
    error: 'Service unavailable',
    details: 'The service has too much to do; try again later',
  });
  expect(data.seen).toHaveLength(1);
  release();
  expect((await first).status).toBe(200);
  const later = gateway.call();
  await until(() => held.length === 1);
  release();
  expect((await later).status).toBe(200);
});

test('waiting requests are sent as soon as a connection to any replica is free', async () => {
  const [one, two] = [await service(), await service()];
  const [atOne, atTwo] = [hold(one), hold(two)];
  const gateway = await gatewayOf([one.url, two.url], 60_000);
  const calls = Array.from({ length: 6 }, async () => (await gateway.call()).status);
  await until(() => atOne.held.length + atTwo.held.length === 2);
  for (let served = 0; served < 5; served += 1) {
    await until(() => atTwo.held.length === 1);
    atTwo.release();
  }
  expect([one.seen.length, two.seen.length]).toEqual([1, 5]);
  atOne.release();
  expect(await Promise.all(calls)).toEqual([200, 200, 200, 200, 200, 200]);
});

test('a client that disconnects while it waits reaches no service and keeps no other request waiting', async () => {
  const data = await service();
  const { held, release } = hold(data);
  const gateway = await gatewayOf([data.url], 60_000);
  const first = gateway.call();
  await until(() => held.length === 1);
  const leaving = new AbortController();
  const left = gateway.call({ signal: leaving.signal });
  const next = gateway.call({ method: 'POST', body: '{}' });
  leaving.abort();
  await expect(left).rejects.toThrow();
  release();
  await until(() => held.length === 1);
  release();
  expect([(await first).status, (await next).status]).toEqual([200, 200]);
  expect(data.seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
});

test('after every kind of end of a request, its connection is free for the next one', async () => {
  const data = await service();
  const { handle } = data;
  const gateway = await gatewayOf([data.url], 10_000);
  const stillResponds = async () => {
    data.handle = handle;
    expect((await gateway.call()).status).toBe(200);
  };
  await stillResponds();

  data.handle = (request) => request.socket.destroy();
  expect((await gateway.call()).status).toBe(502);
  await stillResponds();

  data.handle = (_request, response) => {
    response.write('[');
    setTimeout(() => response.destroy(), 20);
  };
  await expect(gateway.call().then((response) => response.text())).rejects.toThrow();
  await stillResponds();

  // The client disconnects: before the response, during it, and during its own body.
  for (const [handleLeft, head] of [
    [() => undefined, 'GET /rest/userInfo HTTP/1.1\r\n'],
    [(_request, response) => void response.write('['), 'GET /rest/userInfo HTTP/1.1\r\n'],
    [(request) => void request.resume(), 'POST /rest/userInfo HTTP/1.1\r\nContent-Length: 99999\r\n'],
  ] satisfies [FakeUpstream['handle'], string][]) {
    data.handle = handleLeft;
    const before = data.seen.length;
    const client = connect(gateway.port, '127.0.0.1', () =>
      client.write(`${head}Host: x\r\nAuthorization: Bearer opaque-clerk\r\n\r\n${HALF}`),
    );
    client.on('error', () => undefined);
    await until(() => data.seen.length > before);
    client.destroy();
    await stillResponds();
  }

  // A response that arrives before the body is complete.
  data.handle = (_request, response) => response.writeHead(413).end();
  const client = connect(gateway.port, '127.0.0.1', () =>
    client.write(
      `POST /rest/userInfo HTTP/1.1\r\nContent-Length: 99999\r\nHost: x\r\nAuthorization: Bearer opaque-a\r\n\r\n${HALF}`,
    ),
  );
  client.on('error', () => undefined);
  await new Promise((resolve) => client.once('data', resolve));
  await stillResponds();
  client.destroy();
});
