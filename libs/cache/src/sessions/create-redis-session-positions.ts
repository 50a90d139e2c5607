import { randomUUID } from 'node:crypto';
import type { Logger } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import { Cluster, type Redis } from 'ioredis';
import { connectRedis } from '../redis/connect-redis.ts';
import type { RedisAddress } from '../redis/redis-address.ts';
import { translateRedisError } from '../redis/translate-redis-error.ts';
import type { SessionPositions } from './session-positions.ts';

export interface RedisSessionPositionsOptions {
  readonly address: RedisAddress;
  /** In front of every key, so that installations can share a server. */
  readonly keyPrefix: string;
  readonly logger: Logger;
  /** Time after which a position expires. */
  readonly lifeMs: number;
  readonly clock: Clock;
  /** Longest wait for one command. */
  readonly commandTimeoutMs?: number;
}

/** Requests wait for it: a Redis that does not respond must not increase the latency of the API. */
const DEFAULT_COMMAND_TIMEOUT_MS = 250;

/** Positions have one length, so they are compared as texts. */
const RAISE = `local known = redis.call('GET', KEYS[1])
if known and known >= ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

interface PositionCommands {
  raisePosition(key: string, position: string, ttlMs: number): Promise<number>;
  get(key: string): Promise<string | null>;
  mget(...keys: readonly string[]): Promise<(string | null)[]>;
  set(key: string, value: string, when: 'NX'): Promise<unknown>;
}

/** If this key is missing, Redis has lost its data; the process that notices it sets the key again. */
const GENERATION = 'session-marks';
const positionKey = (sessionId: string): string => `session-mark:${sessionId}`;

/**
 * Session positions in Redis. A missing position is certain only when Redis cannot have lost one: after a new
 * connection and after Redis was emptied, `lifeMs` must pass. A Redis that was restarted from an old state, or whose
 * replica took over, has closed the connection; in a cluster the connection of a node.
 */
export function createRedisSessionPositions(options: RedisSessionPositionsOptions): SessionPositions {
  const { lifeMs, clock } = options;
  const { client, close } = connectRedis({
    commandTimeoutMs: DEFAULT_COMMAND_TIMEOUT_MS,
    ...options,
    scripts: { raisePosition: { lua: RAISE, numberOfKeys: 1 } },
  });
  const redis = client as unknown as PositionCommands;
  let knownGeneration: string | undefined;
  let sureFromMs = clock.now() + lifeMs;
  const doubt = (): void => {
    sureFromMs = clock.now() + lifeMs;
  };
  client.on('ready', doubt);
  if (client instanceof Cluster) watchPrimaries(client, doubt);

  const run = async <T>(command: () => Promise<T>): Promise<T> => {
    try {
      if (client.status !== 'ready') throw new Error('There is no connection to Redis');
      return await command();
    } catch (error) {
      throw translateRedisError(error);
    }
  };
  const look = async (key: string): Promise<readonly (string | null)[]> => {
    if (!(client instanceof Cluster)) return redis.mget(GENERATION, key);
    // On different nodes. In this order, so that what was emptied in between is noticed.
    const position = await redis.get(key);
    return [await redis.get(GENERATION), position];
  };
  return {
    async raise(sessionId, position) {
      await run(() => redis.raisePosition(positionKey(sessionId), position, lifeMs));
    },
    load: (sessionId) =>
      run(async () => {
        const [generation = null, position] = await look(positionKey(sessionId));
        if (generation === null || generation !== knownGeneration) doubt();
        // The first process sets the generation; the others follow with their next read.
        if (generation === null) await redis.set(GENERATION, randomUUID(), 'NX');
        else knownGeneration = generation;
        return { position: position ?? undefined, isSure: clock.now() >= sureFromMs };
      }),
    close,
  };
}

/** Calls back when connections to nodes end or open, and when the primaries have changed. */
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
