import type { RequestListener } from 'node:http';
import type { Application } from '@lintel/application';
import type { ProcessDirectory } from '@lintel/cache';
import {
  compileDecorators,
  type ListenerShape,
  type platformSettings,
  type ReadConfigurationOptions,
  readConfiguration,
  type SettingsOf,
  type SettingsShape,
} from '@lintel/config';
import type { SlowStatement } from '@lintel/contracts';
import { isStartError } from '@lintel/errors';
import {
  type ListenOptions,
  type OpenListenersOptions,
  openListeners,
  type Readiness,
  runUntilSignal,
} from '@lintel/http';
import { createLogger, startMetrics } from '@lintel/telemetry';
import { createClosingStack } from './closing-stack.ts';
import { createServiceContext, type ServiceContext } from './service-context.ts';
import { startProcessReports } from './start-process-reports.ts';

/** A service that has started and is ready to be listened to. */
export interface StartedService {
  /** For the public listener. */
  readonly app: RequestListener;
  /** For the internal listener, which the gateway never routes to. */
  readonly internalApp?: RequestListener;
  /** How the public listener serves, where it is not as the settings `host` and `port` alone say. */
  readonly listenOptions?: ListenOptions;
  /** The checks of `/health/ready`. */
  readonly readiness: Readiness;
  /** The state of other services, for `/health/services`. */
  readonly askServices?: () => Promise<{ readonly status: string }>;
  /** Where the process reports its state; absent if it has no store that other processes read. */
  readonly processes?: ProcessDirectory | undefined;
  /** The slow statements of its pools. */
  readonly slowStatements?: () => readonly SlowStatement[];
  /** Ends what the start began. What the context owns is closed after it. */
  close(): Promise<void>;
}

/** Settings that every process has. */
type ProcessShape = SettingsShape & { readonly platform: typeof platformSettings } & Pick<
    ListenerShape,
    'host' | 'port' | 'management'
  >;
interface ProcessConfig {
  readonly platform: SettingsOf<typeof platformSettings>;
  readonly host: string;
  readonly port: number;
  readonly internalHost?: string;
  readonly internalPort?: number;
  readonly management: { readonly host: string; readonly port: number };
}

export interface ServiceDefinition<S extends ProcessShape> {
  /** Of the log, the bus and, with `lintel-` before it, of metrics. */
  readonly name: string;
  readonly settings: S;
  readonly mapKeys?: ReadConfigurationOptions<Application>['mapKeys'];
  /** Opens the backends, builds the service and starts it. */
  start(context: ServiceContext<SettingsOf<S>>): Promise<StartedService>;
}

/**
 * Runs a service as a process of its own: reads the configuration, starts log and metrics, starts the service, opens
 * its listeners (the log says `ready`), and stops on SIGTERM and SIGINT. It stops in this order: the listeners finish
 * their requests, the service closes, what its context owns is closed, then the management listener and the metrics.
 *
 * An error of the start ends the process with code 1, with a line for the operator where it is one that the operator
 * can remedy.
 */
export async function runService<const S extends ProcessShape>(definition: ServiceDefinition<S>): Promise<void> {
  try {
    await start(definition);
  } catch (error) {
    console.error(isStartError(error) ? error.message : error);
    process.exit(1);
  }
}

async function start<const S extends ProcessShape>(definition: ServiceDefinition<S>): Promise<void> {
  const { name, settings, mapKeys } = definition;
  compileDecorators();
  const { application, config, explain } = await readConfiguration<S, Application>(settings, {
    ...(mapKeys && { mapKeys }),
  });
  const { platform, host, port, management, ...internal } = config as unknown as ProcessConfig;
  const { shutdown } = platform;
  const logger = createLogger({ service: name, level: platform.logLevel });
  const running = await startMetrics(`lintel-${name}`);
  const resources = createClosingStack();
  const context = createServiceContext(name, {
    application,
    config,
    logger,
    metrics: running.metrics,
    own: resources.own,
  });
  const service = await definition.start(context);
  const listeners = await openListeners({
    service: name,
    public: { app: service.app, host, port, ...service.listenOptions },
    ...internalListenerOf(service, internal),
    management,
    readiness: service.readiness,
    ...(service.askServices && { askServices: service.askServices }),
    shutdown,
    running,
    logger,
  });
  const { processes, readiness, slowStatements } = service;
  const reports =
    processes &&
    startProcessReports({
      service: name,
      processes,
      readiness,
      settings: explain,
      slowStatements,
      clock: context.clock,
      logger,
    });
  runUntilSignal({
    logger,
    ...shutdown,
    async close() {
      await reports?.close();
      await listeners.close();
      await service.close();
      await resources.close();
      await listeners.closeManagement();
      await running.close();
    },
  });
}

function internalListenerOf(
  { internalApp: app }: StartedService,
  { internalHost: host, internalPort: port }: Pick<ProcessConfig, 'internalHost' | 'internalPort'>,
): Pick<OpenListenersOptions, 'internal'> {
  return app === undefined || host === undefined || port === undefined ? {} : { internal: { app, host, port } };
}
