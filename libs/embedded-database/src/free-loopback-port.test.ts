import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
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
