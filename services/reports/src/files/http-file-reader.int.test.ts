import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpFileReader, type HttpFileReader } from './http-file-reader.ts';

const REFERENCE = 'fs://2026/01/02/a b?name=x';
let server: Server;
let reader: HttpFileReader;
let impatient: HttpFileReader;
const seen: unknown[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    const fileRef = url.searchParams.get('fileRef') ?? '';
    seen.push([url.pathname, fileRef, request.headers.authorization]);
    if (fileRef === REFERENCE) response.end('bytes');
    else if (fileRef === 'large') response.end('x'.repeat(2_000));
    else if (fileRef !== 'silent') response.writeHead(Number(fileRef)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const filesInternalUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  reader = createHttpFileReader({ filesInternalUrl, timeoutMs: 120_000, maxBytes: 1_000 });
  impatient = createHttpFileReader({ filesInternalUrl, timeoutMs: 100, maxBytes: 1_000 });
});
afterAll(async () => {
  await reader.close();
  await impatient.close();
  server.closeAllConnections();
  server.close();
});
const read = async (fileRef: string, signal = new AbortController().signal, by = reader): Promise<string> =>
  Buffer.from(await by.read(fileRef, async () => 'token', signal)).toString();

test('a file is read with the token of the run', async () => {
  expect(await read(REFERENCE)).toBe('bytes');
  expect(seen).toEqual([['/internal/files', REFERENCE, 'Bearer token']]);
});

test.each(['400', '404'])('where the files service responds %s there is no file', async (status) => {
  await expect(read(status)).rejects.toThrow('There is no file of a reference');
});

const unavailable = { code: 'FILE_STORAGE_UNAVAILABLE' };

test.each(['401', '500', '503'])('where it responds %s files cannot be read now', async (status) => {
  await expect(read(status)).rejects.toMatchObject(unavailable);
});

test('where it does not respond in time files cannot be read now', async () => {
  await expect(read('silent', undefined, impatient)).rejects.toMatchObject(unavailable);
});

// Asserts contract/report-templates.md#safety.
test('a file that is too large is refused', async () => {
  await expect(read('large')).rejects.toThrow('A file has more than 1000 bytes');
});

test('a run that has ended does not wait', async () => {
  await expect(read('silent', AbortSignal.abort(new Error('the client left')))).rejects.toThrow('the client left');
});
