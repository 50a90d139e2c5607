import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { drainRequest } from './drain-request.ts';

const MIB = 1024 * 1024;

/** Accepts one chunk and never another one. */
const stuck = (): Writable => new Writable({ highWaterMark: 1, write() {} });

test.each<[string, (request: IncomingMessage) => () => void]>([
  ['nobody reads', () => () => {}],
  [
    'goes to somebody who ends later',
    (request) => {
      const target = stuck();
      request.pipe(target);
      return () => target.destroy();
    },
  ],
  [
    'has been paused, and is paused again',
    (request) => {
      request.pause();
      return () => request.pause();
    },
  ],
])('a body that %s is received to its end, and the connection goes on', async (_case, consume) => {
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end('second');
    const end = consume(request);
    response.end('first');
    drainRequest(request);
    end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const answered = new Promise<string>((resolve) => {
    let received = '';
    socket.on('data', (piece) => {
      received += piece.toString();
      if (received.includes('second')) resolve(received);
    });
  });
  const sent = [
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${16 * MIB}\r\n\r\n`,
    ...Array.from({ length: 16 }, () => Buffer.alloc(MIB)),
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  ];
  await pipeline(Readable.from(sent), socket, { end: false });
  expect(await answered).toMatch(/first.*second/s);
  socket.destroy();
  server.close();
});
