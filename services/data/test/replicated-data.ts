import type { Application } from '@lintel/application';
import { createRedisSessionPositions } from '@lintel/cache';
import { createReplicas, type Replicas } from '@lintel/persistence';
import { createSchemaFromModel } from '@lintel/schema';
import { type Metrics, NO_METRICS } from '@lintel/telemetry';
import { eventually, startTcpProxy, type TcpProxy, testEnvironment, uniqueName } from '@lintel/testkit';
import { type OwnPostgres, ownPostgres } from '@lintel/testkit/backends';
import { type DataFixture, startDataOn, type TestUser } from './data-fixture.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };
/** Longer than any test, for tests in which a replica must not become too old by time alone. */
const LONG_LAG_MS = 300_000;
/** Long enough for a busy machine. */
export const WAIT = { timeoutMs: 60_000 };
/** A login that may only read: checking the servers needs no further rights. */
const READER = 'plain_reader';

/** One of several data services with a primary and its replica. */
export interface ReplicatedData extends Omit<DataFixture, 'close'> {
  readonly replicas: Replicas;
  /** The connection between this service and Redis. */
  readonly redisWire: TcpProxy;
  /** The connection between this service and the replica. */
  readonly replicaWire: TcpProxy;
  /** Number of reads by server. */
  readonly counts: ReadonlyMap<string, number>;
  /** Advances the clock past the time in which positions can be missing after a new connection to Redis. */
  trust(): Promise<void>;
  close(): Promise<void>;
}

export interface ReplicatedSystem {
  readonly postgres: OwnPostgres;
  /** Starts a data service like another process; it assumes that Redis has lost no data. */
  startService(maxLagMs?: number): Promise<ReplicatedData>;
  /** Stops the replica from replaying what it receives. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  dispose(): Promise<void>;
}

export async function startReplicated(
  application: Application,
  users: Readonly<Record<string, TestUser>>,
): Promise<ReplicatedSystem> {
  const postgres = await ownPostgres();
  const keyPrefix = `${uniqueName('replicas')}:`;
  const open: ReplicatedData[] = [];
  await createSchemaFromModel(postgres.url, application.model);
  await postgres.query(`CREATE ROLE ${READER} LOGIN PASSWORD 'secret' IN ROLE pg_read_all_data`);
  // Replay never waits for running reads.
  await postgres.addStandby({ isAsynchronous: true, settings: { max_standby_streaming_delay: '0' } });
  const asReader = (url: string): string => url.replace(/\/\/\w+:/, `//${READER}:`);

  return {
    postgres,
    async startService(maxLagMs = LONG_LAG_MS) {
      const redis = new URL(testEnvironment('LINTEL_TEST_REDIS_URL'));
      const redisWire = await startTcpProxy({ host: redis.hostname, port: Number(redis.port) });
      redis.port = String(redisWire.port);
      const replicaWire = await startTcpProxy({ port: Number(new URL(postgres.standbyUrl).port) });
      const replicaUrl = asReader(postgres.standbyUrl).replace(/:\d+\//, `:${replicaWire.port}/`);
      const counts = new Map<string, number>();
      const metrics: Metrics = {
        ...NO_METRICS,
        counter: (_name, ...[labels]) => {
          const reason = labels !== undefined && 'reason' in labels ? String(labels.reason) : '';
          return { add: (amount) => void counts.set(reason, (counts.get(reason) ?? 0) + amount) };
        },
      };
      const replicas = createReplicas({
        primaryUrl: asReader(postgres.url),
        urls: [replicaUrl],
        maxLagMs,
        maxConnections: 4,
        statementTimeoutMs: 60_000,
        applicationName: 'replicated',
        logger: quiet,
      });
      let passedMs = 0;
      const positions = createRedisSessionPositions({
        address: { url: redis.href },
        keyPrefix,
        lifeMs: 2 * maxLagMs,
        clock: { now: () => performance.now() + passedMs },
        commandTimeoutMs: 30_000,
        logger: quiet,
      });
      // An unsure period ends after its time limit, and loading a position may start the next one.
      const trust = () =>
        eventually(async () => {
          passedMs += 3 * maxLagMs;
          expect((await positions.load('nobody')).isSure).toBe(true);
        }, WAIT);
      await trust();
      await eventually(() => expect(replicas.canChoose()).toBe(true), WAIT);
      const query = async <R extends object>(text: string, values?: readonly unknown[]) => [
        ...(await postgres.query<R>(text, values)),
      ];
      const ports = { replicas: { replicas, positions }, metrics };
      const data = await startDataOn({ url: postgres.url, query }, application, users, {}, undefined, ports);
      const service: ReplicatedData = {
        ...data,
        replicas,
        redisWire,
        replicaWire,
        counts,
        trust,
        async close() {
          await data.close();
          await positions.close();
          await replicas.close();
          await Promise.all([redisWire.close(), replicaWire.close()]);
        },
      };
      open.push(service);
      return service;
    },
    async pause() {
      await postgres.queryStandby('SELECT pg_wal_replay_pause()');
      const isPaused = async () =>
        (await postgres.queryStandby<{ state: string }>('SELECT pg_get_wal_replay_pause_state() AS state'))[0]?.state;
      await eventually(async () => expect(await isPaused()).toBe('paused'), WAIT);
    },
    async resume() {
      await postgres.queryStandby('SELECT pg_wal_replay_resume()');
    },
    async dispose() {
      for (const service of open) await service.close();
      await postgres.dispose();
    },
  };
}
