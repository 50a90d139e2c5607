import type { RequestListener } from 'node:http';
import { StartError } from '@lintel/errors';
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
 * @throws StartError with the property of an address that is not available; listeners that were open are closed
 */
export async function openListeners(options: OpenListenersOptions): Promise<Listeners> {
  const opened: RunningServer[] = [];
  let servers: Awaited<ReturnType<typeof openServers>>;
  try {
    servers = await openServers(options, opened);
  } catch (error) {
    await Promise.all(opened.map((server) => server.close()));
    throw error;
  }
  const { server, internalServer, management } = servers;
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

/** Opens the listeners one after the other; those that are open are in `opened`. */
async function openServers(
  { service, internal, running, shutdown, ...options }: OpenListenersOptions,
  opened: RunningServer[],
): Promise<{ server: RunningServer; internalServer: RunningServer | undefined; management: RunningServer }> {
  const open = async (property: string, at: { host: string; port: number }, opening: Promise<RunningServer>) => {
    const server = await available(`svc.${service}.${property}`, at, opening);
    opened.push(server);
    return server;
  };
  const serve = ({ app, ...at }: ServedApp, listener: string): Promise<RunningServer> =>
    listen(app, { ...at, ...shutdown, observed: { metrics: running.metrics, listener } });
  const server = await open('', options.public, serve(options.public, service));
  const internalServer = internal && (await open('internal-', internal, serve(internal, `${service}-internal`)));
  const management = await open(
    'management-',
    options.management,
    startManagementListener({
      service,
      at: options.management,
      readiness: options.readiness,
      apps: [options.public.app, ...(internal ? [internal.app] : [])],
      metrics: running,
      askServices: options.askServices,
    }),
  );
  return { server, internalServer, management };
}

const REASONS: Readonly<Record<string, (property: string) => string>> = {
  EADDRINUSE: (property) => `another program has the port. End it, or set another ${property}port`,
  EACCES: (property) => `the user of the process may not have the port. Set another ${property}port`,
  EADDRNOTAVAIL: (property) => `the machine does not have the address. Set another ${property}host`,
};

/** Names the properties of an address that the system refuses; `property` is the beginning of their names. */
async function available(
  property: string,
  { host, port }: { readonly host: string; readonly port: number },
  opening: Promise<RunningServer>,
): Promise<RunningServer> {
  try {
    return await opening;
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw error;
    throw new StartError(`Cannot listen at ${host}, port ${port}: ${reason(property)}.`, { cause: error });
  }
}
