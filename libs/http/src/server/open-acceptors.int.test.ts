import { connect, type Socket } from 'node:net';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { listen, type RunningServer } from './listen.ts';
import { ACCEPTORS } from './open-acceptors.ts';

const CONNECTIONS = 8 * ACCEPTORS;

let server: RunningServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

const open = (): Socket => {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
};

test('an iteration of the event loop accepts several connections', async () => {
  server = await listen((_request, response) => void response.end('served'), { host: '127.0.0.1', port: 0 });
  let served = 0;
  for (let count = 0; count < CONNECTIONS; count += 1)
    open()
      .once('data', () => {
        served += 1;
      })
      .write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  let iterations = 0;
  while (served < CONNECTIONS) {
    await nextIteration();
    iterations += 1;
    // All connections are established, and all bytes that can arrive have arrived, before the next iteration.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
  expect(iterations).toBeLessThan(CONNECTIONS / 2);
});

test('a port that another server has cannot be had', async () => {
  server = await listen((_request, response) => void response.end(), { host: '127.0.0.1', port: 0 });
  await expect(
    listen((_request, response) => void response.end(), { host: '127.0.0.1', port: server.port }),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a server that closes ends idle connections of all its listening sockets, and accepts no more', async () => {
  server = await listen((_request, response) => void response.end('served'), { host: '127.0.0.1', port: 0 });
  const ended = Array.from({ length: CONNECTIONS }, () => {
    const socket = open();
    return new Promise<void>((resolve) => {
      socket.once('data', () => undefined).once('close', () => resolve());
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    });
  });
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))));
  await server.close();
  await Promise.all(ended);
  await expect(
    new Promise((resolve, reject) => connect(server.port, '127.0.0.1').once('connect', resolve).once('error', reject)),
  ).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
