import { type IncomingMessage, request as send } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Settled } from '@lintel/testkit';
import { type RunningGateway, startGateway, until } from '../../test/gateway-fixture.ts';

const gateways: RunningGateway[] = [];
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  for (const gateway of gateways.splice(0)) await gateway.close();
});

async function start(settled: Settled = {}): Promise<RunningGateway> {
  const gateway = await startGateway(settled);
  gateways.push(gateway);
  return gateway;
}

const authorizationOf = (token: string): Record<string, string> =>
  token === '' ? {} : { authorization: `Bearer ${token}` };

/** Sends a request from an address of this machine. */
const call = (
  gateway: RunningGateway,
  path: string,
  { from = '127.0.0.1', user = '', token = '', method = 'GET', body = '' } = {},
) =>
  new Promise<{ status: number | undefined; retryAfter: string | undefined }>((resolve, reject) => {
    const sent = send(
      `${gateway.url}${path}`,
      {
        method,
        localAddress: from,
        agent: false,
        headers: authorizationOf(token === '' && user !== '' ? `opaque-${user}` : token),
      },
      (response: IncomingMessage) => {
        response.resume();
        resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'] });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

/** Connects, sends, and collects what is received. */
function open(port: number, bytes: string): { received: string } {
  const got = { received: '' };
  const client = connect({ port, host: '127.0.0.1' }, () => client.write(bytes));
  client.on('data', (data: Buffer) => {
    got.received += data.toString();
  });
  client.on('error', () => undefined);
  clients.push(client);
  return got;
}

/** Lets requests wait until they are released. */
function hold(upstream: RunningGateway['upstreams']['data']) {
  const held: (() => void)[] = [];
  upstream.handle = (_request, response) => void held.push(() => response.end('served'));
  return {
    held,
    release() {
      for (const each of held.splice(0)) each();
    },
  };
}

const TOO_MANY = { status: 429, retryAfter: '1' };

test('three hundred clients that send forms slowly prevent no login', async () => {
  // Longer than a test may take.
  const gateway = await start({ bodyTimeoutMs: 300_000 });
  const form = `POST /oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 50000\r\n\r\n${'x'.repeat(17_000)}`;
  const slow = Array.from({ length: 300 }, () => open(gateway.port, form));
  const logIn = (from: string) => call(gateway, '/oauth2/token', { method: 'POST', body: 'grant_type=x', from });
  await until(() => slow.filter(({ received }) => received !== '').length === 100);
  const refused = slow.filter(({ received }) => received.startsWith('HTTP/1.1 429 '));
  expect(refused).toHaveLength(100);
  expect(refused[0]?.received).toMatch(/\r\nRetry-After: 1\r\n/);
  // None of them uses a connection to auth.
  expect(gateway.upstreams.auth.seen).toEqual([]);
  for (const from of ['127.0.0.2', '127.0.0.1']) expect((await logIn(from)).status).toBe(200);
  // They have waited for none of the slow forms, which are still being received.
  expect(slow.filter(({ received }) => received === '')).toHaveLength(200);
});

test('a user has a limited number of requests at a time, and other users as many', async () => {
  const gateway = await start({ 'svc.gateway.max-concurrent.user': '2' });
  const { held, release } = hold(gateway.upstreams.data);
  const first = [call(gateway, '/rest/x', { user: 'ada' }), call(gateway, '/rest/x', { user: 'ada' })];
  await until(() => held.length === 2);
  expect(await call(gateway, '/rest/x', { user: 'ada' })).toEqual(TOO_MANY);
  const other = call(gateway, '/rest/x', { user: 'bob' });
  await until(() => held.length === 3);
  release();
  expect((await Promise.all([...first, other])).map(({ status }) => status)).toEqual([200, 200, 200]);
  const next = call(gateway, '/rest/x', { user: 'ada' });
  await until(() => held.length === 1);
  release();
  expect((await next).status).toBe(200);
  expect(await gateway.metrics()).toMatch(/^lintel_gateway_refusals_total\{reason="user"\} 1$/m);
});

test('so has an address without a token, and the users of a client together where that is configured', async () => {
  const gateway = await start({ 'concurrency.address': 1, 'svc.gateway.max-concurrent.client': '1' });
  const { held, release } = hold(gateway.upstreams.data);
  const sent = [call(gateway, '/rest/public/x'), call(gateway, '/rest/x', { user: 'ada' })];
  await until(() => held.length === 2);
  expect(await call(gateway, '/rest/public/x')).toEqual(TOO_MANY);
  expect(await call(gateway, '/rest/x', { user: 'bob' })).toEqual(TOO_MANY);
  sent.push(call(gateway, '/rest/public/x', { from: '127.0.0.2' }));
  await until(() => held.length === 3);
  release();
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('an address has a limited number of tokens that auth checks at a time; known ones do not count', async () => {
  const gateway = await start({ 'concurrency.address': 2 });
  expect((await call(gateway, '/rest/x', { user: 'ada' })).status).toBe(200);
  const send = (token: string, from = '127.0.0.1') => call(gateway, '/rest/x', { token, from });
  const { held, release } = hold(gateway.upstreams.data);
  const anonymous = [call(gateway, '/rest/public/x'), call(gateway, '/rest/public/x')];
  await until(() => held.length === 2);
  // Anonymous requests of the address do not block its users.
  const first = [send('slow-1'), send('slow-2')];
  await until(() => gateway.exchanged.filter((request) => 'token' in request).length === 3);
  expect(await send('slow-3')).toEqual(TOO_MANY);
  // One for a token that is being exchanged already, and one for a known token.
  first.push(send('slow-1'));
  const known = call(gateway, '/rest/x', { user: 'ada' });
  await until(() => held.length === 3);
  const other = send('slow-4', '127.0.0.2');
  await until(() => gateway.exchanged.filter((request) => 'token' in request).length === 4);
  release();
  gateway.releaseSlowTokens();
  expect((await Promise.all([...first, other])).map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  expect((await Promise.all([known, ...anonymous])).map(({ status }) => status)).toEqual([200, 200, 200]);
  const next = call(gateway, '/rest/x', { user: 'bob' });
  await until(() => held.length === 1);
  release();
  expect((await next).status).toBe(200);
});

test('a client that leaves gives its slot back', async () => {
  const gateway = await start({ 'svc.gateway.max-concurrent.user': '1' });
  const { held, release } = hold(gateway.upstreams.data);
  open(gateway.port, 'GET /rest/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer opaque-ada\r\n\r\n');
  await until(() => held.length === 1);
  clients[0]?.destroy();
  const next = async (): Promise<boolean> => {
    const response = call(gateway, '/rest/x', { user: 'ada' });
    const { status } = await Promise.race([response, until(() => held.length === 2).then(() => ({ status: 200 }))]);
    return status === 200;
  };
  while (!(await next())) await new Promise((resolve) => setTimeout(resolve, 10));
  release();
});

test('a full queue for a service returns 503 at once', async () => {
  const gateway = await start({ 'svc.gateway.max-connections': '1', maxWaiting: 1 });
  const { held, release } = hold(gateway.upstreams.data);
  const first = call(gateway, '/rest/x', { user: 'ada' });
  await until(() => held.length === 1);
  const others = [call(gateway, '/rest/x', { user: 'bob' }), call(gateway, '/rest/x', { user: 'eve' })];
  expect(await Promise.race(others)).toEqual({ status: 503, retryAfter: '1' });
  release();
  await until(() => held.length === 1);
  release();
  expect((await Promise.all([first, ...others])).map(({ status }) => status).sort()).toEqual([200, 200, 503]);
});

test('the connection of a client that reads too slowly is closed, and its service is free again; that of one that reads is not', async () => {
  const gateway = await start({ responseTimeoutMs: 1_000, minResponseRate: 102_400 });
  let broken = 0;
  gateway.upstreams.data.handle = (request, response) => {
    if (request.url === '/rest/small') return void response.end('small');
    response.on('close', () => {
      if (!response.writableFinished) broken += 1;
    });
    const piece = Buffer.alloc(65_536, 'x');
    const write = (): void => {
      while (!response.destroyed && response.write(piece));
      response.once('drain', write);
    };
    write();
  };
  const client = connect(gateway.port, '127.0.0.1', () =>
    client.write('GET /rest/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer opaque-ada\r\n\r\n'),
  );
  client.on('error', () => undefined);
  client.pause();
  clients.push(client);
  const reading = await fetch(`${gateway.url}/rest/x`, { headers: { authorization: 'Bearer opaque-bob' } });
  const reader = reading.body?.getReader();
  const keepReading = (async () => {
    while (broken === 0) await reader?.read();
  })();
  await until(() => broken === 1);
  await keepReading;
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
  expect(await gateway.metrics()).toMatch(/^lintel_gateway_refusals_total\{reason="slow-reader"\} 1$/m);
});

test('an address has a limited number of connections', async () => {
  const gateway = await start({ 'svc.gateway.max-connections-per-address': '3' });
  for (let each = 0; each < 3; each += 1) open(gateway.port, '');
  await until(() => clients.every(({ connecting }) => !connecting));
  await expect(call(gateway, '/health/live')).rejects.toThrow();
  expect((await call(gateway, '/health/live', { from: '127.0.0.2' })).status).toBe(200);
  expect(await gateway.metrics()).toMatch(/^lintel_gateway_connection_refusals_total 1$/m);
});
