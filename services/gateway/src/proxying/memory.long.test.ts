/**
 * Measures the memory of bodies: 2 GiB up and down through a gateway in a process of its own. Prints the result;
 * alone: `npx jest --selectProjects long -- services/gateway/src/proxying/memory` (with the experimental modules
 * of Node, as CONTRIBUTING.md says).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const TOTAL = 2 * 1024 ** 3;
const PIECE = Buffer.alloc(256 * 1024, 7);
const MIB = 1024 * 1024;
const MAX_MIB = 50;
const HEADERS = { authorization: 'Bearer opaque-clerk' };
const PROCESS = fileURLToPath(new URL('../../test/gateway-process.ts', import.meta.url));

let service: Server;
let gateway: ChildProcess;
let url: string;

beforeAll(async () => {
  service = createServer(async (incoming, response) => {
    if (incoming.method === 'POST') response.end(String(await lengthOf(incoming)));
    else {
      response.setHeader('Content-Length', TOTAL);
      await send(response);
    }
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const properties = { 'svc.gateway.files-url': `http://127.0.0.1:${(service.address() as AddressInfo).port}` };
  gateway = fork(PROCESS, [JSON.stringify(properties)], { execArgv: ['--conditions=lintel-source'] });
  const [message] = (await once(gateway, 'message')) as [{ url: string }];
  url = `${message.url}/rest/files`;
});
afterAll(async () => {
  gateway.kill();
  service.closeAllConnections();
  service.close();
  await once(service, 'close');
});

async function lengthOf(stream: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const piece of stream) length += (piece as Buffer).length;
  return length;
}

async function send(target: NodeJS.WritableStream): Promise<void> {
  for (let sent = 0; sent < TOTAL; sent += PIECE.length) if (!target.write(PIECE)) await once(target, 'drain');
  target.end();
}

/** Bytes that the service has received. */
async function upload(headers: Readonly<Record<string, string | number>>): Promise<number> {
  const upload = request(`${url}?name=x`, { method: 'POST', headers: { ...HEADERS, ...headers } });
  const [[response]] = (await Promise.all([once(upload, 'response'), send(upload)])) as [[IncomingMessage], void];
  let text = '';
  for await (const piece of response) text += String(piece);
  return Number(text);
}

/** Bytes that the client has received. */
async function download(): Promise<number> {
  const [response] = (await once(request(url, { headers: HEADERS }).end(), 'response')) as [IncomingMessage];
  return lengthOf(response);
}

/** Memory of the gateway: now, and its maximum so far. */
function memory(): { readonly nowMib: number; readonly maxMib: number } {
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { nowMib: read('VmRSS'), maxMib: read('VmHWM') };
}

test('2 GiB up and down cost the gateway less than 50 MB more', async () => {
  const before = memory().nowMib;
  const lines: string[] = [];
  for (const [name, transfer] of [
    ['upload', () => upload({ 'content-length': TOTAL })],
    ['download', download],
    ['chunked upload', () => upload({})],
    ['download again', download],
  ] as const) {
    const startedAt = performance.now();
    expect(await transfer()).toBe(TOTAL);
    const speed = TOTAL / MIB / ((performance.now() - startedAt) / 1_000);
    const { nowMib, maxMib } = memory();
    lines.push(
      `${name}: ${speed.toFixed(0)} MiB/s, memory +${(nowMib - before).toFixed(1)} MiB, at most +${(maxMib - before).toFixed(1)} MiB`,
    );
  }
  process.stdout.write(`gateway before: ${before.toFixed(1)} MiB\n${lines.join('\n')}\n`);
  expect(memory().maxMib - before).toBeLessThan(MAX_MIB);
}, 240_000);
