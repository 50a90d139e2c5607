import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cases, fc } from '@lintel/testkit/properties';
import { type RunningGateway, startGateway } from '../../test/gateway-fixture.ts';
import { talk } from '../../test/talk.ts';

/** A service that parses requests leniently, and records what it has read. */
let service: Server;
interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  body: string;
  isWhole: boolean;
}
const seen: SeenRequest[] = [];
let gateway: RunningGateway;
beforeAll(async () => {
  service = createServer({ insecureHTTPParser: true, keepAliveTimeout: 65_000 }, (request, response) => {
    const { method, url, headers } = request;
    const found = { method, url, headers, body: '', isWhole: false };
    seen.push(found);
    request.on('error', () => undefined);
    request.on('data', (piece: Buffer) => {
      found.body += piece.toString('latin1');
    });
    request.on('end', () => {
      found.isWhole = true;
      response.end('served');
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  gateway = await startGateway({
    'svc.gateway.data-url': url,
    headersTimeoutMs: 5_000,
    'svc.gateway.allowed-hosts': 'other.test',
    'svc.authserver.issuer': 'https://api.test',
    'svc.security.allow-insecure': 'compatible-profile,short-secrets',
  });
});
afterAll(async () => {
  await gateway?.close();
  await new Promise((resolve) => {
    service.close(resolve);
    service.closeAllConnections();
  });
});
beforeEach(() => {
  seen.length = 0;
});

/** Must never reach a service as a request, since its token has not been checked. */
const HIDDEN =
  'GET /rest/hidden HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 6.6.6.6\r\nAuthorization: Bearer forged\r\n\r\n';
const HEAD = 'Host: x\r\nAuthorization: Bearer opaque-a\r\n';
const LAST = `GET /rest/last HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`;
const post = (headers: string, body: string) => `POST /rest/x HTTP/1.1\r\n${HEAD}${headers}\r\n${body}`;
const chunked = (body: string) => post('Transfer-Encoding: chunked\r\n', body);

interface ParsedResponse {
  readonly status: number;
  readonly body: string;
}

/** The responses in the received bytes; throws where other bytes are between them. */
function responsesIn(received: string): readonly ParsedResponse[] {
  const responses: ParsedResponse[] = [];
  let rest = received;
  while (rest !== '') {
    const head = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/.exec(rest);
    if (head === null) throw new Error(`no response: ${JSON.stringify(rest)}`);
    rest = rest.slice(head[0].length);
    const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head[0])?.[1] ?? 0);
    const isChunked = /\r\ntransfer-encoding: chunked\r\n/i.test(head[0]);
    const body = isChunked ? (/^.*?\r\n0\r\n\r\n/s.exec(rest)?.[0] ?? rest) : rest.slice(0, length);
    rest = rest.slice(body.length);
    responses.push({ status: Number(head[1]), body });
  }
  return responses;
}

/**
 * For all input: errors have the form of the API, no response is a server error, and services received only requests
 * that the gateway accepted.
 */
function expectHarmless(received: string): readonly ParsedResponse[] {
  const responses = responsesIn(received);
  for (const { status, body } of responses) {
    expect([500, 502]).not.toContain(status);
    if (status >= 400 && body !== '')
      expect(JSON.parse(body)).toEqual({
        error: expect.any(String),
        [status === 401 ? 'error_description' : 'details']: expect.any(String),
      });
  }
  for (const { url, headers } of seen) {
    expect(url).not.toContain('hidden');
    expect(headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(headers.authorization).toMatch(/^Bearer eyJ/);
  }
  expect(seen.length).toBeGreaterThanOrEqual(responses.filter(({ body }) => body.includes('served')).length);
  return responses;
}

test.each([
  ['a request of HTTP/0.9', 'GET /rest/x\r\n\r\n'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a version in lower case', `GET /rest/x http/1.1\r\n${HEAD}\r\n`],
  ['a method in lower case', `get /rest/x HTTP/1.1\r\n${HEAD}\r\n`],
  ['a blank in the target', `GET /rest/x y HTTP/1.1\r\n${HEAD}\r\n`],
  ['NUL in the target', `GET /rest/\0x HTTP/1.1\r\n${HEAD}\r\n`],
  ['a target that is no path', `GET rest/x HTTP/1.1\r\n${HEAD}\r\n`],
  ['NUL in the name of a header', `GET /rest/x HTTP/1.1\r\n${HEAD}X-\0A: b\r\n\r\n`],
  ['NUL in a header', `GET /rest/x HTTP/1.1\r\n${HEAD}X-A: \0\r\n\r\n`],
  ['a bare carriage return in a header', `GET /rest/x HTTP/1.1\r\n${HEAD}X-A: b\rX-B: c\r\n\r\n`],
  ['a bare line feed behind a header', `GET /rest/x HTTP/1.1\r\n${HEAD}X-A: b\nX-B: c\r\n\r\n`],
  ['a header without a colon', `GET /rest/x HTTP/1.1\r\n${HEAD}hello\r\n\r\n`],
  ['a header without a name', `GET /rest/x HTTP/1.1\r\n${HEAD}: a\r\n\r\n`],
  ['a first header that is folded', `GET /rest/x HTTP/1.1\r\n X-A: b\r\n${HEAD}\r\n`],
  ['a length with a sign', post('Content-Length: +5\r\n', 'hello')],
  ['a length in hexadecimal', post('Content-Length: 0x5\r\n', 'hello')],
  ['a list of lengths', post('Content-Length: 5, 5\r\n', 'hello')],
  ['a length with a blank inside', post('Content-Length: 5 0\r\n', 'hello')],
  ['a length beyond 64 bits', post('Content-Length: 99999999999999999999\r\n', 'hello')],
  ['an empty length', post('Content-Length:\r\n', '')],
  [
    'chunks and a length in front of them',
    post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${HIDDEN}`),
  ],
  [
    'chunks and a length behind them',
    post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `0\r\n\r\n${HIDDEN}`),
  ],
  [
    'chunks whose name is folded',
    post('Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n', `0\r\n\r\n${HIDDEN}`),
  ],
  ['a coding that nobody knows', post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${HIDDEN}`)],
  ['identity as a coding', post('Transfer-Encoding: identity\r\nContent-Length: 3\r\n', `abc${HIDDEN}`)],
  ['chunks twice', post('Transfer-Encoding: chunked, chunked\r\n', `0\r\n\r\n${HIDDEN}`)],
  [
    'chunks and, in a header of its own, another coding',
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n', `0\r\n\r\n${HIDDEN}`),
  ],
  ['a vertical tab in front of chunked', post('Transfer-Encoding: \x0bchunked\r\n', `0\r\n\r\n${HIDDEN}`)],
])('%s is refused in the shape of the API and reaches no service', async (_case, bytes) => {
  const responses = expectHarmless(await talk(gateway.port, bytes + LAST));
  expect([...new Set(responses.map(({ status }) => status))]).toEqual([400]);
  expect(seen).toEqual([]);
});

test.each([
  ['without digits', `\r\nhello\r\n0\r\n\r\n${HIDDEN}`],
  ['that is negative', `-5\r\nhello\r\n0\r\n\r\n${HIDDEN}`],
  ['with a prefix', `0x5\r\nhello\r\n0\r\n\r\n${HIDDEN}`],
  ['beyond 64 bits', `fffffffffffffffff\r\nhello\r\n0\r\n\r\n${HIDDEN}`],
  ['that is smaller than the chunk', `3\r\nhello\r\n0\r\n\r\n${HIDDEN}`],
  ['that ends with a bare line feed', `5\nhello\r\n0\r\n\r\n${HIDDEN}`],
  ['with a line feed in its extension', `5;a\nb\r\nhello\r\n0\r\n\r\n${HIDDEN}`],
])('a size of a chunk %s ends the connection, and what follows is no request', async (_case, body) => {
  expectHarmless(await talk(gateway.port, chunked(body) + LAST));
  // A body is forwarded while it arrives; where it breaks off, the request to the service does too.
  expect(seen.filter(({ isWhole }) => isWhole)).toEqual([]);
});

test.each([
  ['chunks with extensions', chunked(`5;a=b\r\nhello\r\n0;c\r\n\r\n`), 'hello'],
  ['a request inside a chunk', chunked(`${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`), HIDDEN],
  ['a request inside a body', post(`Content-Length: ${HIDDEN.length}\r\n`, HIDDEN), HIDDEN],
  [
    'trailers that look like headers',
    chunked('5\r\nhello\r\n0\r\nAuthorization: Bearer forged\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n'),
    'hello',
  ],
  [
    'a header that resembles one of framing',
    post('Content_Length: 0\r\nTransfer_Encoding: chunked\r\nContent-Length: 5\r\n', 'hello'),
    'hello',
  ],
  [
    'headers of framing that Connection names',
    post('Connection: Content-Length, Transfer-Encoding, keep-alive\r\nContent-Length: 5\r\n', 'hello'),
    'hello',
  ],
  [
    'the same chunks by way of Connection',
    post('Connection: Transfer-Encoding, keep-alive\r\nTransfer-Encoding: chunked\r\n', '5\r\nhello\r\n0\r\n\r\n'),
    'hello',
  ],
  ['an empty line before the request', `\r\n${post('Content-Length: 5\r\n', 'hello')}`, 'hello'],
])(
  '%s: the service reads what the gateway has read, and the next request is the next one',
  async (_case, bytes, body) => {
    const responses = expectHarmless(await talk(gateway.port, bytes + LAST));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(seen.map(({ url, ...request }) => [url, request.body])).toEqual([
      ['/rest/x', body],
      ['/rest/last', ''],
    ]);
  },
);

test('an upgrade to HTTP/2 is ignored', async () => {
  const offer = 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
  const [response] = expectHarmless(await talk(gateway.port, post(`${offer}Content-Length: 5\r\n`, 'hello')));
  expect([response?.status, seen[0]?.body, seen[0]?.headers.upgrade]).toEqual([200, 'hello', undefined]);
});

test.each([
  ['TRACE', `TRACE /rest/x HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`],
  ['CONNECT to a service', `CONNECT 127.0.0.1:8082 HTTP/1.1\r\n${HEAD}\r\n`],
  ['the whole address of another server', `GET http://evil.test/rest/x HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`],
  ['two hosts', `GET /rest/x HTTP/1.1\r\n${HEAD}Host: evil.test\r\nConnection: close\r\n\r\n`],
  ['a host that is none', `GET /rest/x HTTP/1.1\r\nHost: a b/@:x\r\nConnection: close\r\n\r\n`],
])('%s leads nowhere but to the services, as a request that has been looked at', async (_case, bytes) => {
  expectHarmless(await talk(gateway.port, bytes));
  expect(seen.every(({ url }) => url?.startsWith('/rest/'))).toBe(true);
});

test('an unsupported Expect header is refused in the form of the API', async () => {
  const bytes = post('Expect: 100-continueContent-Length: 5\r\n', '');
  expect(expectHarmless(await talk(gateway.port, bytes + LAST)).map(({ status }) => status)).toEqual([417, 200]);
});

test('the path of a whole address is routed as any, and its authority is the host', async () => {
  const bytes = `GET http://other.test?a=/rest HTTP/1.1\r\n${HEAD}\r\nGET http://other.test/rest/x?a=b HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`;
  expect(expectHarmless(await talk(gateway.port, bytes)).map(({ status }) => status)).toEqual([404, 200]);
  expect(seen.map(({ url, headers }) => [url, headers.host, headers['x-forwarded-host']])).toEqual([
    ['/rest/x?a=b', 'other.test', 'other.test'],
  ]);
});

test('a host that is not known reaches no service: addresses in responses are those of the issuer', async () => {
  const known = (host: string) => `GET /rest/x HTTP/1.1\r\n${HEAD.replace(/Host: .*\r\n/, `Host: ${host}\r\n`)}\r\n`;
  const bytes = `${known('evil.test')}${known('API.test:8443')}GET http://evil.test/rest/x HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`;
  expect(expectHarmless(await talk(gateway.port, bytes)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(seen.map(({ headers }) => [headers.host, headers['x-forwarded-host'], headers['x-forwarded-proto']])).toEqual([
    ['api.test', 'api.test', 'https'],
    ['API.test:8443', 'API.test:8443', 'http'],
    ['api.test', 'api.test', 'https'],
  ]);
});

test.each([
  ['two hosts', `GET /rest/x HTTP/1.1\r\n${HEAD}Host: evil.test\r\n\r\n`],
  ['the same host twice', `GET /rest/x HTTP/1.1\r\n${HEAD}${HEAD}\r\n`],
  ['a target whose authority has a user', `GET http://a@evil.test/rest/x HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`],
])('%s returns 400', async (_case, bytes) => {
  expect(expectHarmless(await talk(gateway.port, bytes)).map(({ status }) => status)).toEqual([400]);
  expect(seen).toEqual([]);
});

const lineEnd = fc.constantFrom('\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\r\n ', '\0\r\n', '');
const startLine = fc.constantFrom(
  'POST /rest/x HTTP/1.1',
  'POST /rest/x HTTP/1.1',
  'POST /rest/x HTTP/1.0',
  'GET /rest/x HTTP/1.1',
  'PUT  /rest/x HTTP/1.1',
  'POST /rest/x HTTP/1.1 ',
  'POST /rest/x\tHTTP/1.1',
  'PO\0ST /rest/x HTTP/1.1',
  'POST http://x/rest/x HTTP/1.1',
  'POST /rest/x',
);
const header = fc.constantFrom(
  'Content-Length: 5',
  'Content-Length: 0',
  `Content-Length: ${HIDDEN.length}`,
  'Content-Length : 5',
  'content-length:\t5',
  'Content-Length: 5, 6',
  ' Content-Length: 5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding:\x0cchunked',
  'transfer-encoding: "chunked"',
  'Connection: Transfer-Encoding',
  'Connection: keep-alive, Content-Length',
  'Expect: 100-continue',
  'Trailer: Content-Length',
  'X-A: b\rc',
  'X-\x80: a',
  ': a',
  'Host: y',
);
const body = fc.constantFrom(
  '',
  'hello',
  `0\r\n\r\n${HIDDEN}`,
  `5\r\nhello\r\n0\r\n\r\n${HIDDEN}`,
  `0\r\nContent-Length: 99\r\n\r\n${HIDDEN}`,
  `5;\n0\r\n\r\n${HIDDEN}`,
  `5 \r\nhello\r\n0\r\n\r\n${HIDDEN}`,
  `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
  `5\rhello\r\n0\r\n\r\n${HIDDEN}`,
  HIDDEN,
);

test('services receive only what the gateway has parsed as a request', async () => {
  await fc.assert(
    fc.asyncProperty(
      startLine,
      fc.array(fc.tuple(header, lineEnd), { maxLength: 5 }),
      body,
      lineEnd,
      async (start, headers, content, end) => {
        seen.length = 0;
        const lines = headers.map(([text, lineBreak]) => text + lineBreak).join('');
        const bytes = `${start}${end}${HEAD}${lines}\r\n${content}`;
        expectHarmless(await talk(gateway.port, [bytes], 0, true));
      },
    ),
    cases(300),
  );
  expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
});
