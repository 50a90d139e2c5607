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
  return new RedisStore(options);
}

class RedisStore implements KeyValueStore {
  private readonly client: Redis | Cluster;
  private readonly end: () => Promise<void>;
  private readonly redis: RedisCommands;
  private readonly commandTimeoutMs: number;
  private firstConnection: Promise<void> | undefined;

  constructor({ address, keyPrefix, logger, commandTimeoutMs = 1_000 }: RedisStoreOptions) {
    this.commandTimeoutMs = commandTimeoutMs;
    const connection = connectRedis({
      address,
      keyPrefix,
      logger,
      commandTimeoutMs,
      standstillMs: STANDSTILL_MS,
      scripts: {
        countUp: { lua: INCREMENT, numberOfKeys: 1 },
        addMember: { lua: ADD_TO_SET, numberOfKeys: 1 },
        addBounded: { lua: ADD_TO_BOUNDED_LIST, numberOfKeys: 1 },
      },
    });
    this.client = connection.client;
    this.end = connection.close;
    this.redis = this.client as unknown as RedisCommands;
    this.firstConnection = this.waitForFirstConnection();
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.run(() => this.redis.get(key))) ?? undefined;
  }

  getMany(keys: readonly string[]): Promise<readonly (string | undefined)[]> {
    return this.run(async () => {
      const values = await Promise.all(this.perCommand(keys).map((some) => this.redis.mget(...some)));
      return values.flat().map((value) => value ?? undefined);
    });
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    await this.run(() => this.redis.set(key, value, 'PX', Math.max(1, Math.ceil(ttlMs))));
  }

  async delete(...keys: readonly string[]): Promise<void> {
    await this.run(() => Promise.all(this.perCommand(keys).map((some) => this.redis.del(...some))));
  }

  increment(key: string, ttlMs: number): Promise<number> {
    return this.run(() => this.redis.countUp(key, Math.max(1, Math.ceil(ttlMs))));
  }

  async addToSet(key: string, member: string, ttlMs: number): Promise<void> {
    await this.run(() => this.redis.addMember(key, member, Math.max(1, Math.ceil(ttlMs))));
  }

  async removeFromSet(key: string, ...members: readonly string[]): Promise<void> {
    await this.run(() => Promise.all(chunksOf(members, MAX_PER_COMMAND).map((some) => this.redis.srem(key, ...some))));
  }

  membersOf(key: string): Promise<readonly string[]> {
    return this.run(() => this.redis.smembers(key));
  }

  addToBoundedList(key: string, member: string, ttlMs: number, max: number): Promise<readonly string[]> {
    return this.run(() => this.redis.addBounded(key, member, Math.max(1, Math.ceil(ttlMs)), max));
  }

  async removeFromBoundedList(key: string, member: string): Promise<void> {
    await this.run(() => this.redis.zrem(key, member));
  }

  async isReady(): Promise<boolean> {
    return this.assertReady().then(
      () => true,
      () => false,
    );
  }

  async assertReady(): Promise<void> {
    await this.run(() => assertServing(this.client));
  }

  close(): Promise<void> {
    return this.end();
  }

  private perCommand(keys: readonly string[]): readonly (readonly string[])[] {
    return chunksOf(keys, this.client.isCluster ? 1 : MAX_PER_COMMAND);
  }

  private async run<T>(command: () => Promise<T>): Promise<T> {
    try {
      await this.firstConnection;
      // The client of a cluster would keep it until there is one.
      if (this.client.status !== 'ready') throw new Error('There is no connection to Redis');
      return await this.inTime(command());
    } catch (error) {
      throw translateRedisError(error);
    }
  }

  /** The driver would count the time in which this process stood still. */
  private inTime<T>(response: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = afterRunning(this.commandTimeoutMs, () => reject(new Error('Redis did not respond in time')));
      response.then(resolve, reject).finally(cancel);
    });
  }

  /** Without an offline queue, commands given while the process starts would fail although Redis is there. */
  private waitForFirstConnection(): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.firstConnection = undefined;
        resolve();
      };
      const timer = setTimeout(end, this.commandTimeoutMs);
      timer.unref();
      this.client.once('ready', end);
      this.client.once('end', end);
    });
  }
}

const chunksOf = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
