import type { Logger } from '@lintel/telemetry';
import type { Redis } from 'ioredis';
import type { KeyValueStore } from '../stores/key-value-store.ts';
import { closeRedis, connectRedis } from './connect-redis.ts';
import { translateRedisError } from './translate-redis-error.ts';

export interface RedisStoreOptions {
  /** `redis://user:password@host:port/db` or `rediss://…`. */
  readonly url: string;
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

interface ScriptedRedis extends Redis {
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
  private readonly redis: ScriptedRedis;
  private readonly commandTimeoutMs: number;
  private firstConnection: Promise<void> | undefined;

  constructor({ url, keyPrefix, logger, commandTimeoutMs = 1_000 }: RedisStoreOptions) {
    this.commandTimeoutMs = commandTimeoutMs;
    this.redis = connectRedis({
      url,
      keyPrefix,
      logger,
      commandTimeoutMs,
      scripts: {
        countUp: { lua: INCREMENT, numberOfKeys: 1 },
        addMember: { lua: ADD_TO_SET, numberOfKeys: 1 },
      },
    }) as ScriptedRedis;
    this.firstConnection = this.waitForFirstConnection();
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.run(() => this.redis.get(key))) ?? undefined;
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    await this.run(() => this.redis.set(key, value, 'PX', Math.max(1, Math.ceil(ttlMs))));
  }

  async delete(...keys: readonly string[]): Promise<void> {
    // One command for each key: in a cluster they live on different nodes.
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
    await this.run(() => this.redis.ping());
  }

  close(): Promise<void> {
    return closeRedis(this.redis);
  }

  private async run<T>(command: () => Promise<T>): Promise<T> {
    try {
      await this.firstConnection;
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
      this.redis.once('ready', end);
      this.redis.once('end', end);
    });
  }
}
