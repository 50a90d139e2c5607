import { type Change, createClient, RestError } from '@lintel/client';
import { startTcpProxy } from '@lintel/testkit';
import { baseUrl, tokenOf, unique } from '../api.ts';

const client = createClient({ baseUrl, token: () => tokenOf('manager') });
const bytes = new Uint8Array(200_000).map((_, index) => (index * 7 + (index >> 8)) % 256);

async function* chunks(): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 50_000) yield bytes.subarray(start, start + 50_000);
}

test.each([
  ['bytes', () => bytes],
  ['a blob', () => new Blob([bytes], { type: 'application/pdf' })],
  ['a stream', chunks],
])('%s are uploaded and downloaded with progress', async (_case, content) => {
  const sent: number[] = [];
  const file = await client.files.upload(content(), {
    name: 'Größe.pdf',
    contentType: 'application/pdf',
    onProgress: ({ loaded }) => sent.push(loaded),
  });
  expect(file).toMatchObject({ name: 'Größe.pdf', size: bytes.length });
  expect(sent.at(-1)).toBe(bytes.length);
  const received: number[] = [];
  const download = await client.files.download(file.fileRef, { onProgress: ({ loaded }) => received.push(loaded) });
  expect([download.name, download.contentType, download.size]).toEqual(['Größe.pdf', 'application/pdf', bytes.length]);
  expect(Buffer.compare(await download.bytes(), bytes)).toBe(0);
  expect(received.at(-1)).toBe(bytes.length);
});

test('a download continues where the connection ended, and begins where the caller wants', async () => {
  const { fileRef } = await client.files.upload(bytes, { name: 'resumed.bin' });
  const ranges: (string | undefined)[] = [];
  const breaking = createClient({
    baseUrl,
    token: () => tokenOf('manager'),
    fetch: async (url, init) => {
      ranges.push(init.headers['range']);
      const response = await fetch(url, init);
      return ranges.length > 1 ? response : { ...partsOf(response), body: cut(response.body) };
    },
  });
  const download = await breaking.files.download(fileRef);
  expect(Buffer.compare(await download.bytes(), bytes)).toBe(0);
  expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
  const rest = await client.files.download(fileRef, { start: 150_000, etag: download.etag });
  expect(Buffer.compare(await rest.bytes(), bytes.subarray(150_000))).toBe(0);
  const other = client.files.download(fileRef, { start: 150_000, etag: '"of another file"' });
  await expect(other).rejects.toMatchObject({ code: 'REQ_PRECONDITION_FAILED' });
});

// Asserts contract/files.md#resumable.
test('an upload continues by itself after lost connections, and in another process by its address', async () => {
  const { hostname, port } = new URL(baseUrl);
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  try {
    const remote = createClient({ baseUrl: `http://127.0.0.1:${proxy.port}`, token: () => tokenOf('manager') });
    const large = new Uint8Array(12_000_000).map((_, index) => (index * 7 + (index >> 8)) % 256);
    const cuts = [3_000_000, 10_000_000];
    const sent: number[] = [];
    const file = await remote.files.upload(large, {
      name: 'large.bin',
      onProgress: ({ loaded }) => {
        sent.push(loaded);
        if (loaded < (cuts[0] ?? Number.POSITIVE_INFINITY)) return;
        cuts.shift();
        proxy.cutConnections();
      },
    });
    expect([file.size, sent.at(-1), cuts]).toEqual([large.length, large.length, []]);
    expect(Buffer.compare(await (await client.files.download(file.fileRef)).bytes(), large)).toBe(0);

    const leaving = new AbortController();
    let uploadUrl = '';
    const left = remote.files.upload(large, {
      name: 'continued.bin',
      signal: leaving.signal,
      onUploadUrl: (url) => {
        uploadUrl = url;
      },
      onProgress: ({ loaded }) => loaded > 9_000_000 && leaving.abort(new Error('The page is closed')),
    });
    await expect(left).rejects.toThrow('The page is closed');
    const positions: number[] = [];
    const continued = await client.files.upload(large, {
      uploadUrl,
      onProgress: ({ loaded }) => positions.push(loaded),
    });
    expect(continued).toMatchObject({ name: 'continued.bin', size: large.length });
    expect(positions[0]).toBeGreaterThanOrEqual(8_388_608);
    await client.files.cancelUpload(uploadUrl);
    await expect(client.files.upload(large, { uploadUrl })).rejects.toMatchObject({ code: 'FILE_UPLOAD_NOT_FOUND' });
  } finally {
    await proxy.close();
  }
});

const partsOf = (response: Response) => ({
  status: response.status,
  ok: response.ok,
  headers: response.headers,
  text: () => response.text(),
});

/** The first chunk of a body, then a broken connection. */
function cut(body: Response['body']): ReadableStream<Uint8Array> {
  const reader = body?.getReader();
  let isFirst = true;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await reader?.read();
      if (isFirst && chunk?.value !== undefined) controller.enqueue(chunk.value.subarray(0, 1000));
      else {
        await reader?.cancel();
        controller.error(new Error('connection reset'));
      }
      isFirst = false;
    },
  });
}

const YEAR = { parameters: { from: '2026-01-01', to: '2026-12-31' }, template: 'csv' };

test('a report is run at once, and in the background with progress', async () => {
  const reports = await client.reports.list();
  expect(reports.map(({ code }) => code)).toContain('sales-by-customer');
  const direct = await client.reports.run('sales-by-customer', YEAR);
  expect(direct.name).toMatch(/\.csv$/);
  const text = await direct.text();

  const run = await client.reports.start('sales-by-customer', YEAR);
  const states: string[] = [];
  for await (const { status } of run.states({ intervalMs: 20 })) states.push(status);
  expect(states.at(-1)).toBe('SUCCEEDED');
  const document = await client.reports.runOf(run.id).result({ intervalMs: 20 });
  expect(await document.text()).toBe(text);

  const cancelled = await client.reports.start('sales-by-customer', YEAR);
  await cancelled.cancel().catch(() => undefined);
  const refused = await client.reports.run('sales-by-customer', {}).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RestError);
  expect(refused).toMatchObject({ status: 400, error: 'Run report error' });
});

test('changes are followed, and again after the last one that was processed', async () => {
  const admin = createClient({ baseUrl, token: () => tokenOf('admin') });
  const leaving = new AbortController();
  const seen: Change[] = [];
  let create = async (): Promise<void> => {
    create = async () => {};
    const tag = await admin.create('sales_ProductTag', { name: unique('feed') });
    await admin.update('sales_ProductTag', tag['id'], { name: unique('feed') });
    await admin.remove('sales_ProductTag', tag['id']);
  };
  for await (const change of admin.changes('sales_ProductTag', {
    signal: leaving.signal,
    onConnect: () => void create(),
  })) {
    seen.push(change);
    if (change.change === 'deleted') leaving.abort();
  }
  expect(seen.map(({ change }) => change).slice(-3)).toEqual(['created', 'updated', 'deleted']);

  const [created] = seen;
  const again: string[] = [];
  for await (const change of admin.changes('sales_ProductTag', { lastEventId: String(created?.eventId) })) {
    again.push(change.change);
    if (change.change === 'deleted') break;
  }
  expect(again.slice(-2)).toEqual(['updated', 'deleted']);
  const refused = createClient({ baseUrl, token: () => tokenOf('clerk') }).changes('sec_User');
  await expect(refused.next()).rejects.toMatchObject({ status: 403 });
});
