import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { HttpConnection } from './http-connection.ts';

/** A server that responds to each request with the next list of pieces, each its own packet. */
async function serve(responses: readonly (readonly string[])[]) {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('data', (chunk) => {
      const response = responses[requests.push(String(chunk)) - 1];
      if (response === undefined) socket.destroy();
      else void sendPieces(socket, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url, requests, close };
}

async function sendPieces(socket: Socket, pieces: readonly string[]): Promise<void> {
  socket.setNoDelay(true);
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('responses are read to their end, whole, in pieces, chunked or without a body', async () => {
  const server = await serve([
    ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
    ['HTTP/1.1 201 Created\r\nContent-', 'Length: 4\r\n', '\r', '\nab', 'cd'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n', '0\r\n', '\r\n'],
    ['HTTP/1.1 204 No Content\r\n\r\n'],
    ['HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'],
  ]);
  const connection = await HttpConnection.open(server.url, 'token');
  const call = { method: 'GET', path: '/a' } as const;
  const statuses = [];
  for (let at = 0; at < 5; at += 1) statuses.push((await connection.send(call)).status);
  expect(statuses).toEqual([200, 201, 200, 204, 404]);
  expect(server.requests[0]).toContain('GET /a HTTP/1.1\r\n');
  expect(server.requests[0]).toContain('Authorization: Bearer token\r\n');
  await expect(connection.send(call)).rejects.toThrow('The server closed the connection');
  server.close();
});

test('a body is sent with its length in bytes', async () => {
  const server = await serve([['HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n']]);
  const connection = await HttpConnection.open(server.url, 't');
  await connection.send({ method: 'POST', path: '/', body: '{"a":"ä"}' });
  expect(server.requests[0]).toMatch(/Content-Length: 10\r\n\r\n\{"a":"ä"\}$/);
  connection.close();
  server.close();
});
