import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const STRANGER = '0af7651916cd43dd8448eb211c80319c';
const UNSAMPLED = `00-${STRANGER}-b7ad6b7169203331-00`;

/** Serves requests to itself, over both clients with a token in the URL, and one of a stranger; then ends. */
const PROGRAM = `
import http from 'node:http';
import net from 'node:net';
const server = http.createServer((request, response) => response.end(String(request.headers.traceparent)));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = 'http://127.0.0.1:' + server.address().port + '/rest/x?access_token=sekrit';
const seen = await (await fetch(url)).text();
await new Promise((resolve) => http.get(url, { agent: false }, (answer) => answer.resume().on('end', resolve)));
const { port } = server.address();
await new Promise((resolve) => {
  const stranger = net.connect(port, '127.0.0.1').on('close', resolve).resume();
  stranger.end('GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\ntraceparent: ${UNSAMPLED}\\r\\n\\r\\n');
});
console.log(seen);
server.close();
server.closeAllConnections();
`;

function run(variables: Record<string, string>): Promise<string> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=lintel-source',
      '--import',
      new URL('./register.ts', import.meta.url).href,
      '--input-type=module',
      '-',
    ],
    { env: { PATH: '', NODE_OPTIONS: '', ...variables }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  // Not as an argument: those are part of the resource that every trace names.
  child.stdin.end(PROGRAM);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return new Promise((resolve) => child.on('close', () => resolve(output.trim())));
}

test('with a collector requests are traced, whatever their callers say, and no span holds a query string', async () => {
  const received: { readonly url: string; readonly text: string }[] = [];
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ url: request.url ?? '', text: Buffer.concat(chunks).toString('latin1') });
    response.end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const traceparent = await run({
    SVC_TELEMETRY_ENDPOINT: `http://127.0.0.1:${port}`,
    SVC_TELEMETRY_SERVICE_NAME: 'probe',
  });
  collector.close();
  expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  const traces = received.filter(({ url }) => url === '/v1/traces').map(({ text }) => text);
  expect(traces.join()).toContain('probe');
  expect(traces.join()).not.toMatch(/access_token|sekrit/);
  // Recorded, although its caller says that it is not to be.
  expect(traces.join()).toContain(Buffer.from(STRANGER, 'hex').toString('latin1'));
}, 30_000);

test('without a collector nothing is started', async () => {
  expect(await run({})).toBe('undefined');
}, 30_000);
