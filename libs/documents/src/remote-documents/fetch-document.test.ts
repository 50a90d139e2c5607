import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteReader, type RemoteOptions } from './fetch-document.ts';

let server: Server;
let host: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    switch (request.url) {
      case '/rows':
        return response.end('[1]');
      case '/elsewhere':
        return response.writeHead(302, { location: '/rows' }).end();
      case '/large':
        return response.end('x'.repeat(2_000));
      case '/silent':
        return undefined;
      default:
        return response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function read(url: string, options: Partial<RemoteOptions> = {}): Promise<string> {
  const reader = createRemoteReader({
    allowedHosts: [host, 'localhost:*', `localhost:${host.split(':')[1]}`],
    timeoutMs: 10_000,
    maxBytes: 1_000,
    allowInsecurePrivateAddresses: true,
    ...options,
  });
  try {
    return new TextDecoder().decode(await reader.read(url, new AbortController().signal));
  } finally {
    await reader.close();
  }
}

test('a document of an allowed host is read', async () => {
  expect(await read(`http://${host}/rows`)).toBe('[1]');
});

// Asserts contract/report-templates.md#safety.
test.each([
  ['a host that is not on the list', 'http://example.com/rows', {}, 'Reports may not read from example.com'],
  ['a host whose name only ends alike', 'http://evilexample.com/', { allowedHosts: ['*.example.com'] }, 'not in svc'],
  ['another scheme', 'file:///etc/passwd', {}, 'is not valid'],
  ['no address', 'rows', {}, 'is not valid'],
  ['an address with a user', 'http://a:b@example.com/', {}, 'has no user'],
])('refuses %s', async (_, url, options, message) => {
  await expect(read(url, options)).rejects.toThrow(message);
});

// Asserts contract/report-templates.md#safety.
test('refuses private addresses, also those of names, when it connects', async () => {
  const options = { allowInsecurePrivateAddresses: false };
  await expect(read(`http://${host}/rows`, options)).rejects.toThrow('is no public address');
  const named = `localhost:${host.split(':')[1]}`;
  await expect(read(`http://${named}/rows`, options)).rejects.toThrow('localhost is at no public address');
});

test.each([
  ['a redirect', '/elsewhere', {}, 'returned 302'],
  ['a status other than 200', '/nothing', {}, 'returned 404'],
  ['a document that is too large', '/large', {}, 'cannot be read'],
  ['a server that says nothing', '/silent', { timeoutMs: 300 }, 'cannot be read'],
])('refuses %s', async (_, path, options, message) => {
  await expect(read(`http://${host}${path}`, options)).rejects.toThrow(message);
});
