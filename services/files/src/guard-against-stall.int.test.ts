import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { eventually } from '@lintel/testkit';
import { guardDownload, guardUpload } from './guard-against-stall.ts';

const STALL_MS = 100;
const PACE = { periodMs: STALL_MS, minBytesPerPeriod: 1_000 };
/** All but those of the guards. */
const OTHER_TIMERS = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setTimeout',
  'clearTimeout',
] as const;

// In an ES module `jest` is a member of `import.meta`.
const { jest: fake } = import.meta as unknown as { readonly jest: typeof jest };

let server: Server;

/** Serves one request with `handle`, guarded. */
async function serve(handle: (request: IncomingMessage) => void): Promise<number> {
  server = createServer((incoming, response) => {
    if (incoming.method === 'GET') {
      guardDownload(incoming, PACE);
      response.write('some');
    } else guardUpload(incoming, PACE);
    handle(incoming);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** An upload whose head has arrived. Periods end when the test wants it, however busy the machine is. */
async function beginUpload(handle: (request: IncomingMessage) => void) {
  fake.useFakeTimers({ doNotFake: [...OTHER_TIMERS] });
  const port = await serve(handle);
  const arrived = once(server, 'request') as Promise<[IncomingMessage]>;
  const sent = request({ port, method: 'POST', headers: { 'Content-Length': 1_000_000 } });
  sent.on('error', () => {});
  sent.flushHeaders();
  const [incoming] = await arrived;
  return { incoming, sent };
}

afterEach(() => {
  fake.useRealTimers();
  server.closeAllConnections();
  server.close();
});

// Asserts contract/files.md#download.
test('an upload that stops arriving loses its connection', async () => {
  const port = await serve((incoming) => incoming.resume());
  const sent = request({ port, method: 'POST', headers: { 'Content-Length': 10 } });
  sent.write('half');
  const [error] = (await once(sent, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNRESET');
});

// Asserts contract/files.md#download.
test('an upload that waits for the storage keeps its connection', async () => {
  const { incoming, sent } = await beginUpload((received) => received.pause());
  sent.write('half');
  fake.advanceTimersByTime(5 * STALL_MS);
  expect(incoming.socket.destroyed).toBe(false);
  // Once the service reads again, the client must continue.
  incoming.resume();
  fake.advanceTimersByTime(2 * STALL_MS);
  expect(incoming.socket.destroyed).toBe(true);
});

// Asserts contract/files.md#download.
test('a download in which nothing moves loses its connection', async () => {
  const port = await serve((incoming) => incoming.resume());
  const [response] = (await once(request({ port }).end(), 'response')) as [IncomingMessage];
  await expect(response.resume().toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('an upload at the rate keeps its connection, one below it loses it', async () => {
  const { incoming, sent } = await beginUpload((received) => received.resume());
  const { socket } = incoming;
  const period = async (bytes: number): Promise<void> => {
    const before = socket.bytesRead;
    sent.write(Buffer.alloc(bytes));
    await eventually(() => expect(socket.bytesRead).toBe(before + bytes));
    fake.advanceTimersByTime(STALL_MS);
  };
  for (let count = 0; count < 3; count += 1) await period(1_000);
  expect(socket.destroyed).toBe(false);
  await period(999);
  expect(socket.destroyed).toBe(true);
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
