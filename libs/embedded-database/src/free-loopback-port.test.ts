import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freeLoopbackPort } from './free-loopback-port.ts';

test('a port is found once, and can be listened on', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freeLoopbackPort));
  expect(new Set(ports).size).toBe(50);
  const server = createServer().listen(ports[0], '127.0.0.1');
  await once(server, 'listening');
  expect((server.address() as AddressInfo).port).toBe(ports[0]);
  await new Promise((resolve) => server.close(resolve));
});

test('a port that is in use on any address is skipped', async () => {
  const before = await freeLoopbackPort();
  const servers = [createServer().listen(before + 1, '127.0.0.1'), createServer().listen(before + 2, '0.0.0.0')];
  // Where another process has one of them, that one is taken all the same.
  await Promise.all(
    servers.map((server) => new Promise((resolve) => server.once('listening', resolve).once('error', resolve))),
  );
  expect([before + 1, before + 2]).not.toContain(await freeLoopbackPort());
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

test('a port that a running process has reserved is skipped, and one of a process that is gone is found', async () => {
  const folder = join(tmpdir(), `lintel-ports-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true });
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const gone = spawnSync(process.execPath, ['-e', '']);
  const before = await freeLoopbackPort();
  const next = (count: number) => 15_000 + ((before - 15_000 + count) % 17_000);
  const fileOf = (port: number) => join(folder, String(port));
  writeFileSync(fileOf(next(1)), String(other.pid));
  writeFileSync(fileOf(next(2)), String(gone.pid));
  const found = await freeLoopbackPort();
  other.kill();
  await once(other, 'close');
  expect(found).not.toBe(next(1));
  expect(readFileSync(fileOf(next(2)), 'utf8')).toBe(String(process.pid));
});
