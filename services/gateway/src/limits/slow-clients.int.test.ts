import { connect, type Socket } from 'node:net';
import { type RunningGateway, startGateway, until } from '../../test/gateway-fixture.ts';

const BODY_TIMEOUT_MS = 1_500;
const HEADER_TIMEOUT_MS = 2_000;
const CONNECTIONS = 4;
const HEAD = 'Host: x\r\nAuthorization: Bearer opaque-a\r\n';

let gateway: RunningGateway;
const clients: Socket[] = [];
const timers: NodeJS.Timeout[] = [];
beforeAll(async () => {
  gateway = await startGateway({
    headersTimeoutMs: HEADER_TIMEOUT_MS,
    bodyTimeoutMs: BODY_TIMEOUT_MS,
    'svc.gateway.max-connections': String(CONNECTIONS),
  });
});
afterEach(() => {
  for (const timer of timers.splice(0)) clearInterval(timer);
  for (const client of clients.splice(0)) client.destroy();
});
afterAll(() => gateway.close());

/** Sends a head at once and its body byte by byte; resolves to the complete response, or to all bytes until the end. */
function drip(head: string, piece = 'x', isWhole: (received: string) => boolean = () => false): Promise<string> {
  const client = connect(gateway.port, '127.0.0.1', () => {
    client.write(head);
    timers.push(setInterval(() => client.writable && client.write(piece), 50));
  });
  clients.push(client);
  let received = '';
  client.on('error', () => undefined);
  return new Promise((resolve) => {
    client.on('data', (data: Buffer) => {
      received += data.toString();
      if (isWhole(received)) resolve(received);
    });
    client.once('close', () => resolve(received));
  });
}
const call = (init: RequestInit = {}) =>
  fetch(`${gateway.url}/rest/userInfo`, { headers: { authorization: 'Bearer opaque-a' }, ...init });

test('heads that arrive byte by byte end with 408, without an effect on others', async () => {
  gateway.upstreams.data.handle = (_request, response) => response.end('served');
  const slow = Array.from({ length: 200 }, () => drip('GET /rest/x HTTP/1.1\r\nX-A: '));
  await until(() => clients.every((client) => !client.connecting));
  for (let each = 0; each < 20; each += 1) expect((await call()).status).toBe(200);
  for (const response of await Promise.all(slow)) expect(response).toMatch(/^HTTP\/1\.1 408 /);
});

test('bodies that arrive byte by byte end with 408, and do not use connections of the service', async () => {
  gateway.upstreams.data.handle = (request, response) => request.resume().once('end', () => response.end('served'));
  const slow = Array.from({ length: 10 * CONNECTIONS }, (_, each) =>
    drip(
      `POST /rest/x HTTP/1.1\r\n${HEAD}${each % 2 === 0 ? 'Content-Length: 9999' : 'Transfer-Encoding: chunked'}\r\n\r\n`,
      each % 2 === 0 ? 'x' : '1\r\nx\r\n',
    ),
  );
  await until(() => clients.every((client) => !client.connecting));
  for (let each = 0; each < 20; each += 1) {
    const response = await call(each % 2 === 0 ? {} : { method: 'POST', body: 'a body' });
    expect([response.status, await response.text()]).toEqual([200, 'served']);
  }
  for (const response of await Promise.all(slow)) {
    expect(response).toMatch(/^HTTP\/1\.1 408 /);
    expect(response).toContain(
      '{"error":"Request Timeout","details":"The body arrived too slowly; the limit is 1.5 seconds"}',
    );
  }
  expect(gateway.upstreams.data.seen.map(({ method }) => method).filter((method) => method === 'POST')).toHaveLength(
    10,
  );
});

test('a long body that becomes too slow ends with 408, and its service gets an incomplete body', async () => {
  let brokeOff = false;
  gateway.upstreams.files.handle = (request) => {
    request.resume().on('error', () => undefined);
    request.on('close', () => {
      brokeOff = !request.complete;
    });
  };
  const response = await drip(
    `POST /rest/files?name=x HTTP/1.1\r\n${HEAD}Content-Length: 999999\r\n\r\n${'x'.repeat(70_000)}`,
    'x',
    // The rest of the body is received for another 30 seconds, so that clients read the response.
    (received) => received.endsWith('}'),
  );
  expect(response).toMatch(/^HTTP\/1\.1 408 /);
  await until(() => brokeOff);
});

test('time in which the service does not take a body does not count', async () => {
  gateway.upstreams.files.handle = (request, response) => {
    setTimeout(() => request.resume(), 2 * BODY_TIMEOUT_MS);
    request.once('end', () => response.end('stored'));
  };
  const response = await fetch(`${gateway.url}/rest/files?name=x`, {
    method: 'POST',
    headers: { authorization: 'Bearer opaque-a' },
    body: Buffer.alloc(16 * 1024 * 1024),
  });
  expect([response.status, await response.text()]).toEqual([200, 'stored']);
});
