import { eventually, startTcpProxy, type TcpProxy, testEnvironment, uniqueName } from '@lintel/testkit';
import { Redis } from 'ioredis';
import { silentLogger } from '../../test/silent-logger.ts';
import { createRedisSessionPositions } from './create-redis-session-positions.ts';
import type { SessionPositions } from './session-positions.ts';

const LIFE_MS = 60_000;
const WAIT = { timeoutMs: 30_000 };

let control: Redis;
let proxy: TcpProxy;
let keyPrefix: string;
let nowMs = 0;
const open: SessionPositions[] = [];

beforeAll(async () => {
  const url = new URL(testEnvironment('LINTEL_TEST_REDIS_URL'));
  control = new Redis(url.href);
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
});
beforeEach(() => {
  keyPrefix = `${uniqueName('marks')}:`;
});
afterEach(async () => {
  proxy.restore();
  await Promise.all(open.splice(0).map((positions) => positions.close()));
});
afterAll(async () => {
  await control.quit();
  await proxy.close();
});

/** As another process has it. */
async function connect(): Promise<SessionPositions> {
  const url = new URL(testEnvironment('LINTEL_TEST_REDIS_URL'));
  url.port = String(proxy.port);
  const positions = createRedisSessionPositions({
    address: { url: url.href },
    keyPrefix,
    logger: silentLogger,
    lifeMs: LIFE_MS,
    clock: { now: () => nowMs },
    commandTimeoutMs: 10_000,
  });
  open.push(positions);
  await eventually(() => positions.load('nobody'), WAIT);
  return positions;
}
/** Waits until positions are certain again: one life after any cause of doubt. */
async function settle(...all: readonly SessionPositions[]): Promise<void> {
  for (const positions of all) await positions.load('nobody');
  nowMs += LIFE_MS;
}

test('a mark that one process raises is seen by the others; the greatest counts', async () => {
  const [one, other] = [await connect(), await connect()];
  await settle(one, other);
  expect(await other.load('ada')).toEqual({ position: undefined, isSure: true });
  await one.raise('ada', '0B');
  await other.raise('ada', '0A');
  for (const positions of [one, other]) expect(await positions.load('ada')).toEqual({ position: '0B', isSure: true });
  await other.raise('ada', '0C');
  expect(await one.load('ada')).toEqual({ position: '0C', isSure: true });
  expect(await one.load('ben')).toEqual({ position: undefined, isSure: true });
});

test('a mark lives as long as it is of interest from its last raising on', async () => {
  const positions = await connect();
  await positions.raise('ada', '0B');
  await control.pexpire(`${keyPrefix}session-mark:ada`, 5_000);
  await positions.raise('ada', '0A');
  expect(await control.pttl(`${keyPrefix}session-mark:ada`)).toBeGreaterThan(LIFE_MS / 2);
});

test('nothing is sure before a connection is a life of marks old', async () => {
  const positions = await connect();
  expect((await positions.load('ada')).isSure).toBe(false);
  await settle(positions);
  expect((await positions.load('ada')).isSure).toBe(true);
  proxy.cutConnections();
  await eventually(async () => expect((await positions.load('ada')).isSure).toBe(false), WAIT);
  nowMs += LIFE_MS - 1;
  expect((await positions.load('ada')).isSure).toBe(false);
  nowMs += 1;
  expect((await positions.load('ada')).isSure).toBe(true);
});

test('a Redis that was emptied is noticed by every process, also by those that look after others', async () => {
  const [one, other] = [await connect(), await connect()];
  await settle(one, other);
  await one.raise('ada', '0B');
  await control.del(`${keyPrefix}session-mark:ada`, `${keyPrefix}session-marks`);
  expect(await one.load('ada')).toEqual({ position: undefined, isSure: false });
  expect(await other.load('ada')).toEqual({ position: undefined, isSure: false });
  await settle(one, other);
  for (const positions of [one, other]) expect((await positions.load('ada')).isSure).toBe(true);
});

test('without Redis marks are neither raised nor loaded', async () => {
  const positions = await connect();
  proxy.block();
  const unavailable = { code: 'DATA_UNAVAILABLE' };
  await eventually(() => expect(positions.load('ada')).rejects.toMatchObject(unavailable), WAIT);
  await expect(positions.raise('ada', '0B')).rejects.toMatchObject(unavailable);
});
