import type { Application } from '@lintel/application';
import { createRedisSessionPositions } from '@lintel/cache';
import { createReplicas, type Replicas } from '@lintel/persistence';
import { createSchemaFromModel } from '@lintel/schema';
import { type Metrics, NO_METRICS } from '@lintel/telemetry';
import { eventually, startTcpProxy, type TcpProxy, testEnvironment, uniqueName } from '@lintel/testkit';
import { type OwnPostgres, ownPostgres } from '@lintel/testkit/backends';
import { type DataFixture, startDataOn, type TestUser } from './data-fixture.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };
/** Longer than any test: that time alone makes a replica too old is what some tests are about, and others not. */
const LONG_LAG_MS = 300_000;
/** For machines that are busy with other things. */
export const WAIT = { timeoutMs: 60_000 };
/** May read everything and is nobody else: what is asked about servers must not need more. */
const READER = 'plain_reader';

/** One data service of several over a primary and its replica. */
export interface ReplicatedData extends Omit<DataFixture, 'close'> {
  readonly replicas: Replicas;
  /** Between this service and Redis. */
  readonly redisWire: TcpProxy;
  /** Between this service and the replica. */
  readonly replicaWire: TcpProxy;
  /** Which server has answered how many reads. */
  readonly counts: ReadonlyMap<string, number>;
  /** Lets the time pass in which marks could be missing after a connection to Redis was made. */
  trust(): Promise<void>;
  close(): Promise<void>;
}

export interface ReplicatedSystem {
  readonly postgres: OwnPostgres;
  /** A data service as another process would be, except that Redis is known to have lost nothing. */
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
  // What is replayed never waits for those who read.
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
        commandTimeoutMs: 5_000,
        logger: quiet,
      });
      // A doubt is over when its time has passed; looking may begin the next one.
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
