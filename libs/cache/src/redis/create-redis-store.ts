import type { Logger } from '@lintel/telemetry';
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
  /** Longest wait of one command; also for the first connection. */
  readonly commandTimeoutMs?: number;
}

/** Counts and sets the end of the counter in one step: a crash in between would leave one that never ends. */
const INCREMENT = `local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return count`;

/** Adds a member and makes the set live at least as long as asked, never shorter than before. */
const ADD_TO_SET = `redis.call('SADD', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1`;

/**
 * The commands that are used. Each is about one key: in a cluster those of several keys are carried out by several
 * nodes, none of which has the others'.
 */
interface RedisCommands {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, unit: 'PX', ttlMs: number): Promise<unknown>;
  del(key: string): Promise<number>;
  srem(key: string, member: string): Promise<number>;
  smembers(key: string): Promise<string[]>;
  countUp(key: string, ttlMs: number): Promise<number>;
  addMember(key: string, member: string, ttlMs: number): Promise<number>;
}

/**
 * Keys in Redis. While Redis is away every operation rejects at once (after `commandTimeoutMs` where it went
 * silent) with `DATA_UNAVAILABLE`; nothing is queued meanwhile, and the connection comes back by itself.
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
      scripts: {
        countUp: { lua: INCREMENT, numberOfKeys: 1 },
        addMember: { lua: ADD_TO_SET, numberOfKeys: 1 },
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

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    await this.run(() => this.redis.set(key, value, 'PX', Math.max(1, Math.ceil(ttlMs))));
  }

  async delete(...keys: readonly string[]): Promise<void> {
    await this.run(() => Promise.all(keys.map((key) => this.redis.del(key))));
  }

  increment(key: string, ttlMs: number): Promise<number> {
    return this.run(() => this.redis.countUp(key, Math.max(1, Math.ceil(ttlMs))));
  }

  async addToSet(key: string, member: string, ttlMs: number): Promise<void> {
    await this.run(() => this.redis.addMember(key, member, Math.max(1, Math.ceil(ttlMs))));
  }

  async removeFromSet(key: string, member: string): Promise<void> {
    await this.run(() => this.redis.srem(key, member));
  }

  membersOf(key: string): Promise<readonly string[]> {
    return this.run(() => this.redis.smembers(key));
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

  private async run<T>(command: () => Promise<T>): Promise<T> {
    try {
      await this.firstConnection;
      // The client of a cluster would keep it until there is one.
      if (this.client.status !== 'ready') throw new Error('There is no connection to Redis');
      return await command();
    } catch (error) {
      throw translateRedisError(error);
    }
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
