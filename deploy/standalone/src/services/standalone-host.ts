import type { RequestListener } from 'node:http';
import type { Application } from '@lintel/application';
import { createMemoryStore, createSessionStore, type KeyValueStore, type SessionStore } from '@lintel/cache';
import { type Configuration, readConfiguration, type SettingsShape } from '@lintel/config';
import { createInProcessBus, type InProcessBus } from '@lintel/events';
import { type ListenOptions, listen } from '@lintel/http';
import { createDatabase, type DatabaseOptions } from '@lintel/persistence';
import { type Logger, type Metrics, type RunningMetrics, startMetrics } from '@lintel/telemetry';
import { monotonicClock } from '@lintel/timing';

export interface HostOptions {
  readonly databaseUrl: string;
  /** Properties that are set at the start; they have precedence over files and the environment. */
  readonly properties: Readonly<Record<string, string>>;
  /** Properties that files and the environment override. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly logger: Logger;
}

/** Resources that the services of one process share, and the order in which they are closed. */
export interface StandaloneHost {
  readonly running: RunningMetrics;
  readonly metrics: Metrics;
  readonly clock: { now(): number };
  readonly store: KeyValueStore;
  readonly sessionStore: SessionStore;
  readonly bus: InProcessBus;
  loggerOf(service: string): Logger;
  /**
   * The configuration of a service.
   *
   * @throws ConfigurationError
   */
  configurationOf<const S extends SettingsShape>(shape: S): Promise<Configuration<S, Application>>;
  /** Sets a property that becomes known during the start, such as the address of a service. */
  setProperty(property: string, value: string): void;
  /** A pool of connections to the database of the process. */
  open(options: Omit<DatabaseOptions, 'url' | 'logger' | 'metrics'>, url?: string): ReturnType<typeof createDatabase>;
  /** Listens on a loopback port, or at the given address, and returns the URL. */
  serve(app: RequestListener, listener: string, at?: ListenOptions): Promise<string>;
  /** Registers a callback for `close`; the last registered one is called first. */
  onClose(close: () => unknown): void;
  /** Registers a callback that is called after all others, and before the metrics are closed. */
  closeLate(close: () => unknown): void;
  close(): Promise<void>;
}

const LOOPBACK = { host: '127.0.0.1', port: 0 } as const;

/** Starts metrics and the bus of the process, whose stores are in its memory. */
export async function createHost(options: HostOptions): Promise<StandaloneHost> {
  const { databaseUrl } = options;
  const clock = { now: () => Date.now() };
  const loggerOf = (service: string): Logger => options.logger.child({ service });
  const setProperties: Record<string, string> = { 'svc.datasource.url': databaseUrl };
  const running = await startMetrics('lintel');
  const { metrics } = running;
  const bus = createInProcessBus({ logger: loggerOf('events'), metrics });
  const store = createMemoryStore({ clock: monotonicClock });
  const closeCallbacks: (() => unknown)[] = [() => running.close(), () => bus.close()];
  return {
    running,
    metrics,
    clock,
    store,
    sessionStore: createSessionStore(store),
    bus,
    loggerOf,
    configurationOf: (shape) =>
      readConfiguration(shape, {
        defaults: options.defaults,
        overrides: { ...options.properties, ...setProperties },
        mapKeys: ({ model }: Application) => ({ 'svc.rest.entity-max-fetch-size': [...model.entities.keys()] }),
      }),
    setProperty(property, value) {
      setProperties[property] = value;
    },
    open(databaseOptions, url = databaseUrl) {
      const logger = loggerOf(databaseOptions.applicationName);
      const database = createDatabase({ ...databaseOptions, url, logger, metrics });
      closeCallbacks.push(() => database.close());
      return database;
    },
    async serve(app, listener, at = LOOPBACK) {
      const server = await listen(app, { ...at, observed: { metrics, listener } });
      closeCallbacks.push(() => server.close());
      return server.url;
    },
    onClose: (close) => void closeCallbacks.push(close),
    closeLate: (close) => void closeCallbacks.splice(1, 0, close),
    async close() {
      for (const close of closeCallbacks.splice(0).reverse()) await close();
    },
  };
}
