import { createConnection } from '../connection/create-connection.ts';
import type { FetchLike } from '../platform.ts';
import { type UploadOptions, uploadFile } from './upload-file.ts';
import { CHUNK_BYTES, cancelUpload } from './upload-resumably.ts';

const FILE = { fileRef: 'fs://x', name: 'a', size: 1 };
const STORED = '/rest/files/uploads/fs~1';

/** What the server does with a request with bytes: breaks after some of them, responds with a status. */
type Fault = { readonly breakAfter: number } | { readonly status: number; readonly code?: string };

/** A server that keeps one upload, and a client of it. */
function startServer(faults: Readonly<Record<number, Fault>> = {}, length?: number) {
  const seen: string[] = [];
  const stored: Uint8Array[] = [];
  let metadata = '';
  let size = length ?? 0;
  let patches = 0;
  const offset = (): number => stored.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const state = () => new Headers({ 'upload-offset': `${offset()}`, 'upload-length': `${size}` });
  const fetch: FetchLike = async (url, { method, headers, body }) => {
    seen.push(`${method} ${url.replace('http://server', '')} ${headers['upload-offset'] ?? ''}`.trim());
    if (method === 'POST') {
      size = Number(headers['upload-length']);
      metadata = headers['upload-metadata'] ?? '';
      return new Response(null, { status: 201, headers: { location: `https://public.example${STORED}` } });
    }
    if (method === 'GET') return Response.json(FILE);
    if (method === 'HEAD' || method === 'DELETE') return new Response(null, { status: 200, headers: state() });
    patches += 1;
    const fault = faults[patches];
    if (fault !== undefined && 'status' in fault)
      return Response.json({}, { status: fault.status, headers: { 'x-error-code': fault.code ?? '' } });
    const bytes = new Uint8Array(await new Response(body).arrayBuffer());
    stored.push(fault === undefined ? bytes : bytes.subarray(0, fault.breakAfter));
    if (fault !== undefined) throw new TypeError('fetch failed');
    return new Response(null, { status: 204, headers: state() });
  };
  const connection = createConnection({ baseUrl: 'http://server', fetch });
  return {
    seen,
    connection,
    metadata: () => metadata,
    content: async () => new Blob(stored as Uint8Array<ArrayBuffer>[]).text(),
    upload: (content: Parameters<typeof uploadFile>[1], options: UploadOptions = {}) =>
      uploadFile(connection, content, { name: 'Größe.txt', ...options }),
  };
}

test('a large content is sent in several requests, a small one in a single one', async () => {
  const server = startServer();
  const large = new Uint8Array(CHUNK_BYTES + 1);
  expect(await server.upload(large, { contentType: 'text/plain', storageName: 'archive' })).toEqual(FILE);
  expect(server.seen).toEqual([
    'POST /rest/files/uploads',
    `PATCH ${STORED} 0`,
    `PATCH ${STORED} ${CHUNK_BYTES}`,
    `GET ${STORED}`,
  ]);
  expect(server.metadata()).toBe('filename R3LDtsOfZS50eHQ=,filetype dGV4dC9wbGFpbg==,storageName YXJjaGl2ZQ==');
  for (const [content, options] of [
    ['small', {}],
    [large, { resumable: false }],
  ] as const) {
    const single = startServer();
    await single.upload(content, options).catch(() => {});
    expect(single.seen).toEqual([expect.stringMatching(/^POST \/rest\/files\?name=/)]);
  }
});

// Asserts contract/files.md#resumable.
test.each<[string, Fault, number]>([
  ['the network', { breakAfter: 3 }, 3],
  ['a server between', { status: 502 }, 0],
  ['another request', { status: 409, code: 'FILE_UPLOAD_OFFSET' }, 0],
])('after a failure of %s the upload continues where the server is', async (_what, fault, offset) => {
  const server = startServer({ 1: fault });
  const sent: number[] = [];
  const urls: string[] = [];
  await server.upload('abcdef', {
    resumable: true,
    onProgress: ({ loaded }) => sent.push(loaded),
    onUploadUrl: (url) => urls.push(url),
  });
  expect(await server.content()).toBe('abcdef');
  expect(server.seen.slice(1)).toEqual([
    `PATCH ${STORED} 0`,
    `HEAD ${STORED}`,
    `PATCH ${STORED} ${offset}`,
    `GET ${STORED}`,
  ]);
  expect([sent.at(-1), urls]).toEqual([6, [`https://public.example${STORED}`]]);
});

test('an upload continues by its address, at the server of the connection', async () => {
  const server = startServer({}, 6);
  await server.upload('abcdef', { uploadUrl: `https://public.example${STORED}` });
  expect(server.seen).toEqual([`HEAD ${STORED}`, `PATCH ${STORED} 0`, `GET ${STORED}`]);
  await expect(server.upload('abc', { uploadUrl: STORED })).rejects.toMatchObject({ code: 'UPLOAD_LENGTH' });
  await cancelUpload(server.connection, `https://public.example${STORED}`);
  expect(server.seen.at(-1)).toBe(`DELETE ${STORED}`);
});

test('a stream is collected, and an empty content needs no bytes', async () => {
  const server = startServer();
  async function* chunks() {
    yield new TextEncoder().encode('abc');
    yield new TextEncoder().encode('def');
  }
  await server.upload(chunks(), { resumable: true });
  expect(await server.content()).toBe('abcdef');
  const empty = startServer();
  await empty.upload('', { resumable: true });
  expect(empty.seen).toEqual(['POST /rest/files/uploads', `GET ${STORED}`]);
});

test('a refusal, an abort and an exception of the progress callback end it', async () => {
  const refusing = startServer({ 1: { status: 413, code: 'FILE_TOO_LARGE' } });
  await expect(refusing.upload('abc', { resumable: true })).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  expect(refusing.seen).toHaveLength(2);

  const aborting = startServer({ 1: { breakAfter: 1 } });
  const leaving = new AbortController();
  const reason = new Error('left');
  const upload = aborting.upload('abc', { resumable: true, signal: leaving.signal, onUploadUrl: () => {} });
  leaving.abort(reason);
  await expect(upload).rejects.toBe(reason);

  const failing = startServer();
  const mine = new Error('mine');
  const onProgress = () => {
    throw mine;
  };
  await expect(failing.upload('abc', { resumable: true, onProgress })).rejects.toBe(mine);
  expect(failing.seen).toEqual(['POST /rest/files/uploads', `PATCH ${STORED} 0`]);
});
