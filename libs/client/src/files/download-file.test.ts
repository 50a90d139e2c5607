import { createConnection } from '../connection/create-connection.ts';
import type { FetchLike } from '../platform.ts';
import { type DownloadOptions, downloadFile } from './download-file.ts';

/** A body that breaks after its text. */
function broken(text: string): ReadableStream {
  const bytes = [new TextEncoder().encode(text)];
  return new ReadableStream({
    pull: (controller) => {
      const next = bytes.shift();
      if (next === undefined) controller.error(new Error('reset'));
      else controller.enqueue(next);
    },
  });
}

const HEADERS = { etag: '"1"', 'content-length': '6' };

/** Downloads from a server that responds with these, and notes the ranges that it was asked for. */
function download(responses: readonly Response[], options?: DownloadOptions) {
  const ranges: (string | undefined)[] = [];
  const fetch: FetchLike = async (_url, { headers }) => {
    const response = responses[ranges.length];
    ranges.push(headers['range']);
    if (response === undefined) throw new Error('not scripted');
    return response;
  };
  const connection = createConnection({ baseUrl: 'http://server', fetch, maxRetries: 0 });
  return { ranges, file: downloadFile(connection, 'f', options) };
}

test('an interrupted download continues where it stopped, and is read once', async () => {
  const first = new Response(broken('abc'), { headers: HEADERS });
  const rest = new Response('def', { status: 206, headers: { ...HEADERS, 'content-length': '3' } });
  const { ranges, file } = download([first, rest]);
  const read = await file;
  expect(await read.text()).toBe('abcdef');
  expect(ranges).toEqual([undefined, 'bytes=3-']);
  await expect(read.text()).rejects.toThrow(TypeError);
  await expect(read.bytes()).rejects.toThrow(TypeError);
});

test('a server that sends the whole file instead of the rest is an error', async () => {
  const whole = () => new Response('abcdef', { headers: HEADERS });
  const { file } = download([new Response(broken('abc'), { headers: HEADERS }), whole()]);
  await expect((await file).text()).rejects.toMatchObject({ code: 'DOWNLOAD_RANGE' });
  await expect(download([whole()], { start: 3 }).file).rejects.toMatchObject({ code: 'DOWNLOAD_RANGE' });
});

test('a download continues an earlier one, if the file has the same tag', async () => {
  const rest = new Response('def', { status: 206, headers: { ...HEADERS, 'content-length': '3' } });
  const conditions: (string | undefined)[] = [];
  const fetch: FetchLike = async (_url, { headers }) => {
    conditions.push(headers['range'], headers['if-match']);
    return rest;
  };
  const connection = createConnection({ baseUrl: 'http://server', fetch });
  const file = await downloadFile(connection, 'f', { start: 3, etag: '"1"' });
  expect([await file.text(), file.etag]).toEqual(['def', '"1"']);
  expect(conditions).toEqual(['bytes=3-', '"1"']);
});

test('an exception of the progress callback ends the download', async () => {
  const failure = new Error('mine');
  const onProgress = () => {
    throw failure;
  };
  const { ranges, file } = download([new Response('abcdef', { headers: HEADERS })], { onProgress });
  await expect((await file).text()).rejects.toBe(failure);
  expect(ranges).toHaveLength(1);
});
