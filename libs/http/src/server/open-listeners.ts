import type { RequestListener } from 'node:http';
import type { Logger, RunningMetrics } from '@lintel/telemetry';
import type { Readiness } from '../health/readiness.ts';
import { type ListenOptions, listen, type RunningServer } from './listen.ts';
import { startManagementListener } from './start-management-listener.ts';

/** An application, and where and how it is served. */
export interface ServedApp extends Omit<ListenOptions, 'observed' | 'delayMs' | 'drainMs'> {
  readonly app: RequestListener;
}

export interface OpenListenersOptions {
  /** Its name is that of the public listener in metrics; the internal one is `<service>-internal`. */
  readonly service: string;
  readonly public: ServedApp;
  /** What the gateway never routes to. */
  readonly internal?: ServedApp;
  /** Where operators ask: the settings `svc.<service>.management-…`. */
  readonly management: { readonly host: string; readonly port: number };
  readonly readiness: Readiness;
  /** Answers `/health/services`, where the process knows others. */
  readonly askServices?: () => Promise<{ readonly status: string }>;
  readonly shutdown: { readonly delayMs: number; readonly drainMs: number };
  readonly running: RunningMetrics;
  readonly logger: Logger;
}

/** The listeners of a process. */
export interface Listeners {
  /** Where they listen, by their names. */
  readonly urls: { readonly url: string; readonly internalUrl?: string; readonly managementUrl: string };
  /** Closes those that serve, at the same time; each finishes its requests. */
  close(): Promise<void>;
  /** Closes that of operators. Until then it tells that the process is not ready. */
  closeManagement(): Promise<void>;
}

/**
 * Starts to serve, once the service is ready for it, and says where: the line `ready` of the log. For `main.ts`.
 *
 * @throws the system's error (`EADDRINUSE`, `EACCES`) where a port cannot be had. The process must end then: others
 *   are open already
 */
export async function openListeners(options: OpenListenersOptions): Promise<Listeners> {
  const { service, internal, running, shutdown } = options;
  const serve = ({ app, ...at }: ServedApp, listener: string): Promise<RunningServer> =>
    listen(app, { ...at, ...shutdown, observed: { metrics: running.metrics, listener } });
  const server = await serve(options.public, service);
  const internalServer = internal && (await serve(internal, `${service}-internal`));
  const management = await startManagementListener({
    service,
    at: options.management,
    readiness: options.readiness,
    apps: [options.public.app, ...(internal ? [internal.app] : [])],
    metrics: running,
    askServices: options.askServices,
  });
  const urls = {
    url: server.url,
    ...(internalServer && { internalUrl: internalServer.url }),
    managementUrl: management.url,
  };
  options.logger.info(urls, 'ready');
  return {
    urls,
    close: async () => void (await Promise.all([server.close(), internalServer?.close()])),
    closeManagement: () => management.close(),
  };
}
