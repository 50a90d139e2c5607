import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardDownload, guardUpload } from './guard-against-stall.ts';

const STALL_MS = 100;
let server: Server;

/** Serves one request with `handle`, guarded. */
async function serve(handle: (request: IncomingMessage) => void): Promise<number> {
  server = createServer((incoming, response) => {
    if (incoming.method === 'GET') {
      guardDownload(incoming, STALL_MS);
      response.write('some');
    } else guardUpload(incoming, STALL_MS);
    handle(incoming);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('an upload that stops arriving loses its connection', async () => {
  const port = await serve((incoming) => incoming.resume());
  const sent = request({ port, method: 'POST', headers: { 'Content-Length': 10 } });
  sent.write('half');
  const [error] = (await once(sent, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNRESET');
});

test('an upload that waits for the storage keeps its connection', async () => {
  let incoming: IncomingMessage | undefined;
  const port = await serve((received) => {
    incoming = received;
    received.pause();
  });
  const sent = request({ port, method: 'POST', headers: { 'Content-Length': 10 } });
  const errors: unknown[] = [];
  sent.on('error', (error) => errors.push(error));
  sent.write('half');
  await new Promise((resolve) => setTimeout(resolve, 5 * STALL_MS));
  expect(errors).toEqual([]);
  // Once we read again, it is the sender who must go on.
  incoming?.resume();
  await new Promise((resolve) => sent.once('close', resolve));
  expect(errors).toHaveLength(1);
});

test('a download in which nothing moves loses its connection', async () => {
  const port = await serve((incoming) => incoming.resume());
  const [answer] = (await once(request({ port }).end(), 'response')) as [IncomingMessage];
  await expect(answer.resume().toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
});
