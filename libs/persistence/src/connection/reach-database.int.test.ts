import { createTestDatabase, eventually, startTcpProxy, type TcpProxy, type TestDatabase } from '@lintel/testkit';
import { reachDatabase } from './reach-database.ts';

let server: TestDatabase;
let proxy: TcpProxy;
let lines: object[];
const logger = {
  info: (fields: object, message: string) => void lines.push({ ...fields, message }),
  warn: (fields: object, message: string) => void lines.push({ ...fields, message }),
};

beforeAll(async () => {
  server = await createTestDatabase('reach');
  const { hostname, port } = new URL(server.url);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
});
beforeEach(() => {
  lines = [];
  proxy.restore();
});
afterAll(async () => {
  await proxy.close();
  await server.drop();
});

function overProxy(password?: string) {
  const url = new URL(server.url);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  if (password !== undefined) [url.username, url.password] = ['no_such_login', password];
  return { url: url.href, applicationName: 'reach' };
}

const WAITING = {
  property: 'svc.datasource.url',
  reason: expect.any(String),
  message: 'waiting for the database',
};

test('a server that can be reached is not mentioned in the log', async () => {
  await reachDatabase(overProxy(), { logger });
  expect(lines).toEqual([]);
});

test('while the server cannot be reached one line says so, and one more when it can', async () => {
  proxy.block();
  const reached = reachDatabase(overProxy(), { logger });
  await eventually(() => expect(lines).toEqual([WAITING]));
  proxy.restore();
  await reached;
  expect(lines).toEqual([WAITING, { property: 'svc.datasource.url', message: 'the database can be reached' }]);
});

test('a server that cannot be reached in time is an error for the operator, with property and reason', async () => {
  proxy.block();
  await expect(reachDatabase(overProxy(), { logger, withinMs: 0 })).rejects.toMatchObject({
    isStartError: true,
    message: expect.stringMatching(/^The database of svc.datasource.url cannot be reached: \S/),
  });
});

test('a server that comes later and refuses the login ends the wait', async () => {
  proxy.block();
  const reached = reachDatabase(overProxy('wrong'), { logger });
  const refused = expect(reached).rejects.toMatchObject({ isStartError: true });
  await eventually(() => expect(lines).toEqual([WAITING]));
  proxy.restore();
  await refused;
});
