import { randomUUID } from 'node:crypto';
import type { Logger } from '@lintel/telemetry';
import { Cluster, type Redis } from 'ioredis';
import type { Clock } from '../clock.ts';
import { connectRedis, type RedisConnection } from '../redis/connect-redis.ts';
import type { RedisAddress } from '../redis/redis-address.ts';
import { translateRedisError } from '../redis/translate-redis-error.ts';
import type { SessionMark, SessionMarks } from './session-marks.ts';

export interface RedisSessionMarksOptions {
  readonly address: RedisAddress;
  /** In front of every key, so that installations can share a server. */
  readonly keyPrefix: string;
  readonly logger: Logger;
  /** How long a mark is of interest. */
  readonly lifeMs: number;
  readonly clock: Clock;
  /** Longest wait for one command. */
  readonly commandTimeoutMs?: number;
}

/** Requests wait for it: a Redis that has become silent must not become the API's latency. */
const DEFAULT_COMMAND_TIMEOUT_MS = 250;

/** Marks of one length compare as texts. */
const RAISE = `local known = redis.call('GET', KEYS[1])
if known and known >= ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

interface MarkCommands {
  raiseMark(key: string, mark: string, ttlMs: number): Promise<number>;
  get(key: string): Promise<string | null>;
  mget(...keys: readonly string[]): Promise<(string | null)[]>;
  set(key: string, value: string, when: 'NX'): Promise<unknown>;
}

/** Made anew by whoever finds it missing: then Redis has lost what it held. */
const GENERATION = 'session-marks';
const markKey = (sessionId: string): string => `session-mark:${sessionId}`;

/**
 * Marks in Redis. That a session has none is believed only when Redis can have forgotten none: after a connection
 * was made, and after Redis was emptied, a life of marks must pass. A Redis that was restarted from an old state, or
 * whose replica took over, has closed the connection; in a cluster that of a node.
 */
export function createRedisSessionMarks(options: RedisSessionMarksOptions): SessionMarks {
  return new RedisSessionMarks(options);
}

class RedisSessionMarks implements SessionMarks {
  private readonly connection: RedisConnection;
  private readonly redis: MarkCommands;
  private readonly lifeMs: number;
  private readonly clock: Clock;
  private generation: string | undefined;
  private sureFromMs: number;

  constructor({ lifeMs, clock, ...options }: RedisSessionMarksOptions) {
    this.lifeMs = lifeMs;
    this.clock = clock;
    this.sureFromMs = clock.now() + lifeMs;
    this.connection = connectRedis({
      commandTimeoutMs: DEFAULT_COMMAND_TIMEOUT_MS,
      ...options,
      scripts: { raiseMark: { lua: RAISE, numberOfKeys: 1 } },
    });
    const { client } = this.connection;
    this.redis = client as unknown as MarkCommands;
    client.on('ready', () => this.doubt());
    if (client instanceof Cluster) watchPrimaries(client, () => this.doubt());
  }

  private doubt(): void {
    this.sureFromMs = this.clock.now() + this.lifeMs;
  }

  async raise(sessionId: string, mark: string): Promise<void> {
    try {
      if (this.connection.client.status !== 'ready') throw new Error('There is no connection to Redis');
      await this.redis.raiseMark(markKey(sessionId), mark, this.lifeMs);
    } catch (error) {
      throw translateRedisError(error);
    }
  }

  async load(sessionId: string): Promise<SessionMark> {
    try {
      const [generation, mark] = await this.look(markKey(sessionId));
      if (generation === null || generation === undefined) await this.begin();
      else if (generation !== this.generation) this.follow(generation);
      return { mark: mark ?? undefined, isSure: this.clock.now() >= this.sureFromMs };
    } catch (error) {
      throw translateRedisError(error);
    }
  }

  private async look(key: string): Promise<readonly (string | null)[]> {
    const { client } = this.connection;
    if (client.status !== 'ready') throw new Error('There is no connection to Redis');
    if (!(client instanceof Cluster)) return this.redis.mget(GENERATION, key);
    // On different nodes. In this order, so that what was emptied in between is noticed.
    const mark = await this.redis.get(key);
    return [await this.redis.get(GENERATION), mark];
  }

  /** Whoever comes first names the generation; the others follow at their next look. */
  private async begin(): Promise<void> {
    this.doubt();
    await this.redis.set(GENERATION, randomUUID(), 'NX');
  }

  private follow(generation: string): void {
    this.generation = generation;
    this.doubt();
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

/** Tells of connections to nodes that end or are made, and of other primaries than before. */
function watchPrimaries(cluster: Cluster, changed: () => void): void {
  const primaries = (): string =>
    cluster
      .nodes('master')
      .map(({ options }: Redis) => `${options.host}:${options.port}`)
      .toSorted()
      .join();
  let known = primaries();
  const compare = (): void => {
    const now = primaries();
    if (now !== known) changed();
    known = now;
  };
  cluster.on('-node', changed);
  cluster.on('+node', changed);
  cluster.on('refresh', compare);
}
