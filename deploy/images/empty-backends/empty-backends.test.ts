import type { AddressInfo, Server } from 'node:net';
import { createRedisStore } from '@lintel/cache';
import { createAmqpBus } from '@lintel/events';
import { assertDatabase, createDatabase } from '@lintel/persistence';
import { createLogger } from '@lintel/telemetry';
import { createEmptyBroker } from './empty-broker.mjs';
import { createEmptyPostgres } from './empty-postgres.mjs';
import { createEmptyRedis } from './empty-redis.mjs';

const logger = createLogger({ service: 'test', level: 'silent' });
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function addressOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a service finds a database with its schema and no rows', async () => {
  const options = {
    url: `postgres://compile:ahead@${await addressOf(createEmptyPostgres())}/lintel`,
    maxConnections: 1,
    statementTimeoutMs: 5_000,
    applicationName: 'test',
  };
  await assertDatabase(options);
  const database = createDatabase(options);
  closing.push(() => database.close());
  expect(await database.query({ text: 'SELECT $1::text AS name', values: ['x'] })).toEqual([]);
  const named = { name: 'roles', text: 'SELECT version, body::text AS body FROM sec.role_snapshot', values: [] };
  const roles = [{ version: '0', body: '{"resourceRoles":[],"rowLevelRoles":[]}' }];
  expect(await database.query(named)).toEqual(roles);
  expect(await database.query(named)).toEqual(roles);
  const keys = 'SELECT kid, private_jwk_encrypted FROM auth.signing_key WHERE retired_at IS NULL';
  await database.transaction(async (transaction) => {
    expect(await transaction.query({ text: keys, values: [] })).toEqual([]);
    await transaction.query({
      text: 'INSERT INTO auth.signing_key (kid, algorithm, public_jwk, private_jwk_encrypted) VALUES ($1, $2, $3, $4)',
      values: ['k', 'RS256', '{"n":1}', Buffer.of(1, 2)],
    });
  });
  expect(await database.query({ text: keys, values: [] })).toEqual([
    expect.objectContaining({ kid: 'k', public_jwk: '{"n":1}', private_jwk_encrypted: Buffer.of(1, 2) }),
  ]);
});

test('a service finds a Redis without keys', async () => {
  const url = `redis://${await addressOf(createEmptyRedis())}`;
  const store = createRedisStore({ address: { url }, keyPrefix: 'test:', logger });
  closing.push(() => store.close());
  await store.assertReady();
  expect(await store.get('a')).toBeUndefined();
});

test('a service finds a broker that accepts its subscriptions', async () => {
  const urls = [`amqp://${await addressOf(createEmptyBroker())}`];
  const clock = { now: () => Date.now() };
  const bus = await createAmqpBus({ urls, service: 'test', instanceId: 'one', clock, logger });
  closing.push(() => bus.close());
  expect(bus.isConnected()).toBe(true);
  for (const queue of [{ kind: 'work', name: 'w' } as const, { kind: 'replica', service: 'test' } as const])
    await bus.subscribe({ queue, types: ['data.user.changed.v1'], handle: async () => {} });
  expect(bus.isConnected()).toBe(true);
});
