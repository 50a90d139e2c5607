import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createServiceClient, type ServiceClient } from './service-client.ts';

/** No server listens there. */
const NOWHERE = 'http://127.0.0.1:1';

let server: Server;
let url: string;
let requests: { readonly request: IncomingMessage; readonly body: string }[];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    requests.push({ request, body: await text(request) });
    switch (request.url) {
      case '/json':
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}');
      case '/problem':
        return response.writeHead(401, { 'content-type': 'application/problem+json' }).end('{"reason":"expired"}');
      case '/page':
        return response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
      case '/silent':
        return undefined;
      default:
        return response.writeHead(204).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function withClient<T>(
  urls: readonly string[],
  work: (client: ServiceClient) => Promise<T>,
  timeoutMs = 30_000,
): Promise<T> {
  const client = createServiceClient(urls, { timeoutMs, service: 'probe', metrics: undefined });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

test('a request has the bearer token and its value as JSON', async () => {
  await withClient([url], (client) => client.sendJson('/json', { method: 'POST', token: 'T', json: { b: 2 } }));
  expect(requests.map(({ request: { method, headers }, body }) => [method, headers.authorization, body])).toEqual([
    ['POST', 'Bearer T', '{"b":2}'],
  ]);
});

test.each([
  ['/json', { status: 200, body: { a: 1 } }],
  ['/problem', { status: 401, body: { reason: 'expired' } }],
  ['/page', { status: 502, body: undefined }],
  ['/empty', { status: 204, body: undefined }],
])('the response of %s is read', async (path, expected) => {
  expect(await withClient([url], (client) => client.sendJson(path, { token: 'T' }))).toEqual(expected);
});

test('the next replica is called where one cannot be reached', async () => {
  for (const urls of [
    [NOWHERE, url],
    [url, NOWHERE],
  ])
    expect(await withClient(urls, (client) => client.sendJson('/json', { token: 'T' }))).toMatchObject({ status: 200 });
});

test('a body that is a stream is sent once', async () => {
  const sent = withClient([NOWHERE, NOWHERE, url], async (client) => {
    const body = Readable.from([Buffer.from('once')], { objectMode: false });
    return (await client.send('/', { method: 'POST', token: 'T', body })).statusCode;
  });
  await expect(sent).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a service that does not respond in time is an error', async () => {
  const sent = withClient([url], (client) => client.sendJson('/silent', { token: 'T' }), 300);
  await expect(sent).rejects.toMatchObject({ name: 'TimeoutError' });
});
