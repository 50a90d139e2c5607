import { type RunningGateway, startGateway, until } from '../../test/gateway-fixture.ts';
import { talk } from '../../test/talk.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ 'svc.gateway.max-body-size': '64KB' });
});
afterAll(() => gateway.close());
beforeEach(() => {
  for (const upstream of Object.values(gateway.upstreams)) upstream.seen.length = 0;
});

const AUTHORIZATION = { authorization: 'Bearer opaque-clerk' };

const raw = (bytes: string | readonly string[], waitMs?: number) => talk(gateway.port, bytes, waitMs);
const bodyOf = (response: string): unknown => JSON.parse(response.split('\r\n\r\n')[1] ?? '');

test('a URL above the limit returns 414 in the form of the API, also where it is longer than the parser reads', async () => {
  for (const length of [8_193, 15_000, 17_000, 200_000]) {
    const response = await raw(
      `GET /rest/x?${'a'.repeat(length - 8)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 414 /);
    expect(bodyOf(response)).toEqual({ error: 'URI too long', details: 'The URL is longer than 8192 bytes' });
  }
  const response = await fetch(`${gateway.url}/rest/x?${'a'.repeat(8_184)}`, { headers: AUTHORIZATION });
  expect(response.status).toBe(200);
});

test('headers above the limit return 431, as one header or many', async () => {
  for (const headers of [`x: ${'a'.repeat(20_000)}\r\n`, 'xxxx: yyyyyy\r\n'.repeat(2_000)]) {
    const response = await raw(`GET /rest/x HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 431 /);
    expect(bodyOf(response)).toEqual({
      error: 'Request header fields too large',
      details: 'The request line and headers are too large',
    });
  }
});

test('no header of many is dropped', async () => {
  const headers = Array.from({ length: 2_500 }, () => 'a:').join('\r\n');
  const response = await raw(
    `GET /rest/x HTTP/1.1\r\nHost: x\r\n${headers}\r\nConnection: close\r\nAuthorization: Bearer opaque-a\r\n\r\n`,
  );
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
});

test('a body above the limit returns 413 before it is read', async () => {
  const response = await fetch(`${gateway.url}/rest/files?name=x`, {
    method: 'POST',
    headers: AUTHORIZATION,
    body: 'x'.repeat(64 * 1024 + 1),
  });
  expect(response.status).toBe(413);
  expect(await response.json()).toEqual({
    error: 'Payload too large',
    details: 'The request body is larger than 65536 bytes',
  });
  expect(gateway.upstreams.files.seen).toHaveLength(0);
  const enough = { method: 'POST', headers: AUTHORIZATION, body: 'x'.repeat(64 * 1024) };
  gateway.upstreams.files.handle = (request, response) => request.resume().on('end', () => response.end('ok'));
  expect((await fetch(`${gateway.url}/rest/files?name=x`, enough)).status).toBe(200);
});

test('a body of unknown length returns 413 when it gets too long, and the service gets an incomplete body', async () => {
  let closed = false;
  gateway.upstreams.files.handle = (request) => {
    request.resume().on('error', () => undefined);
    request.on('close', () => {
      closed = !request.complete;
    });
  };
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
  const head =
    'POST /rest/files?name=x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer opaque-a\r\nTransfer-Encoding: chunked\r\n\r\n';
  const last = '0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const response = await raw([head, ...Array.from({ length: 5 }, () => chunk), last], 10);
  expect(response).toMatch(/^HTTP\/1\.1 413 /);
  // The rest of the body is discarded, and the connection can be used again.
  expect(response).toContain('HTTP/1.1 200 ');
  await until(() => closed);
});

test.each([
  ['HTTP/1.0', 'chunked', 'A request of HTTP/1.0 cannot have the header Transfer-Encoding'],
  ['HTTP/1.1', 'gzip, chunked', 'The header Transfer-Encoding must be chunked'],
])(
  'a body of %s with the coding %j, which others may read differently, returns 400 and ends the connection',
  async (version, coding, details) => {
    gateway.upstreams.data.seen.length = 0;
    const response = await raw([
      `POST /rest/x ${version}\r\nHost: x\r\nConnection: keep-alive\r\nAuthorization: Bearer opaque-a\r\nTransfer-Encoding: ${coding}\r\n\r\n`,
      '2\r\n{}\r\n0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: x\r\n\r\n',
    ]);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).not.toContain('HTTP/1.1 200 ');
    expect(response).toContain(details);
    expect(gateway.upstreams.data.seen).toEqual([]);
  },
);

test('headers that arrive too slowly return 408', async () => {
  const impatient = await startGateway({ headersTimeoutMs: 1_500 });
  const response = await talk(impatient.port, 'GET /rest/x HTTP/1.1\r\nHost: x\r\n');
  await impatient.close();
  expect(response).toMatch(/^HTTP\/1\.1 408 /);
  expect(bodyOf(response)).toEqual({ error: 'Request Timeout', details: 'The request did not arrive in time' });
});

test.each([
  ['no HTTP', 'hello\r\n\r\n'],
  ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00'],
  ['an unknown method', 'FOO /rest/x HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a version that there is not', 'GET /rest/x HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['two lengths', 'POST /rest/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ['a negative length', 'POST /rest/x HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
  [
    'length and chunks',
    'POST /rest/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['an unknown coding before chunks', 'POST /rest/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, x\r\n\r\n'],
  ['a blank before the colon', 'GET /rest/x HTTP/1.1\r\nHost: x\r\nAuthorization : Bearer a\r\n\r\n'],
  ['a folded header', 'GET /rest/x HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c: d\r\n\r\n'],
  ['a control character in a header', 'GET /rest/x HTTP/1.1\r\nHost: x\r\nX-A: \x01\r\n\r\n'],
  ['a bare line feed in the head', 'GET /rest/x HTTP/1.1\nHost: x\n\n'],
])('%s returns 400 in the shape of the API, and reaches no service', async (_case, bytes) => {
  const response = await raw(bytes);
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(bodyOf(response)).toEqual({ error: 'Bad Request', details: 'The request cannot be read' });
  expect(gateway.upstreams.data.seen).toHaveLength(0);
});

test('letters of a URL that are not percent-encoded return 400, which says so', async () => {
  expect(bodyOf(await raw('GET /rest/x?name=Straße HTTP/1.1\r\nHost: x\r\n\r\n'))).toEqual({
    error: 'Bad Request',
    details: 'The URL has characters that must be percent-encoded, such as blanks and letters that are not ASCII',
  });
});

test('a request without a host returns 400, but for clients of HTTP/1.0', async () => {
  const response = await raw('GET /rest/x HTTP/1.1\r\n\r\n');
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(bodyOf(response)).toEqual({ error: 'Invalid parameter value', details: 'The request has no Host header' });
  expect(await raw('GET /health/live HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  [
    'broken chunks',
    'POST /rest/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer opaque-a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  ],
  ['CONNECT', 'CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test\r\n\r\n'],
  ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['an expectation that there is not', 'GET /rest/x HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n'],
  [
    'an upgrade to WebSocket',
    'GET /rest/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\nAuthorization: Bearer opaque-a\r\n\r\n',
  ],
])('%s switches no protocol and harms no other request', async (_case, bytes) => {
  expect(await raw(bytes)).not.toMatch(/^HTTP\/1\.1 (101|5\d\d) /);
  expect((await fetch(`${gateway.url}/rest/userInfo`, { headers: AUTHORIZATION })).status).toBe(200);
});
