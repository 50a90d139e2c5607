import { request } from 'node:http';
import type { Client, TestResponse } from './files-fixture.ts';

export const VERSION = { 'Tus-Resumable': '1.0.0' };
const BYTES = { 'Content-Type': 'application/offset+octet-stream' };
export const metadataOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');

/** Sends the requests of tus as one of the fake callers. */
export interface TusRequests {
  create(length: number, headers?: Record<string, string>, token?: string): Promise<TestResponse>;
  /** Begins an upload, and returns its path. */
  begin(length: number, metadata?: Readonly<Record<string, string>>): Promise<string>;
  append(path: string, offset: number, bytes: Uint8Array | string, token?: string): Promise<TestResponse>;
  send(method: string, path: string, headers?: Record<string, string>, token?: string): Promise<TestResponse>;
  /** `Upload-Offset` of a HEAD. */
  offset(path: string): Promise<number>;
}

export function createTusRequests({ call }: Client): TusRequests {
  const send: TusRequests['send'] = (method, path, headers = {}, token = 'user') =>
    call(path, { method, headers: { ...VERSION, ...headers } }, token);
  const create: TusRequests['create'] = (length, headers = {}, token = 'user') =>
    send('POST', '/rest/files/uploads', { 'Upload-Length': String(length), ...headers }, token);
  return {
    send,
    create,
    async begin(length, metadata = { filename: 'large.bin' }) {
      const created = await create(length, { 'Upload-Metadata': metadataOf(metadata) });
      return new URL(created.headers.get('location') ?? '').pathname;
    },
    append: (path, offset, bytes, token = 'user') =>
      call(
        path,
        {
          method: 'PATCH',
          headers: { ...VERSION, ...BYTES, 'Upload-Offset': String(offset) },
          body: bytes as NonNullable<RequestInit['body']>,
        },
        token,
      ),
    offset: async (path) => Number((await send('HEAD', path)).headers.get('upload-offset')),
  };
}

/** Sends bytes for an upload, and ends the connection after some of them. Resolves when it is closed. */
export function sendAndBreak(url: string, offset: number, announced: number, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(url, {
      method: 'PATCH',
      agent: false,
      headers: {
        ...VERSION,
        ...BYTES,
        Authorization: 'Bearer user',
        'Upload-Offset': offset,
        'Content-Length': announced,
      },
    });
    sent.once('error', () => {});
    sent.once('close', resolve);
    sent.write(bytes, () => setTimeout(() => sent.destroy(), 20));
  });
}
