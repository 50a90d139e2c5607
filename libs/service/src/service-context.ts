import { hostname } from 'node:os';
import type { Application } from '@lintel/application';
import { createRedisStore, type KeyValueStore } from '@lintel/cache';
import { type RedisConfig, redisAddressOf } from '@lintel/config';
import { createAmqpBus, type EventBus } from '@lintel/events';
import type { Logger, Metrics } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import { beginEarly } from './begin-early.ts';
import type { ClosingStack } from './closing-stack.ts';

/** What a service gets from its process. */
export interface ServiceContext<C> {
  /** The application that `svc.application` names, without what its resources add. */
  readonly application: Application;
  readonly config: C;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The time of day. */
  readonly clock: Clock;
  /** Leaves a resource to the process, which closes it after the service: what was opened last is closed first. */
  readonly own: ClosingStack['own'];
  /** Redis, which connects without being waited for. The process closes it. */
  openStore(redis: RedisConfig): KeyValueStore;
  /** The broker, connected or, after a while, still trying to connect. The process closes it. */
  openBus(urls: readonly string[]): Promise<EventBus>;
  /** Begins to open the bus, and returns what waits for it. The process closes it only from then on. */
  connectBus(urls: readonly string[]): () => Promise<EventBus>;
}

/** The context of a process; `own` is that of the stack. */
export function createServiceContext<C>(
  service: string,
  given: Pick<ServiceContext<C>, 'application' | 'config' | 'logger' | 'metrics' | 'own'>,
): ServiceContext<C> {
  const { logger, metrics, own } = given;
  const clock = { now: () => Date.now() };
  const instanceId = `${hostname()}-${process.pid}`;
  const connectBus = (urls: readonly string[]) => {
    const opening = beginEarly(createAmqpBus({ urls, service, instanceId, clock, logger, metrics }));
    return async () => {
      const bus = await own(opening);
      metrics.observe('lintel.broker.connected', () => (bus.isConnected() ? 1 : 0));
      return bus;
    };
  };
  return {
    ...given,
    clock,
    openStore: (redis) => own(createRedisStore({ address: redisAddressOf(redis), keyPrefix: redis.keyPrefix, logger })),
    connectBus,
    openBus: (urls) => connectBus(urls)(),
  };
}
