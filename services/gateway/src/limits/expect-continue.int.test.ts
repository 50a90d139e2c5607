import { connect } from 'node:net';
import { type RunningGateway, startGateway } from '../../test/gateway-fixture.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ 'svc.gateway.max-body-size': '1kb' });
  gateway.upstreams.files.handle = (request, response) => {
    if (request.url?.includes('name=') !== true) return void response.writeHead(400).end('no name');
    request.resume().once('end', () => response.writeHead(201).end('stored'));
  };
});
afterAll(() => gateway.close());

/** Sends the head, and the body as soon as it is asked for; returns the statuses in their order. */
async function upload(query: string, length = 5, authorization = 'Bearer opaque-clerk'): Promise<readonly string[]> {
  let received = '';
  let isSent = false;
  const { port, hostname } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /rest/files${query} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: text/plain\r\n` +
      `Content-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (!isSent && received.includes(' 100 ')) {
        isSent = true;
        socket.write('hello');
      }
      if (/HTTP\/1\.1 [2-5]\d\d/.test(received)) resolve();
    });
    socket.on('close', () => resolve());
  });
  socket.destroy();
  return (received.match(/HTTP\/1\.1 \d+/g) ?? []).map((line) => line.slice(9));
}

test('a client is asked for its body once size, token and name are accepted', async () => {
  expect(await upload('?name=a.txt')).toEqual(['100', '201']);
});

test.each([
  ['a size above the limit', '?name=a.txt', 5_000_000_000, undefined, '413'],
  ['a wrong token', '?name=a.txt', 5, 'Bearer expired', '401'],
  ['no name', '', 5, undefined, '400'],
])('%s is refused before the body is asked for', async (_case, query, length, authorization, status) => {
  expect(await upload(query, length, authorization)).toEqual([status]);
});
