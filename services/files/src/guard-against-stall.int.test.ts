import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { eventually } from '@lintel/testkit';
import { guardDownload, guardUpload } from './guard-against-stall.ts';

const STALL_MS = 100;
const PACE = { periodMs: STALL_MS, minBytesPerPeriod: 1_000 };
/** With periods in which a busy machine sends something, too. */
const PATIENT_PACE = { ...PACE, periodMs: 5 * STALL_MS };
let server: Server;

/** Serves one request with `handle`, guarded. */
async function serve(handle: (request: IncomingMessage) => void, pace = PACE): Promise<number> {
  server = createServer((incoming, response) => {
    if (incoming.method === 'GET') {
      guardDownload(incoming, pace);
      response.write('some');
    } else guardUpload(incoming, pace);
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
  // Once the service reads again, the client must continue.
  incoming?.resume();
  await new Promise((resolve) => sent.once('close', resolve));
  expect(errors).toHaveLength(1);
});

test('a download in which nothing moves loses its connection', async () => {
  const port = await serve((incoming) => incoming.resume());
  const [response] = (await once(request({ port }).end(), 'response')) as [IncomingMessage];
  await expect(response.resume().toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('an upload that arrives byte by byte loses its connection, one at the rate keeps it', async () => {
  const port = await serve((incoming) => incoming.resume(), PATIENT_PACE);
  const slow = request({ port, method: 'POST', headers: { 'Content-Length': 1_000_000 } });
  const dripping = setInterval(() => slow.write('x'), 5);
  const [error] = (await once(slow, 'error')) as [NodeJS.ErrnoException];
  clearInterval(dripping);
  expect(['ECONNRESET', 'EPIPE']).toContain(error.code);

  const fast = request({ port, method: 'POST', headers: { 'Content-Length': 1_000_000 } });
  const errors: unknown[] = [];
  fast.on('error', (failure) => errors.push(failure));
  const flowing = setInterval(() => fast.write(Buffer.alloc(2_000)), 10);
  await new Promise((resolve) => setTimeout(resolve, 3 * PATIENT_PACE.periodMs));
  clearInterval(flowing);
  expect(errors).toEqual([]);
  fast.destroy();
});

test('a download whose client reads byte by byte loses its connection', async () => {
  let closed: Promise<unknown> | undefined;
  const port = await serve((incoming) => {
    closed = once(incoming.socket, 'close');
  });
  server.on('request', (_incoming, response) => response.write(Buffer.alloc(20_000_000)));
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const reading = setInterval(() => socket.read(1), 5);
  await eventually(() => expect(closed).toBeDefined());
  await closed;
  clearInterval(reading);
  socket.destroy();
});
