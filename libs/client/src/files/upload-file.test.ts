import { createConnection } from '../connection/create-connection.ts';
import type { FetchLike } from '../platform.ts';
import { uploadFile } from './upload-file.ts';

async function* stream() {
  yield new TextEncoder().encode('abc');
}

/** The body that a request has. */
async function bodyOf(content: Parameters<typeof uploadFile>[1], onProgress?: () => void): Promise<unknown> {
  const bodies: unknown[] = [];
  const fetch: FetchLike = async (_url, { body }) => {
    bodies.push(body);
    return Response.json({});
  };
  await uploadFile(createConnection({ baseUrl: 'http://server', fetch }), content, { onProgress });
  return bodies[0];
}

test('Node sends a stream as it is', async () => {
  expect(await bodyOf(stream())).toHaveProperty([Symbol.asyncIterator]);
});

test('a worker of a browser, without XMLHttpRequest, sends no stream', async () => {
  const { process } = globalThis;
  try {
    Object.assign(globalThis, { process: undefined });
    expect(await bodyOf(stream())).toBeInstanceOf(Blob);
    expect(await bodyOf('abc', () => {})).toBe('abc');
  } finally {
    Object.assign(globalThis, { process });
  }
});
