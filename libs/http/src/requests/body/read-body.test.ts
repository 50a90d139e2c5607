import { createServer, IncomingMessage } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { readBody } from './read-body.ts';

/** A request as the HTTP parser of Node creates it. */
function requestWith(...chunks: readonly string[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  for (const chunk of chunks) request.push(Buffer.from(chunk));
  return request;
}

function complete(request: IncomingMessage): IncomingMessage {
  request.complete = true;
  request.push(null);
  return request;
}

test('a body that has arrived is read at once, and the request ends', async () => {
  const request = complete(requestWith('{"a":', '1}'));
  const ended = new Promise((resolve) => request.once('end', resolve));
  const body = readBody(request, 7);
  expect(request.listenerCount('data')).toBe(0);
  expect(String(await body)).toBe('{"a":1}');
  await ended;
});

test('a body that has arrived in part is read when the rest is there', async () => {
  const request = requestWith('{"a":');
  const body = readBody(request, 100);
  request.push(Buffer.from('1}'));
  complete(request);
  expect(String(await body)).toBe('{"a":1}');
});

test('a request without a body has an empty one', async () => {
  expect(await readBody(complete(requestWith()), 100)).toHaveLength(0);
});

test.each([
  ['has arrived', (request: IncomingMessage) => complete(request)],
  ['arrives', (request: IncomingMessage) => request],
])('a body that %s is refused if it is too large', async (_, prepare) => {
  const body = readBody(prepare(requestWith('{"a":1}')), 6);
  await expect(body).rejects.toMatchObject({ code: 'REQ_BODY_TOO_LARGE' });
});

test('a body that the client did not send to its end is refused', async () => {
  const request = requestWith('{"a":');
  const body = readBody(request, 100);
  request.destroy();
  await expect(body).rejects.toMatchObject({ code: 'REQ_INVALID_PARAMETER' });
});

test('a body is refused if its client disconnected after sending it', async () => {
  const request = complete(requestWith('{"a":1}'));
  request.destroy();
  await expect(readBody(request, 100)).rejects.toMatchObject({ code: 'REQ_INVALID_PARAMETER' });
});

test('a small body that arrives with its head needs no listeners', async () => {
  let listens = false;
  const server = createServer((request, response) => {
    request.on('newListener', (name: string) => {
      listens ||= name === 'data';
    });
    // What a handler awaits without waiting for input is over before Node parses the body.
    void Promise.resolve()
      .then(() => readBody(request, 100))
      .then((body) => response.setHeader('Connection', 'close').end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n{"a":1}');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  expect([text.endsWith('{"a":1}'), listens]).toEqual([true, false]);
  server.close();
});
