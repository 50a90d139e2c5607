import type { Logger } from '@lintel/telemetry';
import { afterRunning } from '@lintel/timing';
import type { Cluster, Redis } from 'ioredis';
import type { KeyValueStore } from '../stores/key-value-store.ts';
import { assertServing, connectRedis } from './connect-redis.ts';
import type { RedisAddress } from './redis-address.ts';
import { translateRedisError } from './translate-redis-error.ts';

export interface RedisStoreOptions {
  readonly address: RedisAddress;
  /** In front of every key, so that installations can share a server. */
  readonly keyPrefix: string;
  readonly logger: Logger;
  /** Longest wait of one command, while this process runs; also for the first connection. */
  readonly commandTimeoutMs?: number;
}

/** Counts and sets the expiry in one step: a crash in between would leave a counter that never expires. */
const INCREMENT = `local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return count`;

/** Adds a member and extends the life of the set to at least the given time; it is never shortened. */
const ADD_TO_SET = `redis.call('SADD', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1`;

/** Removes expired members and those above the maximum before it adds the new one, which is never removed. */
const ADD_TO_BOUNDED_LIST = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local above = redis.call('ZCARD', KEYS[1]) + 1 - tonumber(ARGV[3])
local ended = {}
if above > 0 then
  local popped = redis.call('ZPOPMIN', KEYS[1], above)
  for at = 1, #popped, 2 do ended[#ended + 1] = popped[at] end
end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return ended`;

/** A process that has stood still for seconds, as its machine may, waits for its responses anew. */
const STANDSTILL_MS = 5_000;

/** Keys or members of one command: a command of many blocks the server for others. */
const MAX_PER_COMMAND = 500;

/**
 * The commands that are used. In a cluster each has one key: commands of several keys are executed by several nodes.
 */
interface RedisCommands {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, unit: 'PX', ttlMs: number): Promise<unknown>;
  mget(...keys: readonly string[]): Promise<(string | null)[]>;
  del(...keys: readonly string[]): Promise<number>;
  srem(key: string, ...members: readonly string[]): Promise<number>;
  smembers(key: string): Promise<string[]>;
  countUp(key: string, ttlMs: number): Promise<number>;
  zrem(key: string, member: string): Promise<number>;
  addMember(key: string, member: string, ttlMs: number): Promise<number>;
  addBounded(key: string, member: string, ttlMs: number, max: number): Promise<string[]>;
}

/**
 * Keys in Redis. While Redis is unavailable every operation rejects at once (after `commandTimeoutMs` if it does
 * not respond) with `DATA_UNAVAILABLE`; nothing is queued meanwhile, and the client reconnects automatically.
 */
export function createRedisStore(options: RedisStoreOptions): KeyValueStore {
  const { commandTimeoutMs = 1_000 } = options;
  const { client, close } = connectRedis({
    ...options,
    commandTimeoutMs,
    standstillMs: STANDSTILL_MS,
    scripts: {
      countUp: { lua: INCREMENT, numberOfKeys: 1 },
      addMember: { lua: ADD_TO_SET, numberOfKeys: 1 },
      addBounded: { lua: ADD_TO_BOUNDED_LIST, numberOfKeys: 1 },
    },
  });
  const redis = client as unknown as RedisCommands;
  let firstConnection: Promise<void> | undefined = firstConnectionOf(client, commandTimeoutMs).then(() => {
    firstConnection = undefined;
  });
  const run = async <T>(command: () => Promise<T>): Promise<T> => {
    try {
      await firstConnection;
      // The client of a cluster would keep it until there is one.
      if (client.status !== 'ready') throw new Error('There is no connection to Redis');
      return await inTime(command(), commandTimeoutMs);
    } catch (error) {
      throw translateRedisError(error);
    }
  };
  const perCommand = (keys: readonly string[]) => chunksOf(keys, client.isCluster ? 1 : MAX_PER_COMMAND);
  return {
    get: async (key) => (await run(() => redis.get(key))) ?? undefined,
    getMany: (keys) =>
      run(async () => {
        const values = await Promise.all(perCommand(keys).map((some) => redis.mget(...some)));
        return values.flat().map((value) => value ?? undefined);
      }),
    async set(key, value, ttlMs) {
      await run(() => redis.set(key, value, 'PX', wholeMs(ttlMs)));
    },
    async delete(...keys) {
      await run(() => Promise.all(perCommand(keys).map((some) => redis.del(...some))));
    },
    increment: (key, ttlMs) => run(() => redis.countUp(key, wholeMs(ttlMs))),
    async addToSet(key, member, ttlMs) {
      await run(() => redis.addMember(key, member, wholeMs(ttlMs)));
    },
    async removeFromSet(key, ...members) {
      await run(() => Promise.all(chunksOf(members, MAX_PER_COMMAND).map((some) => redis.srem(key, ...some))));
    },
    membersOf: (key) => run(() => redis.smembers(key)),
    addToBoundedList: (key, member, ttlMs, max) => run(() => redis.addBounded(key, member, wholeMs(ttlMs), max)),
    async removeFromBoundedList(key, member) {
      await run(() => redis.zrem(key, member));
    },
    assertReady: () => run(() => assertServing(client)),
    close,
  };
}

/** Redis refuses fractions, and a time of 0. */
const wholeMs = (ttlMs: number): number => Math.max(1, Math.ceil(ttlMs));

/** The driver would count the time in which this process stood still. */
const inTime = <T>(response: Promise<T>, timeoutMs: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const cancel = afterRunning(timeoutMs, () => reject(new Error('Redis did not respond in time')));
    response.then(resolve, reject).finally(cancel);
  });

/** Without an offline queue, commands given while the process starts would fail although Redis is there. */
const firstConnectionOf = (client: Cluster | Redis, timeoutMs: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs).unref();
    for (const event of ['ready', 'end'])
      client.once(event, () => {
        clearTimeout(timer);
        resolve();
      });
  });

const chunksOf = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
