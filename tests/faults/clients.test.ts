import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { eventually } from '@lintel/testkit';
import { createFileClient } from './file-client.ts';
import { createGatewayCaller } from './gateway-caller.ts';
import { startServiceProcesses } from './service-processes.ts';

const WANTED_CONNECTIONS = 10_000;
/** What a process has open besides. */
const OTHER_FILES = 300;
/** Connections that are kept for a while. */
const SPARE_FILES = 20;
/** Of the gateway, for one idle connection. */
const MAX_KIB_EACH = 24;
const SLOW_READERS = 40;
const FILE_BYTES = 20 * 1024 * 1024;
/** For all slow readers together: what waits in buffers and what the collector leaves for a while. */
const MAX_READER_MIB = 200;

const { services, dispose } = await startServiceProcesses(['auth', 'data', 'files', 'gateway'], {
  // All of them come from one address.
  SVC_GATEWAY_MAX_CONNECTIONS_PER_ADDRESS: String(WANTED_CONNECTIONS + OTHER_FILES),
});
const { gateway } = services;
const { tokenOf, statusesOf } = createGatewayCaller(gateway.url);
const token = await tokenOf('client', 'admin');
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(dispose);

const port = Number(new URL(gateway.url).port);
async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Asks one thing after another, which needs few connections. */
async function expectServed(): Promise<void> {
  for (let each = 0; each < 20; each += 1) expect(await statusesOf([token])).toEqual([200]);
}

const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
const memoryMibOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Lets a process have so many files open, where the machine allows; returns how many it may. */
async function allowFiles(pid: number, wanted: number): Promise<number> {
  const allowed = () => Number(/Max open files\s+(\d+)/.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1]);
  if (allowed() >= wanted) return allowed();
  // Without the privilege to raise it the limit stays what it is, and the test says how far it came.
  await promisify(execFile)('prlimit', [`--pid=${pid}`, `--nofile=${wanted}:${wanted}`]).catch(() => undefined);
  return allowed();
}

test('with ten thousand idle connections the gateway serves as before, in bounded memory, and keeps nothing of them', async () => {
  const wanted = WANTED_CONNECTIONS + OTHER_FILES;
  const allowed = Math.min(await allowFiles(process.pid, wanted), await allowFiles(gateway.pid, wanted));
  const count = Math.min(WANTED_CONNECTIONS, allowed - OTHER_FILES);
  if (count < WANTED_CONNECTIONS)
    process.stderr.write(
      `NOT TESTED HERE: ${WANTED_CONNECTIONS} connections; a process may open ${allowed} files, so it was ${count}\n`,
    );
  await expectServed();
  const [filesBefore, memoryBefore] = [filesOf(gateway.pid), memoryMibOf(gateway.pid)];

  for (let opened = 0; opened < count; opened += 250)
    await Promise.all(Array.from({ length: Math.min(250, count - opened) }, open));
  await eventually(() => expect(filesOf(gateway.pid)).toBeGreaterThanOrEqual(filesBefore + count), {
    timeoutMs: 20_000,
  });
  await expectServed();
  const moreMib = memoryMibOf(gateway.pid) - memoryBefore;
  process.stdout.write(`${count} idle connections: +${moreMib.toFixed(0)} MiB\n`);
  expect((moreMib * 1024) / count).toBeLessThan(MAX_KIB_EACH);

  for (const socket of sockets.splice(0)) socket.destroy();
  await eventually(() => expect(filesOf(gateway.pid)).toBeLessThan(filesBefore + SPARE_FILES));
});

test('clients that request large files and do not read them delay no other client, and use no memory for them', async () => {
  const { fileRef } = await createFileClient(gateway.url, token).upload('fs', randomBytes(FILE_BYTES));
  const [filesBefore, memoryBefore] = [filesOf(gateway.pid), memoryMibOf(gateway.pid)];
  for (let reader = 0; reader < SLOW_READERS; reader += 1) {
    const socket = await open();
    const begun = once(socket, 'data').then(() => socket.pause());
    socket.write(
      `GET /rest/files?fileRef=${encodeURIComponent(fileRef)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    await begun;
  }
  await expectServed();
  const moreMib = memoryMibOf(gateway.pid) - memoryBefore;
  process.stdout.write(`${SLOW_READERS} slow readers of ${FILE_BYTES >> 20} MiB: +${moreMib.toFixed(0)} MiB\n`);
  expect(moreMib).toBeLessThan(MAX_READER_MIB);

  for (const socket of sockets.splice(0)) socket.destroy();
  await eventually(() => expect(filesOf(gateway.pid)).toBeLessThan(filesBefore + SPARE_FILES));
});
