import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Upload, type UploadOptions } from 'tus-js-client';
import { createClient, describeStorages, refOf } from '../../test/files-fixture.ts';

/** A proxy that ends each of its first connections after some bytes of the client. */
async function startBreakingProxy(target: URL, breaks: number, afterBytes: number) {
  const sockets = new Set<Socket>();
  let broken = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let passed = 0;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    upstream.pipe(client);
    client.on('data', (chunk: Buffer) => {
      passed += chunk.length;
      upstream.write(chunk);
      if (passed < afterBytes || broken >= breaks) return;
      broken += 1;
      client.destroy();
      upstream.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    broken: () => broken,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describeStorages('tus-js-client with %s', (service) => {
  const client = createClient(() => service.server.url);
  const bytes = randomBytes(6_000_000);

  const upload = (url: string, options: UploadOptions): Promise<{ readonly url: string; readonly sent: number[] }> =>
    new Promise((resolve, reject) => {
      const sent: number[] = [];
      const started = new Upload(bytes, {
        endpoint: `${url}/rest/files/uploads`,
        headers: { Authorization: 'Bearer user' },
        metadata: { filename: 'by tus.bin', filetype: 'application/x-test' },
        retryDelays: [10, 10, 10, 10],
        onProgress: (loaded) => sent.push(loaded),
        onError: reject,
        onSuccess: () => resolve({ url: started.url ?? '', sent }),
        ...options,
      });
      started.start();
    });

  const assertStored = async (url: string): Promise<void> => {
    const path = new URL(url).pathname;
    const { fileRef, name, size } = (await client.call(path)).json();
    expect([name, size]).toEqual(['by tus.bin', bytes.length]);
    const download = await client.call(refOf(fileRef));
    expect(Buffer.compare(download.bytes, bytes)).toBe(0);
    expect(download.headers.get('content-type')).toBe('application/x-test');
  };

  // Asserts contract/files.md#resumable.
  test.each<[string, UploadOptions]>([
    ['as one body', {}],
    ['in chunks', { chunkSize: 1_500_000 }],
    ['with the creation', { uploadDataDuringCreation: true }],
    ['by POST', { overridePatchMethod: true }],
  ])('uploads %s', async (_case, options) => {
    await assertStored((await upload(service.server.url, options)).url);
  });

  // Asserts contract/files.md#resumable.
  test('resumes after lost connections', async () => {
    const proxy = await startBreakingProxy(new URL(service.server.url), 2, 2_000_000);
    try {
      const { url } = await upload(proxy.url, {});
      expect(proxy.broken()).toBe(2);
      await assertStored(url);
    } finally {
      await proxy.close();
    }
  });

  // Asserts contract/files.md#resumable.
  test('continues an upload of an earlier process by its address, and ends one', async () => {
    const interrupted = new Promise<string>((resolve, reject) => {
      const started = new Upload(bytes, {
        endpoint: `${service.server.url}/rest/files/uploads`,
        headers: { Authorization: 'Bearer user' },
        metadata: { filename: 'by tus.bin', filetype: 'application/x-test' },
        chunkSize: 1_000_000,
        onError: reject,
        onChunkComplete: () => {
          const { url } = started;
          if (url !== null) void started.abort().then(() => resolve(url), reject);
        },
      });
      started.start();
    });
    const uploadUrl = await interrupted;
    const { sent, url } = await upload(service.server.url, { uploadUrl });
    expect(url).toBe(uploadUrl);
    expect(Math.min(...sent)).toBeGreaterThanOrEqual(1_000_000);
    await assertStored(url);
    await Upload.terminate(url, { headers: { Authorization: 'Bearer user' } });
    expect((await client.call(new URL(url).pathname)).status).toBe(404);
  });
});
