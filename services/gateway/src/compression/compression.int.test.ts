import { randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { brotliDecompressSync, constants, createGunzip, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type RunningGateway, startGateway, until } from '../../test/gateway-fixture.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
beforeEach(() => {
  for (const upstream of Object.values(gateway.upstreams)) upstream.seen.length = 0;
});

const CHUNK_BYTES = 65_536;
const TEXT = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, name: `Order ${id}`, total: '10.50' })));

/** Bytes as they came over the wire; `fetch` would decode them. */
async function call(path: string, headers: Record<string, string>, method = 'GET') {
  const response = await open(path, headers, method);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

const open = (path: string, headers: Record<string, string>, method = 'GET') =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const all = { authorization: 'Bearer opaque-clerk', ...headers };
    httpRequest(gateway.url + path, { method, headers: all }, resolve)
      .on('error', reject)
      .end();
  });

const serve = (headers: Record<string, string>, body: string | Buffer = TEXT, status = 200) => {
  for (const upstream of Object.values(gateway.upstreams))
    upstream.handle = (_request, response) => {
      response.writeHead(status, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        ...headers,
      });
      response.end(body);
    };
};

test.each([
  ['zstd', zstdDecompressSync],
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('JSON goes out as %s to clients that take it', async (coding, decode) => {
  serve({ ETag: '"3.abc"', Vary: 'Authorization', 'Accept-Ranges': 'bytes' });
  const { headers, body } = await call('/rest/entities/sales_Order', { 'accept-encoding': coding });
  expect(headers).toMatchObject({
    'content-encoding': coding,
    'content-type': 'application/json',
    etag: `"3.abc--${coding}"`,
    vary: 'Authorization, Accept-Encoding',
  });
  expect(headers['content-length']).toBeUndefined();
  expect(headers['accept-ranges']).toBeUndefined();
  expect(body.length).toBeLessThan(TEXT.length / 4);
  expect(decode(body).toString()).toBe(TEXT);
});

test('without Accept-Encoding the answer is what the service has sent, and it has Vary for caches', async () => {
  serve({ ETag: '"3.abc"' });
  const { headers, body } = await call('/rest/entities/sales_Order', {});
  expect(headers).toMatchObject({ etag: '"3.abc"', vary: 'Accept-Encoding', 'content-length': String(TEXT.length) });
  expect(headers['content-encoding']).toBeUndefined();
  expect(body.toString()).toBe(TEXT);
});

test('any fetch reads it', async () => {
  serve({});
  const response = await fetch(`${gateway.url}/rest/x`, {
    headers: { authorization: 'Bearer opaque-clerk', 'accept-encoding': 'gzip, br' },
  });
  expect([response.headers.get('content-encoding'), await response.text()]).toEqual(['br', TEXT]);
});

test.each([
  ['less than a kilobyte', {}, '{"id":1}', 200, '/rest/x'],
  ['no text', { 'Content-Type': 'application/pdf' }, TEXT, 200, '/rest/files'],
  ['a part of a file', { 'Content-Type': 'text/csv', 'Content-Range': 'bytes 0-1/9' }, TEXT, 206, '/rest/files'],
  ['a file with a digest', { 'Content-Type': 'text/csv', 'Repr-Digest': 'sha-256=:AA==:' }, TEXT, 200, '/rest/files'],
  ['coded by the service', { 'Content-Encoding': 'gzip' }, TEXT, 200, '/rest/x'],
  ['forbidden to change', { 'Cache-Control': 'private, no-transform' }, TEXT, 200, '/rest/x'],
  ['of a token endpoint', {}, TEXT, 200, '/oauth/token'],
])('an answer that is %s goes out byte for byte', async (_case, headers, body, status, path) => {
  serve({ ETag: '"t"', ...headers }, body, status);
  const response = await call(path, { 'accept-encoding': 'gzip, br, zstd' });
  expect(response.status).toBe(status);
  expect(response.headers).toMatchObject({ etag: '"t"', 'content-length': String(body.length) });
  expect(response.body.toString()).toBe(body);
});

test('a client that refuses plain bytes gets few bytes coded, too', async () => {
  serve({}, '{"id":1}');
  const { headers, body } = await call('/rest/x', { 'accept-encoding': 'gzip, identity;q=0' });
  expect([headers['content-encoding'], gunzipSync(body).toString()]).toEqual(['gzip', '{"id":1}']);
});

test('errors of a service are compressed, an empty answer stays empty', async () => {
  serve({}, TEXT, 400);
  const refused = await call('/rest/x', { 'accept-encoding': 'gzip' });
  expect([refused.status, gunzipSync(refused.body).toString()]).toEqual([400, TEXT]);
  gateway.upstreams.data.handle = (_request, response) => response.writeHead(204).end();
  const empty = await call('/rest/x', { 'accept-encoding': 'gzip' }, 'DELETE');
  expect([empty.status, empty.headers['content-encoding'], empty.body.length]).toEqual([204, undefined, 0]);
});

test('HEAD has the headers of GET and no bytes', async () => {
  serve({ ETag: '"3.abc"' });
  const { headers, body } = await call('/rest/x', { 'accept-encoding': 'gzip' }, 'HEAD');
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', etag: '"3.abc--gzip"', vary: 'Accept-Encoding' });
  expect(body.length).toBe(0);
});

describe('entity tags of coded bytes', () => {
  /** As the data service: 304 and 412 by its own tag. */
  beforeEach(() => {
    gateway.upstreams.data.handle = (request, response) => {
      const tag = '"3.abc"';
      response.setHeader('ETag', tag);
      if (request.headers['if-none-match']?.split(/,\s*/).includes(tag)) response.writeHead(304).end();
      else if (request.headers['if-match'] !== undefined && request.headers['if-match'] !== tag)
        response.writeHead(412).end();
      else response.writeHead(200, { 'Content-Type': 'application/json' }).end(TEXT);
    };
  });

  // Asserts contract/decisions.md#54.
  test.each(['gzip', 'br', 'zstd'])('come back as If-None-Match and are answered with 304: %s', async (coding) => {
    const first = await call('/rest/x', { 'accept-encoding': coding });
    const { etag = '' } = first.headers;
    expect(etag).toBe(`"3.abc--${coding}"`);
    const second = await call('/rest/x', { 'accept-encoding': coding, 'if-none-match': etag });
    expect([second.status, second.headers.etag, second.body.length]).toEqual([304, etag, 0]);
    expect(second.headers.vary).toBe('Accept-Encoding');
    // A shared cache that stores both the coded and the plain bytes.
    expect((await call('/rest/x', { 'if-none-match': `W/"0.z", ${etag}` })).headers.etag).toBe(etag);
    expect((await call('/rest/x', { 'if-none-match': '"3.abc"' })).headers.etag).toBe('"3.abc"');
  });

  test('come back as If-Match and reach the service as its own (contract/decisions.md#54)', async () => {
    expect((await call('/rest/x', { 'if-match': '"3.abc--br"' }, 'PUT')).status).toBe(200);
    expect((await call('/rest/x', { 'if-match': '"2.old--br"' }, 'PUT')).status).toBe(412);
  });

  test('never let a part of the plain bytes follow coded ones', async () => {
    await call('/rest/files', { range: 'bytes=5-', 'if-range': '"3.abc--gzip"', 'accept-encoding': 'gzip' });
    expect(gateway.upstreams.files.seen[0]?.headers['if-range']).toBe('"3.abc--gzip"');
  });
});

test('rows of a stream arrive when they are written, not when it ends', async () => {
  const writers: ((text: string) => void)[] = [];
  gateway.upstreams.data.handle = (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    writers.push((text) => void (text === '' ? response.end() : response.write(text)));
  };
  for (const coding of ['gzip', 'br', 'zstd']) {
    const opened = open('/rest/x', { 'accept-encoding': coding });
    await until(() => writers.length > 0);
    const write = writers.pop();
    write?.('{"id":1}\n');
    const response = await opened;
    let received = 0;
    response.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    await until(() => received > 0);
    const before = received;
    write?.('{"id":2}\n');
    await until(() => received > before);
    write?.('');
    await new Promise((resolve) => response.once('end', resolve));
  }
});

test('a large answer streams: a slow client slows the service, and every byte arrives', async () => {
  const total = 128 * 1024 * 1024;
  // More data than a window holds, so that it is not compressed to almost nothing.
  const chunks = Array.from({ length: 64 }, () => Buffer.from(randomBytes(48 * 1024).toString('base64')));
  let produced = 0;
  gateway.upstreams.data.handle = (_request, response) => {
    response.setHeader('Content-Type', 'text/csv');
    new Readable({
      read() {
        const chunk = chunks[(produced / CHUNK_BYTES) % chunks.length];
        produced += CHUNK_BYTES;
        this.push(produced > total ? null : chunk);
      },
    }).pipe(response);
  };
  const response = await open('/rest/x', { 'accept-encoding': 'zstd' });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(produced).toBeLessThan(total / 4);
  response.destroy();

  produced = 0;
  const whole = await open('/rest/x', { 'accept-encoding': 'gzip' });
  let received = 0;
  for await (const part of whole.pipe(createGunzip())) received += (part as Buffer).length;
  expect(received).toBe(total);
});

test('a client that leaves ends the request to the service; a service that breaks off cuts the answer', async () => {
  let closed = 0;
  gateway.upstreams.data.handle = (_request, response) => {
    response.on('close', () => {
      closed += 1;
    });
    response.writeHead(200, { 'Content-Type': 'application/json' }).write('[1,');
  };
  const left = await open('/rest/x', { 'accept-encoding': 'gzip' });
  left.on('error', () => undefined).destroy();
  await until(() => closed === 1);

  gateway.upstreams.data.handle = (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).write('[1,');
    setTimeout(() => response.destroy(), 20);
  };
  await expect(call('/rest/x', { 'accept-encoding': 'br' })).rejects.toThrow();
});

test('a response shorter than the configured size is not compressed, and a longer one has the preferred coding', async () => {
  const other = await startGateway({ minCodedBytes: 4_096 });
  try {
    other.upstreams.data.handle = (request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end('x'.repeat(Number(request.url?.split('=')[1])));
    };
    const codingOf = async (url: string) =>
      (
        await fetch(url, { headers: { authorization: 'Bearer opaque-a', 'accept-encoding': 'gzip, br, zstd' } })
      ).headers.get('content-encoding');
    expect(await codingOf(`${other.url}/rest/x?n=3000`)).toBeNull();
    expect(await codingOf(`${other.url}/rest/x?n=5000`)).toBe('zstd');
  } finally {
    await other.close();
  }
});

test('what is sent at the end of a stream can be decoded up to its last byte', async () => {
  serve({ 'Content-Type': 'text/plain; charset=utf-8' }, 'ä'.repeat(100_000));
  const { body } = await call('/rest/x', { 'accept-encoding': 'zstd' });
  expect(zstdDecompressSync(body).toString()).toBe('ä'.repeat(100_000));
  expect(() => gunzipSync(body.subarray(0, -1), { finishFlush: constants.Z_FINISH })).toThrow();
});
