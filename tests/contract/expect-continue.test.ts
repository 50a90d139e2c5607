import { connect } from 'node:net';
import { as, baseUrl, tokenOf } from './api.ts';

/** Sends the head of an upload, and its body as soon as it is asked for; returns the statuses in their order. */
async function upload(target: string, length: number, token: string): Promise<readonly string[]> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const ended = Promise.withResolvers<void>();
  let received = '';
  let isSent = false;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
    if (!isSent && received.includes(' 100 ')) {
      isSent = true;
      socket.write('hello');
    }
    if (/HTTP\/1\.1 [2-5]\d\d/.test(received)) ended.resolve();
  });
  socket.on('close', () => ended.resolve());
  socket.write(
    `POST ${target} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\nContent-Type: text/plain\r\n` +
      `Content-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await ended.promise;
  socket.destroy();
  return (received.match(/HTTP\/1\.1 \d+/g) ?? []).map((line) => line.slice(9));
}

// Asserts contract/files.md#upload.
test('a client is asked for the body of an upload once its size, token and name are accepted', async () => {
  const token = await tokenOf('manager');
  expect(await upload('/rest/files?name=hello.txt', 5, token)).toEqual(['100', '201']);
  expect(await upload('/rest/files?name=hello.txt', 900_000_000_000, token)).toEqual(['413']);
  expect(await upload('/rest/files?name=hello.txt', 5, 'wrong')).toEqual(['401']);
  expect(await upload('/rest/files', 5, token)).toEqual(['400']);
});

test('blanks after the boundary of a form are accepted', async () => {
  const body = '--b \t\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--b-- \r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const response = await as('manager', 'POST', '/files', { body, headers });
  expect([response.status, response.json().size]).toEqual([201, 5]);
});
