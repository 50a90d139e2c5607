import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { freePort } from '@lintel/testkit';
import { type RunningGateway, startGateway, startUpstream, until } from '../../test/gateway-fixture.ts';
import { talk } from '../../test/talk.ts';

const MAX_BODY_BYTES = 10_000;
const AUTHORIZATION = { authorization: 'Bearer opaque-clerk', 'accept-encoding': 'identity' };

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ 'svc.gateway.max-body-size': `${MAX_BODY_BYTES}B` });
});
afterAll(() => gateway.close());
beforeEach(() => {
  gateway.upstreams.data.seen.length = 0;
});

/** Makes the data service respond with what it has received. */
function echo(): void {
  gateway.upstreams.data.handle = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    response.end(JSON.stringify({ method: request.method, length, coding, body: String(Buffer.concat(chunks)) }));
  };
}

const post = (head: string, body: string): Promise<string> =>
  talk(
    gateway.port,
    `${head} /rest/userInfo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer opaque-clerk\r\n${body}`,
  );

test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('a body of %s arrives with its length', async (method) => {
  echo();
  const response = await post(method, 'Content-Length: 7\r\n\r\n{"a":1}');
  expect(response).toContain(JSON.stringify({ method, length: '7', body: '{"a":1}' }));
});

test('a chunked body that has arrived is sent with its length', async () => {
  echo();
  const response = await post('POST', 'Transfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n');
  expect(response).toContain(JSON.stringify({ method: 'POST', length: '7', body: '{"a":1}' }));
});

test('a request without a body has none, with any method', async () => {
  echo();
  for (const method of ['GET', 'DELETE'])
    expect(await post(method, '\r\n')).toContain(JSON.stringify({ method, body: '' }));
  expect(await post('POST', '\r\n')).toContain(JSON.stringify({ method: 'POST', length: '0', body: '' }));
  expect(await post('OPTIONS', '\r\n')).toContain('"method":"OPTIONS"');
  expect(await post('HEAD', '\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('a chunked body that is too long returns 413, and reaches no service', async () => {
  echo();
  const chunk = `${(MAX_BODY_BYTES + 1).toString(16)}\r\n${'x'.repeat(MAX_BODY_BYTES + 1)}\r\n0\r\n\r\n`;
  expect(await post('POST', `Transfer-Encoding: chunked\r\n\r\n${chunk}`)).toMatch(/^HTTP\/1\.1 413 /);
  expect(gateway.upstreams.data.seen).toEqual([]);
  expect(await post('POST', 'Content-Length: 2\r\n\r\n{}')).toContain('"body":"{}"');
});

test('informational responses of the service are not forwarded', async () => {
  gateway.upstreams.data.handle = (_request, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.end('"late"');
  };
  expect(await post('GET', '\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"late"/);
});

test.each([204, 304])('a response with status %i has no body', async (status) => {
  gateway.upstreams.data.handle = (_request, response) => void response.writeHead(status).end();
  expect(await post('GET', '\r\n')).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\\r\\n\\r\\n$`, 's'));
});

test.each([1, 2_048, 2_049])('a body of %d bytes of any value arrives as the service sent it', async (length) => {
  const body = Buffer.from(Array.from({ length }, (_, at) => at * 7 + 200));
  gateway.upstreams.data.handle = (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': length, 'X-Name': 'Ä' });
    response.end(body);
  };
  const response = await fetch(`${gateway.url}/rest/userInfo`, { headers: AUTHORIZATION });
  expect([response.headers.get('content-length'), response.headers.get('x-name')]).toEqual([String(length), 'Ä']);
  expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
});

test('a client that reads slowly slows the service, and gets the whole response', async () => {
  const chunk = Buffer.alloc(256 * 1024, 97);
  const total = 64 * 1024 * 1024;
  let sent = 0;
  gateway.upstreams.data.handle = (_request, response) => {
    const send = (): void => {
      while (sent < total) {
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', send);
      }
      response.end();
    };
    send();
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(`${gateway.url}/rest/userInfo`, { headers: AUTHORIZATION }, resolve).on('error', reject).end();
  });
  let before = -1;
  // The service stops when all buffers on the way are full.
  while (before !== sent) {
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(sent).toBeLessThan(total / 2);
  let received = 0;
  for await (const piece of response) received += (piece as Buffer).length;
  expect(received).toBe(total);
});

test('a response that is not HTTP returns 502, and the next request uses another connection', async () => {
  let isBroken = true;
  let connections = 0;
  const service = createTcpServer((socket) => {
    connections += 1;
    socket.on('data', () => {
      socket.write(isBroken ? 'SSH-2.0-OpenSSH_9.9\r\n' : 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    socket.on('error', () => undefined);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => service.listen(port, '127.0.0.1', resolve));
  const other = await startGateway({ 'svc.gateway.data-url': `http://127.0.0.1:${port}` });
  const call = () => fetch(`${other.url}/rest/userInfo`, { headers: AUTHORIZATION });
  expect((await call()).status).toBe(502);
  expect(connections).toBe(1);
  isBroken = false;
  expect(await (await call()).text()).toBe('ok');
  expect(connections).toBe(2);
  await other.close();
  await new Promise((resolve) => service.close(resolve));
});

test('a request on a kept connection that the service has just closed is sent again', async () => {
  const service = await startUpstream('data');
  const other = await startGateway({ 'svc.gateway.data-url': service.url });
  const handle = service.handle;
  const call = () => fetch(`${other.url}/rest/userInfo`, { headers: AUTHORIZATION });
  expect((await call()).status).toBe(200);
  let isFirst = true;
  service.handle = (request, response) => {
    if (!isFirst) return handle(request, response);
    isFirst = false;
    request.socket.destroy();
  };
  expect((await call()).status).toBe(200);
  expect(service.seen).toHaveLength(3);
  await other.close();
  await service.close();
});

test('a request that fails on a kept connection is logged with its own trace', async () => {
  gateway.upstreams.data.handle = (request, response) => {
    if (request.method === 'POST') request.socket.destroy();
    else response.end('{}');
  };
  const send = async (method: string) => {
    const response = await fetch(`${gateway.url}/rest/userInfo`, { method, headers: AUTHORIZATION });
    await response.text();
    return response.headers.get('x-trace-id');
  };
  await send('GET');
  const traceId = await send('POST');
  const failed = gateway.lines.filter((line) => line.includes('upstream request failed'));
  expect(JSON.parse(failed.at(-1) ?? '{}')).toMatchObject({ code: 'GATEWAY_UPSTREAM_FAILED', traceId });
});

test('repeated headers of the service are joined, and a reason phrase that cannot be sent is not', async () => {
  const service = createTcpServer((socket) => {
    const head = 'HTTP/1.1 200 Schön 中\r\nETag: "1"\r\nETag: "2"\r\nConnection: keep-alive\r\nConnection: x-own\r\n';
    const rest = 'X-Own: 1\r\nVary: A\r\nVary: B\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\nok';
    socket.on('data', () => socket.write(head + rest)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const other = await startGateway({ 'svc.gateway.data-url': `http://127.0.0.1:${port}` });
  const { status, statusText, headers } = await fetch(`${other.url}/rest/userInfo`, { headers: AUTHORIZATION });
  expect([status, statusText, headers.get('etag'), headers.get('vary'), headers.get('x-own')]).toEqual([
    ...[200, 'OK', '"1"', 'A, B', null],
  ]);
  expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  await other.close();
  await new Promise((resolve) => service.close(resolve));
});

test('a token parameter that no header can have reaches no service, and harms no connection', async () => {
  gateway.upstreams.auth.seen.length = 0;
  for (const token of ['%0A', '%E2%82%AC', '%20'])
    expect((await fetch(`${gateway.url}/logout?access_token=${token}`)).status).toBe(200);
  expect(gateway.upstreams.auth.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual(
    Array(3).fill(['/logout', undefined]),
  );
});

test('a connection is kept after a body of DELETE', async () => {
  const sockets = new Set<unknown>();
  gateway.upstreams.data.handle = (request, response) => {
    sockets.add(request.socket);
    request.resume().on('end', () => response.end('{}'));
  };
  for (let call = 0; call < 3; call += 1)
    await (
      await fetch(`${gateway.url}/rest/userInfo`, { method: 'DELETE', headers: AUTHORIZATION, body: '{}' })
    ).text();
  expect(sockets.size).toBe(1);
});

test('the connections of clients that left are closed, and free for others', async () => {
  const other = await startGateway({ 'svc.gateway.max-connections': '2' });
  let arrived = 0;
  other.upstreams.data.handle = () => {
    arrived += 1;
  };
  const leave = new AbortController();
  const calls = [1, 2].map(() =>
    fetch(`${other.url}/rest/userInfo`, { headers: AUTHORIZATION, signal: leave.signal }).catch(() => 'left'),
  );
  await until(() => arrived === 2);
  other.upstreams.data.handle = (_request, response) => void response.end('{}');
  const waiting = fetch(`${other.url}/rest/userInfo`, { headers: AUTHORIZATION }).then((each) => each.text());
  leave.abort();
  expect([await Promise.all(calls), await waiting]).toEqual([['left', 'left'], '{}']);
  await other.close();
});
