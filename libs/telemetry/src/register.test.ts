import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const STRANGER = '0af7651916cd43dd8448eb211c80319c';
const UNSAMPLED = `00-${STRANGER}-b7ad6b7169203331-00`;
const OTHER = 'ffffffffffffffffffffffffffffffff';
const SAMPLED = `00-${OTHER}-b7ad6b7169203331-01`;

/**
 * Serves requests to itself, over both clients with a token in the URL, one that calls another, and one of a stranger;
 * then ends. Prints the trace context that the other ones received, and whether there were spans inside.
 */
const PROGRAM = `
import http from 'node:http';
import net from 'node:net';
import { beginSpan, serveInTrace, traceHeaders, withSpan } from '@lintel/telemetry';
const server = http.createServer((request, response) =>
  serveInTrace(request, response, true, async () => {
    if (request.url === '/outer') {
      const spans = [beginSpan('inner', 'client', {}) === undefined];
      await withSpan('around', {}, async () => spans.push(beginSpan('inner', 'client', {}) === undefined));
      const answer = await fetch(url, { headers: traceHeaders() });
      response.end(spans.join() + ' ' + (await answer.text()));
    } else response.end(String(request.headers.traceparent));
  }),
);
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = 'http://127.0.0.1:' + server.address().port + '/rest/x?access_token=sekrit';
const seen = await (await fetch(url)).text();
await new Promise((resolve) => http.get(url, { agent: false }, (answer) => answer.resume().on('end', resolve)));
// A client without instrumentation.
const callFromOutside = (path, traceparent) =>
  new Promise((resolve) => {
    let text = '';
    const socket = net.connect(server.address().port, '127.0.0.1').on('data', (chunk) => (text += chunk));
    socket.on('close', () => resolve(text.split('\\r\\n\\r\\n')[1]));
    socket.write('GET ' + path + ' HTTP/1.0\\r\\nHost: x\\r\\ntraceparent: ' + traceparent + '\\r\\n\\r\\n');
  });
await callFromOutside('/', '${UNSAMPLED}');
const inner = await callFromOutside('/outer', '${SAMPLED}');
console.log(seen + ' ' + inner);
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

interface Outcome {
  /** What was said of the calls' traces. */
  readonly said: string;
  /** All that came to the collector as traces. */
  readonly traces: string;
}

async function runWithCollector(variables: Record<string, string>): Promise<Outcome> {
  const received: { readonly url: string; readonly text: string }[] = [];
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ url: request.url ?? '', text: Buffer.concat(chunks).toString('latin1') });
    response.end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const said = await run({
    SVC_TELEMETRY_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_SERVICE_NAME: 'probe',
    ...variables,
  });
  collector.close();
  const traces = received.filter(({ url }) => url === '/v1/traces').map(({ text }) => text);
  return { said, traces: traces.join() };
}

// Asserts contract/tokens.md#token-location.
test('with a collector requests are traced, against the wish of their callers too, and no span has a query string', async () => {
  const { said, traces } = await runWithCollector({});
  expect(said).toMatch(new RegExp(`^00-[0-9a-f]{32}-[0-9a-f]{16}-01 false,false 00-${OTHER}-[0-9a-f]{16}-01$`));
  expect(traces).toContain('probe');
  expect(traces).not.toMatch(/access_token|sekrit/);
  // Recorded, although its caller says that it is not to be.
  expect(traces).toContain(Buffer.from(STRANGER, 'hex').toString('latin1'));
});

test('a trace that the sampler rejects continues without a span, and called services get that decision', async () => {
  const { said, traces } = await runWithCollector({
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  });
  expect(said).toMatch(new RegExp(`^00-[0-9a-f]{32}-[0-9a-f]{16}-00 true,true 00-${OTHER}-[0-9a-f]{16}-00$`));
  expect(traces).toBe('');
});

test('without a collector nothing is started, and traces go on as their callers want them', async () => {
  expect(await run({})).toMatch(new RegExp(`^undefined true,true 00-${OTHER}-[0-9a-f]{16}-01$`));
});
