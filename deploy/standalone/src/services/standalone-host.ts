import type { RequestListener } from 'node:http';
import type { Application } from '@lintel/application';
import {
  createMemoryStore,
  createProcessDirectory,
  createSessionStore,
  type KeyValueStore,
  type ProcessDirectory,
  type SessionStore,
} from '@lintel/cache';
import {
  type Configuration,
  ConfigurationError,
  type EffectiveSetting,
  readConfiguration,
  type SettingsOf,
  type SettingsShape,
} from '@lintel/config';
import { mapKeysOf } from '@lintel/data/settings';
import { createInProcessBus, type EventBus, type InProcessBus } from '@lintel/events';
import { type ListenOptions, listen } from '@lintel/http';
import { createDatabase, type DatabaseOptions } from '@lintel/persistence';
import { type ClosingStack, createClosingStack, type ServiceContext } from '@lintel/service';
import { type Logger, type Metrics, type RunningMetrics, startMetrics } from '@lintel/telemetry';
import { monotonicClock } from '@lintel/timing';

export interface HostOptions {
  readonly databaseUrl: string;
  /** Properties that are set at the start; they have precedence over files and the environment. */
  readonly properties: Readonly<Record<string, string>>;
  /** Properties that files and the environment override. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly logger: Logger;
  /** Has the keys, which then outlive this process; in its memory by default. */
  readonly store?: KeyValueStore;
}

/** What a service gets from the process for all of them. */
export interface StandaloneContext<C>
  extends Pick<ServiceContext<C>, 'application' | 'config' | 'logger' | 'metrics' | 'clock' | 'own'> {
  readonly bus: EventBus;
}

/** What the services of one process have in common, and what ends with it. */
export interface StandaloneHost {
  readonly running: RunningMetrics;
  readonly metrics: Metrics;
  readonly clock: { now(): number };
  readonly store: KeyValueStore;
  readonly sessionStore: SessionStore;
  readonly processes: ProcessDirectory;
  /** The properties in force of all services, without secrets. */
  effectiveSettings(): readonly EffectiveSetting[];
  readonly bus: InProcessBus;
  loggerOf(service: string): Logger;
  /**
   * The configuration of a service.
   *
   * @throws ConfigurationError
   */
  configurationOf<const S extends SettingsShape>(shape: S): Promise<Configuration<S, Application>>;
  /** Reads the settings of all services. @throws ConfigurationError with the problems of all */
  assertConfigurations(shapes: readonly SettingsShape[]): Promise<void>;
  /** @throws ConfigurationError */
  contextOf<const S extends SettingsShape>(service: string, shape: S): Promise<StandaloneContext<SettingsOf<S>>>;
  /** Sets a property that is known only after the start of a service: where it listens. */
  setProperty(property: string, value: string): void;
  /** A pool of connections to the database of the process. */
  open(options: Omit<DatabaseOptions, 'logger' | 'metrics'>): ReturnType<typeof createDatabase>;
  /** Listens on a free port of loopback, or at `at`, and returns the address. */
  serve(app: RequestListener, listener: string, at?: ListenOptions): Promise<string>;
  /** Leaves a resource to the process: what was opened last is closed first. */
  readonly own: ClosingStack['own'];
  /** The same for a resource that is closed after all others but the metrics. */
  readonly ownLast: ClosingStack['own'];
  close(): Promise<void>;
}

const LOOPBACK = { host: '127.0.0.1', port: 0 } as const;

/** Starts metrics and the bus of the process, whose stores are in its memory. */
export async function createHost(options: HostOptions): Promise<StandaloneHost> {
  const clock = { now: () => Date.now() };
  const loggerOf = (service: string): Logger => options.logger.child({ service });
  const setProperties: Record<string, string> = { 'svc.datasource.url': options.databaseUrl };
  const running = await startMetrics('lintel');
  const { metrics } = running;
  const bus = createInProcessBus({ logger: loggerOf('events'), metrics });
  const store = options.store ?? createMemoryStore({ clock: monotonicClock });
  const stack = createClosingStack();
  const last = createClosingStack();
  const { own } = stack;
  own(running);
  own(last);
  own(bus);
  const read: Pick<Configuration<SettingsShape, Application>, 'explain'>[] = [];
  const readSettings = <const S extends SettingsShape>(shape: S) =>
    readConfiguration<S, Application>(shape, {
      defaults: options.defaults,
      overrides: { ...options.properties, ...setProperties },
      mapKeys: mapKeysOf,
    });
  const configurationOf = async <const S extends SettingsShape>(shape: S) => {
    const configuration = await readSettings(shape);
    read.push(configuration);
    return configuration;
  };
  return {
    running,
    metrics,
    clock,
    store,
    sessionStore: createSessionStore(store),
    processes: createProcessDirectory(store),
    effectiveSettings: () => mergeSettings(read.map(({ explain }) => explain())),
    bus,
    loggerOf,
    configurationOf,
    async assertConfigurations(shapes) {
      const problems = new Set<string>();
      for (const shape of shapes)
        await readSettings(shape).catch((error: unknown) => {
          if (!(error instanceof ConfigurationError)) throw error;
          for (const problem of error.problems) problems.add(problem);
        });
      if (problems.size > 0) throw new ConfigurationError([...problems]);
    },
    async contextOf(service, shape) {
      const { application, config } = await configurationOf(shape);
      return { application, config, logger: loggerOf(service), metrics, clock, own, bus: bus.forService(service) };
    },
    setProperty(property, value) {
      setProperties[property] = value;
    },
    open: (databaseOptions) =>
      own(createDatabase({ ...databaseOptions, logger: loggerOf(databaseOptions.applicationName), metrics })),
    async serve(app, listener, at = LOOPBACK) {
      const server = own(await listen(app, { ...at, observed: { metrics, listener } }));
      return server.url;
    },
    own,
    ownLast: last.own,
    close: stack.close,
  };
}

/** Several services read some properties: each is listed once, as it was read last. */
const mergeSettings = (lists: readonly (readonly EffectiveSetting[])[]): readonly EffectiveSetting[] =>
  [...new Map(lists.flat().map((each) => [each.name, each])).values()].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
