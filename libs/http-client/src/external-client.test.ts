import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExternalClient } from './external-client.ts';
import { isPrivateAddress } from './ssrf-guard/private-addresses.ts';

let server: Server;
let port: number;
let requests = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests += 1;
    if (request.url === '/redirect') response.writeHead(302, { location: '/' }).end();
    else response.end(JSON.stringify(request.headers));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  requests = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function fetchText(
  url: string,
  isRefused: (address: string) => boolean,
): Promise<{ readonly status: number; readonly text: string }> {
  const client = createExternalClient({ timeoutMs: 5_000, isRefused });
  try {
    const { statusCode, body } = await client.send(new URL(url), {});
    return { status: statusCode, text: await body.text() };
  } finally {
    await client.destroy();
  }
}

test.each(['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost'])('a private address is refused: %s', async (host) => {
  await expect(fetchText(`http://${host}:${port}/`, isPrivateAddress)).rejects.toMatchObject({
    name: 'AddressRefusedError',
  });
  expect(requests).toBe(0);
});

test('a port of another protocol is refused, at any address', async () => {
  for (const blocked of [22, 25, 6667])
    await expect(fetchText(`http://127.0.0.1:${blocked}/`, () => false)).rejects.toMatchObject({
      name: 'AddressRefusedError',
      message: `127.0.0.1:${blocked} has a port of another protocol`,
    });
});

test('neither a token nor a trace is sent, and redirects are not followed', async () => {
  const { text } = await fetchText(`http://127.0.0.1:${port}/`, () => false);
  expect(Object.keys(JSON.parse(text) as object).sort()).toEqual(['connection', 'host']);
  expect(await fetchText(`http://127.0.0.1:${port}/redirect`, () => false)).toMatchObject({ status: 302 });
  expect(requests).toBe(2);
});
