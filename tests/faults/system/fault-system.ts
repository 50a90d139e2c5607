import { createTestBucket, startTcpProxy, type TcpProxy, type TestBucket } from '@lintel/testkit';
import { type OwnPostgres, type OwnServer, ownBroker, ownPostgres, ownRedis } from '@lintel/testkit/backends';
import { type EventRecord, recordEvents } from '../load/event-record.ts';
import { type RunningService, type ServiceName, startServiceProcesses } from '../service-processes.ts';

/** The five services as processes, over servers of their own with wires that can be cut. */
export interface FaultSystem {
  /** Of the gateway. */
  readonly url: string;
  readonly services: Readonly<Record<ServiceName, RunningService>>;
  readonly postgres: OwnPostgres;
  readonly redis: OwnServer;
  readonly broker: OwnServer;
  /** Between the services and each server; the checker goes around them. */
  readonly wires: Readonly<Record<'postgres' | 'redis' | 'broker' | 's3', TcpProxy>>;
  /** What a consumer on the broker has seen since the start. */
  readonly events: EventRecord;
  dispose(): Promise<void>;
}

const SERVICES = ['auth', 'data', 'files', 'reports', 'gateway'] as const;
/** A lost broker is noticed within two of them. */
const HEARTBEAT = '?heartbeat=1';
/** Of a statement, longer than the wait for a connection: who has none is refused first. */
const SETTINGS = {
  SVC_DATASOURCE_STATEMENT_TIMEOUT: '8s',
  SVC_SHUTDOWN_DELAY: '500ms',
  SVC_REPORTS_HISTORY_RECORDING_ENABLED: 'false',
};

/** Starts everything; `settings` win. */
export async function startFaultSystem(settings: Readonly<Record<string, string>> = {}): Promise<FaultSystem> {
  const undo: (() => Promise<unknown>)[] = [];
  const dispose = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const [postgres, redis, broker, bucket] = await Promise.all([
      ownPostgres(),
      ownRedis(),
      ownBroker(),
      createTestBucket('faults'),
    ]);
    undo.push(() => Promise.all([postgres.dispose(), redis.dispose(), broker.dispose(), bucket.drop()]));
    const wires = await layWires({ postgres: postgres.url, redis: redis.url, broker: broker.url, s3: bucket.url });
    undo.push(() => Promise.all(Object.values(wires).map((wire) => wire.close())));
    const events = await recordEvents(broker.url);
    undo.push(() => events.close());
    const { services, dispose: endServices } = await startServiceProcesses(SERVICES, {
      ...addressesOver(wires, { postgres, redis, broker, bucket }),
      ...SETTINGS,
      ...settings,
    });
    undo.push(endServices);
    return { url: services.gateway.url, services, postgres, redis, broker, wires, events, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function layWires<Name extends string>(urls: Readonly<Record<Name, string>>): Promise<Record<Name, TcpProxy>> {
  const entries = Object.entries<string>(urls).map(
    async ([name, url]) => [name, await startTcpProxy({ port: Number(new URL(url).port) })] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as Record<Name, TcpProxy>;
}

function addressesOver(
  wires: FaultSystem['wires'],
  servers: Pick<FaultSystem, 'postgres' | 'redis' | 'broker'> & { readonly bucket: TestBucket },
): Readonly<Record<string, string>> {
  const { bucket } = servers;
  const over = (wire: TcpProxy, url: string): string => url.replace(/:\d+(?=\/|$)/, `:${wire.port}`);
  return {
    SVC_DATASOURCE_URL: over(wires.postgres, servers.postgres.url),
    SVC_REDIS_URL: over(wires.redis, servers.redis.url),
    SVC_BROKER_URLS: over(wires.broker, servers.broker.url) + HEARTBEAT,
    SVC_FILES_STORAGE_FS_KIND: 's3',
    SVC_FILES_STORAGE_FS_ENDPOINT_URL: over(wires.s3, bucket.url),
    SVC_FILES_STORAGE_FS_ACCESS_KEY: bucket.accessKey,
    SVC_FILES_STORAGE_FS_SECRET_KEY: bucket.secretKey,
    SVC_FILES_STORAGE_FS_BUCKET: bucket.bucket,
  };
}
