import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type RunningGateway, startGateway, until } from '../../test/gateway-fixture.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ 'svc.gateway.trusted-proxies': '10.0.0.0/8' });
});
afterAll(() => gateway.close());
beforeEach(() => {
  for (const upstream of Object.values(gateway.upstreams)) upstream.seen.length = 0;
});

const AUTHORIZATION = { authorization: 'Bearer opaque-clerk', 'accept-encoding': 'identity' };
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(gateway.url + path, { headers: { ...AUTHORIZATION, ...headers } });

test.each([
  ['/oauth/token', 'auth'],
  ['/oauth2/jwks', 'auth'],
  ['/.well-known/openid-configuration', 'auth'],
  ['/as-login', 'auth'],
  ['/scim/v2/Users', 'auth'],
  ['/logout', 'auth'],
  ['/rest/files?fileRef=x', 'files'],
  ['/rest/reports/run/1', 'reports'],
  ['/rest/reports', 'reports'],
  ['/rest/reportsX', 'data'],
  ['/rest/entities/sales_Order', 'data'],
  ['/rest/docs/openapi.json', 'data'],
])('%s goes to %s', async (path, service) => {
  expect(await (await get(path)).json()).toEqual({ service });
});

test('a path outside the table returns 404 in the form of the API, internal paths included', async () => {
  for (const path of ['/', '/internal/exchange', '/restful', '/metrics']) {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: 'Not found' });
  }
});

test('client authentication reaches the token endpoint as it was sent', async () => {
  await fetch(`${gateway.url}/oauth/token`, { method: 'POST', headers: { authorization: 'Basic abc' }, body: 'x=1' });
  expect(gateway.upstreams.auth.seen[0]?.headers.authorization).toBe('Basic abc');
});

test('hop-by-hop headers are not forwarded, and X-Forwarded headers of untrusted clients are replaced', async () => {
  await get('/rest/userInfo', {
    'x-forwarded-for': '1.2.3.4',
    'x-forwarded-host': 'evil.test',
    te: 'trailers',
    'proxy-authorization': 'Basic abc',
    'x-custom': 'kept',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  });
  const headers = gateway.upstreams.data.seen[0]?.headers ?? {};
  expect(headers).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': `127.0.0.1:${gateway.port}`,
    'x-custom': 'kept',
    connection: 'keep-alive',
  });
  expect(headers['traceparent']).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-/);
  expect(headers['te']).toBeUndefined();
  expect(headers['proxy-authorization']).toBeUndefined();
});

test('a request with an idempotency key is sent to the service once, also if it fails, and Idempotency-Replayed is returned', async () => {
  const { data } = gateway.upstreams;
  const handle = data.handle;
  const post = () =>
    fetch(`${gateway.url}/rest/entities/sales_Order`, {
      method: 'POST',
      headers: { ...AUTHORIZATION, 'idempotency-key': '"k-1"' },
      body: '{}',
    });
  data.handle = (_request, response) => {
    response.setHeader('Idempotency-Replayed', 'true');
    response.end('{}');
  };
  expect((await post()).headers.get('idempotency-replayed')).toBe('true');
  data.handle = (request) => request.socket.destroy();
  expect((await post()).status).toBe(502);
  data.handle = handle;
  expect(data.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['"k-1"', '"k-1"']);
});

test('headers that Connection names are not forwarded, but it cannot remove the token', async () => {
  await new Promise<void>((resolve, reject) => {
    httpRequest(
      {
        host: '127.0.0.1',
        port: gateway.port,
        path: '/rest/userInfo',
        headers: { ...AUTHORIZATION, connection: 'x-secret, authorization, close', 'x-secret': '1' },
      },
      (response) => response.resume().on('end', resolve),
    )
      .on('error', reject)
      .end();
  });
  const headers = gateway.upstreams.data.seen[0]?.headers ?? {};
  expect(headers['x-secret']).toBeUndefined();
  expect(headers['authorization']).toMatch(/^Bearer eyJ/);
});

test('responses keep their status, headers and bytes, and connections to the service are kept', async () => {
  const sockets = new Set<unknown>();
  gateway.upstreams.data.handle = (request, response) => {
    sockets.add(request.socket);
    response.writeHead(201, {
      'Content-Type': 'application/json',
      Location: '/x',
      ETag: '"1.a"',
      Vary: 'Authorization',
    });
    response.end('{"amount":10.50}');
  };
  for (let call = 0; call < 5; call += 1) {
    const response = await get('/rest/entities/sales_Order');
    expect(response.status).toBe(201);
    expect([response.headers.get('location'), response.headers.get('etag'), response.headers.get('vary')]).toEqual([
      '/x',
      '"1.a"',
      'Authorization, Accept-Encoding',
    ]);
    expect(await response.text()).toBe('{"amount":10.50}');
  }
  expect(sockets.size).toBe(1);
});

test('a service that refuses connections returns 503, one that closes the connection returns 502, one that does not respond returns 504', async () => {
  const down = await startGateway();
  await down.upstreams.data.close();
  const refused = await fetch(`${down.url}/rest/userInfo`, { headers: AUTHORIZATION });
  expect(refused.status).toBe(503);
  expect(await refused.json()).toEqual({ error: 'Service unavailable', details: 'The service cannot be reached' });
  expect(refused.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
  await down.close();

  gateway.upstreams.data.handle = (request) => request.socket.destroy();
  const broken = await get('/rest/userInfo');
  expect([broken.status, await broken.json()]).toEqual([
    502,
    { error: 'Bad gateway', details: 'The service broke off' },
  ]);

  const impatient = await startGateway({ 'svc.gateway.upstream-timeout': '1s' });
  impatient.upstreams.data.handle = () => undefined;
  const silent = await fetch(`${impatient.url}/rest/userInfo`, { headers: AUTHORIZATION });
  expect([silent.status, await silent.json()]).toEqual([
    504,
    { error: 'Gateway timeout', details: 'The service did not respond in time' },
  ]);
  await impatient.close();
});

test('a response whose connection the service closes is incomplete for the client, too', async () => {
  const breakOff: typeof gateway.upstreams.data.handle = (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.write('[1,');
    setTimeout(() => response.destroy(), 20);
  };
  gateway.upstreams.data.handle = breakOff;
  gateway.upstreams.files.handle = breakOff;
  for (const path of ['/rest/userInfo', '/rest/files?fileRef=x']) {
    gateway.lines.length = 0;
    const response = await get(path);
    await expect(response.text()).rejects.toThrow();
    expect(gateway.lines.filter((line) => line.includes('"cut":true'))).toHaveLength(1);
  }
});

test('when the client leaves, the request to the service is destroyed, before and after the head', async () => {
  let closed = 0;
  let arrived = 0;
  for (const withHead of [false, true]) {
    gateway.upstreams.data.handle = (_request, response) => {
      arrived += 1;
      response.on('close', () => {
        closed += 1;
      });
      if (withHead) response.write('[');
    };
    const abort = new AbortController();
    const response = fetch(`${gateway.url}/rest/userInfo`, { headers: AUTHORIZATION, signal: abort.signal });
    response.catch(() => undefined);
    const before = arrived;
    await until(() => arrived > before || arrived === (withHead ? 2 : 1));
    if (withHead) await response;
    abort.abort();
    const expected = withHead ? 2 : 1;
    await until(() => closed === expected);
  }
});

test('a large download streams: memory stays flat and a slow client slows the service', async () => {
  const total = 512 * 1024 * 1024;
  let produced = 0;
  gateway.upstreams.files.handle = (_request, response) => {
    const chunk = Buffer.alloc(256 * 1024, 1);
    new Readable({
      read() {
        produced += chunk.length;
        this.push(produced > total ? null : chunk);
      },
    }).pipe(response);
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(`${gateway.url}/rest/files`, { headers: AUTHORIZATION }, resolve).on('error', reject).end();
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  // The client has not read yet: the service has sent only what fits into sockets and buffers.
  expect(produced).toBeLessThan(32 * 1024 * 1024);
  const before = process.memoryUsage().rss;
  let received = 0;
  let peak = before;
  for await (const chunk of response) {
    received += (chunk as Buffer).length;
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  expect(received).toBe(total);
  // Client, gateway and service share this process, so half of the body is a generous bound.
  expect(peak - before).toBeLessThan(total / 2);
});

test('a large upload streams: the service sees the first bytes before the last are sent', async () => {
  let received = 0;
  gateway.upstreams.files.handle = (request, response) => {
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    request.on('end', () => response.writeHead(201).end(String(received)));
  };
  const response = await new Promise<string>((resolve, reject) => {
    const upload = httpRequest(
      `${gateway.url}/rest/files?name=x`,
      { method: 'POST', headers: AUTHORIZATION },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += String(chunk);
        resolve(text);
      },
    ).on('error', reject);
    const chunk = Buffer.alloc(1024 * 1024, 1);
    upload.write(chunk);
    until(() => received === chunk.length)
      .then(() => Readable.from(Array.from({ length: 63 }, () => chunk)).pipe(upload))
      .catch(reject);
  });
  expect(response).toBe(String(64 * 1024 * 1024));
});

test('an upload that the service refuses early gets the response', async () => {
  gateway.upstreams.files.handle = (_request, response) => {
    response.writeHead(413, { 'Content-Type': 'application/json' });
    response.end('{"error":"File upload failed","details":"too large"}');
  };
  const response = await fetch(`${gateway.url}/rest/files?name=x`, {
    method: 'POST',
    headers: AUTHORIZATION,
    body: Readable.toWeb(Readable.from(Array.from({ length: 32 }, () => Buffer.alloc(64 * 1024)))) as NonNullable<
      RequestInit['body']
    >,
    duplex: 'half',
  } as RequestInit);
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ details: 'too large' });
});

test.each([
  ['the service', AUTHORIZATION.authorization, 503],
  ['the gateway', 'Bearer unknown', 401],
])(
  'a long upload that %s refuses early leaves the connection whole, however much is still to come',
  async (_by, authorization, status) => {
    gateway.upstreams.files.handle = (request, response) => {
      response.writeHead(503, { 'Content-Type': 'application/json' });
      response.end('{"error":"File storage unavailable","details":"later"}');
      request.resume();
    };
    const mebibyte = Buffer.alloc(1024 * 1024);
    const socket = connect(gateway.port, '127.0.0.1');
    let received = '';
    socket.on('data', (piece) => {
      received += piece.toString();
    });
    const head = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n`;
    socket.write(`${head('POST /rest/files?name=x')}Content-Length: ${31 * mebibyte.length}\r\n\r\n`);
    socket.write(mebibyte);
    await until(() => received.startsWith(`HTTP/1.1 ${status} `));
    const rest = Readable.from([...Array.from({ length: 30 }, () => mebibyte), `${head('GET /nowhere')}\r\n`]);
    await pipeline(rest, socket, { end: false });
    await until(() => received.includes('HTTP/1.1 404 '));
    socket.destroy();
  },
);

test('headers that are too large return 431 in the form of the API', async () => {
  const response = await get('/rest/userInfo', { 'x-long': 'x'.repeat(20_000) });
  expect(response.status).toBe(431);
  expect(await response.json()).toMatchObject({ error: 'Request header fields too large' });
});

test('a connection that the client wants closed is closed after the response', async () => {
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(gateway.port, '127.0.0.1', () =>
      socket.write(
        `GET /rest/userInfo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer opaque-clerk\r\n\r\n`,
      ),
    );
    gateway.upstreams.data.handle = (_request, response) => response.end('ok');
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
  expect(text).toMatch(/^HTTP\/1\.1 200/);
  expect(text).toMatch(/connection: close/i);
});

test('stopping lets the request in flight finish', async () => {
  const other = await startGateway();
  let release: (() => void) | undefined;
  other.upstreams.data.handle = (_request, response) => {
    release = () => response.end('done');
  };
  const response = fetch(`${other.url}/rest/userInfo`, { headers: AUTHORIZATION }).then((each) => each.text());
  await until(() => release !== undefined);
  const closed = other.close();
  setTimeout(() => release?.(), 100);
  // `close` also ends the fake service, but only after the gateway has drained.
  expect(await response).toBe('done');
  await closed;
});
