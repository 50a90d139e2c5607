import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSender } from './create-sender.ts';
import { createReceiverRules } from './receiver-rules.ts';

let server: Server;
let port: number;
let received: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    request.resume();
    if (request.url === '/elsewhere') response.writeHead(307, { location: '/taken' }).end();
    else if (request.url === '/endless') {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    } else if (request.url === '/unended') {
      response.writeHead(200);
      response.write('and then');
    } else if (request.url === '/broken') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('and then', () => response.destroy());
    } else if (request.url === '/refused') response.writeHead(400).end('what is written here stays here');
    else if (request.url === '/taken') response.writeHead(202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  received = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function send(path: string, allowedNetworks: readonly string[], host = '127.0.0.1', timeoutMs = 5_000) {
  const sender = createSender(createReceiverRules({ allowInsecureHttp: true, allowedNetworks }), timeoutMs);
  try {
    return await sender.send(`http://${host}:${port}${path}`, {}, '{}', new AbortController().signal);
  } finally {
    await sender.close();
  }
}

const HERE = ['127.0.0.0/8', '::1'];

test('a response of 2xx accepts a message, with any length of the body', async () => {
  expect(await send('/taken', HERE)).toEqual({ isTaken: true, status: 202 });
  expect(await send('/endless', HERE)).toEqual({ isTaken: true, status: 200 });
});

test('a response of 2xx accepts a message, even if its body never ends or is truncated', async () => {
  expect(await send('/unended', HERE, '127.0.0.1', 2_000)).toEqual({ isTaken: true, status: 200 });
  expect(await send('/broken', HERE)).toEqual({ isTaken: true, status: 200 });
});

test('a redirection is not followed', async () => {
  expect(await send('/elsewhere', HERE)).toEqual({ isTaken: false, status: 307, error: '127.0.0.1 returned 307' });
  expect(received).toEqual(['POST /elsewhere']);
});

test('no text of the receiver is stored', async () => {
  expect(await send('/refused', HERE)).toEqual({ isTaken: false, status: 400, error: '127.0.0.1 returned 400' });
});

test('a receiver without a response has a timeout', async () => {
  const { isTaken, error } = await send('/silent', HERE, '127.0.0.1', 200);
  expect({ isTaken, error }).toEqual({ isTaken: false, error: '127.0.0.1 did not respond within 200 ms' });
});

test('a name that resolves to an address of this machine is refused when the connection is opened', async () => {
  // Every machine has this name, and the rules refuse it by name; so they are disabled here.
  const rules = createReceiverRules({ allowInsecureHttp: true, allowedNetworks: [] });
  const sender = createSender({ ...rules, problemOf: () => undefined }, 5_000);
  try {
    const response = await sender.send(`http://localhost:${port}/taken`, {}, '{}', new AbortController().signal);
    expect(response).toEqual({ isTaken: false, error: 'localhost is at no public address' });
  } finally {
    await sender.close();
  }
  expect(received).toEqual([]);
});

test('an address that the current rules refuse is not called', async () => {
  expect(await send('/taken', [])).toEqual({ isTaken: false, error: 'The URL must lead to a public address' });
  expect(received).toEqual([]);
});

test('an unreachable receiver is reported as such', async () => {
  const sender = createSender(createReceiverRules({ allowInsecureHttp: true, allowedNetworks: HERE }), 5_000);
  try {
    const response = await sender.send('http://127.0.0.1:2/', {}, '{}', new AbortController().signal);
    expect(response).toEqual({ isTaken: false, error: '127.0.0.1 cannot be reached (ECONNREFUSED)' });
  } finally {
    await sender.close();
  }
});
