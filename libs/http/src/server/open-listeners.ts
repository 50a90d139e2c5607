import type { RequestListener } from 'node:http';
import type { Logger, RunningMetrics } from '@lintel/telemetry';
import type { Readiness } from '../health/readiness.ts';
import { type ListenOptions, listen, type RunningServer } from './listen.ts';
import { startManagementListener } from './start-management-listener.ts';

/** An application, with the address and options of its listener. */
export interface ServedApp extends Omit<ListenOptions, 'observed' | 'delayMs' | 'drainMs'> {
  readonly app: RequestListener;
}

export interface OpenListenersOptions {
  /** Its name is that of the public listener in metrics; the internal one is `<service>-internal`. */
  readonly service: string;
  readonly public: ServedApp;
  /** The internal listener, which the gateway never routes to. */
  readonly internal?: ServedApp;
  /** Address of the management listener: the settings `svc.<service>.management-…`. */
  readonly management: { readonly host: string; readonly port: number };
  readonly readiness: Readiness;
  /** Returns the body of `/health/services`, where the process knows other services. */
  readonly askServices?: () => Promise<{ readonly status: string }>;
  readonly shutdown: { readonly delayMs: number; readonly drainMs: number };
  readonly running: RunningMetrics;
  readonly logger: Logger;
}

/** The listeners of a process. */
export interface Listeners {
  /** Their addresses. */
  readonly urls: { readonly url: string; readonly internalUrl?: string; readonly managementUrl: string };
  /** Closes the public and the internal listener concurrently; each finishes its requests. */
  close(): Promise<void>;
  /** Closes the management listener. Until then it reports that the process is not ready. */
  closeManagement(): Promise<void>;
}

/**
 * Opens the listeners of a service that is ready to serve, and logs their addresses (`ready`). For `main.ts`.
 *
 * @throws the system's error (`EADDRINUSE`, `EACCES`) if a port is not available. The process must end then, since
 *   other listeners may be open already
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
