import { connect } from 'node:net';
import { listen, type RunningServer } from './listen.ts';

let server: RunningServer;
afterEach(() => server.close());

/** Sends bytes and returns all bytes that are received until the other side ends the connection. */
const talk = (bytes: string) =>
  new Promise<string>((resolve) => {
    let received = '';
    const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    socket.on('close', () => resolve(received)).on('error', () => undefined);
  });

test('a connection with a request under way is cut when nothing moves for too long', async () => {
  server = await listen((_request, response) => void response.write('begun'), {
    host: '127.0.0.1',
    port: 0,
    silenceMs: 400,
  });
  expect(await talk('GET / HTTP/1.1\r\nHost: x\r\n\r\n')).toContain('begun');
  expect(await talk('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf')).toContain('begun');
});

test('what never becomes a request is answered with a trace id, and ends the connection', async () => {
  server = await listen((_request, response) => void response.end(), {
    host: '127.0.0.1',
    port: 0,
    headersTimeoutMs: 500,
    maxHeaderBytes: 1_024,
  });
  const responses = await Promise.all([
    talk('GET / HTTP/1.1\r\n'),
    talk('garbage\r\n\r\n'),
    talk(`GET / HTTP/1.1\r\nx: ${'y'.repeat(2_000)}\r\n\r\n`),
    talk(`GET /${'y'.repeat(2_000)} HTTP/1.1\r\n\r\n`),
  ]);
  expect(responses.map((response) => response.slice(9, 12))).toEqual(['408', '400', '431', '431']);
  for (const response of responses) expect(response).toMatch(/\r\nX-Trace-Id: [0-9a-f]{32}\r\n/);
});

test('an expectation that cannot be met is refused in the form of the API, and the connection stays open', async () => {
  server = await listen((_request, response) => void response.end('served'), { host: '127.0.0.1', port: 0 });
  const expecting = (expectation: string) =>
    `POST / HTTP/1.1\r\nHost: x\r\nExpect: ${expectation}\r\nContent-Length: 5\r\n\r\nhello`;
  const responses = await talk(`${expecting('miracles')}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['417', '200'].map((status) => `HTTP/1.1 ${status}`));
  expect(responses).toMatch(/X-Trace-Id: [0-9a-f]{32}\r\n/);
  expect(responses).toContain(
    '{"error":"Expectation failed","details":"The one expectation that can be met is 100-continue"}',
  );
});

test('a request that is refused before its body is read gets no 100, and its connection ends', async () => {
  server = await listen((_request, response) => void response.end('refused'), { host: '127.0.0.1', port: 0 });
  const responses = await talk('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n');
  expect(responses.match(/HTTP\/1\.1 \d+|Connection: [a-z-]+/g)).toEqual(['HTTP/1.1 200', 'Connection: close']);
});

test.each([
  ['two hosts', 'Host: a.test\r\nhost: b.test\r\n'],
  ['the same host twice', 'Host: a.test\r\nHost: a.test\r\n'],
  ['a host that is none', 'Host: a.test/x\r\n'],
  ['a host with a user', 'Host: a@b.test\r\n'],
  ['no host', ''],
])('%s returns 400, and the connection ends', async (_case, headers) => {
  let served = 0;
  server = await listen(
    (_request, response) => {
      served += 1;
      response.end('served');
    },
    { host: '127.0.0.1', port: 0 },
  );
  const response = await talk(`GET / HTTP/1.1\r\n${headers}\r\n`);
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(response).toContain('"error":"Invalid parameter value"');
  expect(served).toBe(0);
});

test('an address that has its connections already gets no more, unless it is exempt', async () => {
  const refused: string[] = [];
  const serve = (isExempt: boolean) =>
    listen((_request, response) => void response.end('served'), {
      host: '127.0.0.1',
      port: 0,
      connectionLimit: { maxPerAddress: 2, isExempt: () => isExempt, onRefused: () => void refused.push('x') },
    });
  const open = () => {
    const socket = connect(server.port, '127.0.0.1');
    return new Promise<boolean>((resolve) => {
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(false));
      socket.once('data', () => resolve(true));
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    });
  };
  server = await serve(false);
  expect([await open(), await open(), await open()]).toEqual([true, true, false]);
  expect(refused).toHaveLength(1);
  await server.close();
  server = await serve(true);
  expect([await open(), await open(), await open()]).toEqual([true, true, true]);
});

test('a request without a body has ended before its handler is called, where the application wants that', async () => {
  const seen: boolean[] = [];
  server = await listen(
    (request, response) => {
      seen.push(request.readableEnded);
      request.resume().once('end', () => response.end('read'));
      if (request.readableEnded) response.end('empty');
    },
    { host: '127.0.0.1', port: 0, endsEmptyRequests: true },
  );
  const responses = await talk(
    'GET / HTTP/1.1\r\nHost: x\r\n\r\nPOST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloPOST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  );
  expect(seen).toEqual([true, false, false]);
  expect(responses.match(/empty|read/g)).toEqual(['empty', 'read', 'read']);
});
