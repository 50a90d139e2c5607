import type { RequestListener } from 'node:http';
import { createToolData } from '@lintel/administration';
import type { ApplicationData } from '@lintel/application';
import type { InvalidatedCache } from '@lintel/cache';
import type { EventBus } from '@lintel/events';
import { countRefusals, createServiceApp, createServiceListener, type Readiness } from '@lintel/http';
import { createSecurityLog } from '@lintel/telemetry';
import { createRouters } from './create-routers.ts';
import type { Engine } from './engine/create-engine.ts';
import type { TriedEvent } from './event-handlers/create-handler-runner.ts';
import type { Feature, Routers } from './feature.ts';
import type { DueRuns, TriedRun } from './jobs/run-due.ts';
import { replicaHealth } from './replicas/replica-health.ts';

/** The data service, ready to be listened to. */
export interface DataService {
  /** The checks of `/health/ready`. */
  readonly readiness: Readiness;
  /** The public API; the gateway routes to it. */
  readonly app: RequestListener;
  /** `POST /internal/datasets`; on a separate port. */
  readonly internalApp: RequestListener;
  /** Reads and writes with all rights and without a caller, for code of the same process. */
  data(): ApplicationData;
  /** Checks the database, starts background work and loads the demo data; to be called before the first request. */
  start(): Promise<void>;
  /** Subscribes to the events that the service handles. */
  follow(bus: Pick<EventBus, 'subscribe'>): Promise<void>;
  /** What the service keeps in memory between requests: for `attachInvalidation`. */
  readonly caches: readonly InvalidatedCache[];
  /** Runs jobs that are due, where they run on demand (`DataPorts.runsJobsOnDemand`). */
  runDueJobs(wanted: DueRuns): Promise<readonly TriedRun[]>;
  /** Lets the event handlers handle what is published, where jobs run on demand. Returns their attempts. */
  handleEvents(): Promise<readonly TriedEvent[]>;
  /** Ends what `start` began. The caller closes the ports. */
  close(): Promise<void>;
}

/** Makes a service of its features: each of their members is called in the order of the list. */
export function assembleApp(engine: Engine, features: readonly Feature[]): DataService {
  const routers = createRouters(engine);
  for (const feature of features) feature.register?.(routers);
  return {
    ...createApps(engine, routers),
    data: () => createToolData(engine.write),
    caches: features.flatMap(({ caches = [] }) => caches),
    async start() {
      for (const feature of features) await feature.start?.();
    },
    async follow(bus) {
      for (const feature of features) await feature.follow?.(bus);
    },
    async runDueJobs(wanted) {
      const tried: TriedRun[] = [];
      for (const feature of features) tried.push(...((await feature.runDueJobs?.(wanted)) ?? []));
      return tried;
    },
    handleEvents: async () => (await Promise.all(features.map((feature) => feature.handleEvents?.() ?? []))).flat(),
    async close() {
      for (const feature of features) await feature.close?.();
    },
  };
}

function createApps(
  { ports, config }: Engine,
  { rest, frequent, outside, forwarded, internal }: Routers,
): Pick<DataService, 'readiness' | 'app' | 'internalApp'> {
  const { database, logger, metrics } = ports;
  const replicas = ports.replicas?.replicas;
  const readiness = {
    database: () => database.assertReady().then(() => true),
    ...(replicas !== undefined && { replicas: () => replicaHealth(replicas.states()) }),
  };
  return {
    readiness,
    app: createServiceListener(
      {
        service: 'data',
        rehearses: true,
        internalSecret: config.platform.internalSecret,
        onRefused: countRefusals(createSecurityLog({ logger })),
        logger,
        metrics,
        readiness,
        configure: (app) => app.use(config.paths.basePath, rest).use(outside.router),
      },
      frequent.handlerOf,
    ),
    internalApp: createServiceApp({
      service: 'data-internal',
      internalSecret: config.platform.internalSecret,
      logger,
      metrics,
      readiness,
      configure: (app) => app.use('/internal/forwarded', forwarded).use('/internal', internal),
    }),
  };
}
