import { randomBytes } from 'node:crypto';
import { type Envelope, EVENTS } from '@lintel/contracts';
import { freeLoopbackPort } from '@lintel/embedded-database';
import { type RunningServices, standaloneDefaults, startServices } from '@lintel/standalone';
import type { Logger, LogLevel } from '@lintel/telemetry';
import type { TestDatabases } from './test-databases.ts';

/** The client of the tests; applications need none with the password grant. */
export const CLIENT_ID = 'lintel-test';
const CLIENT = 'svc.authserver.client.lintel-test';

/** How an application is started for tests. */
export interface StartTestOptions {
  /** The package of the application, or a folder with one; the current folder by default. */
  readonly application?: string;
  /** Properties, such as `{ 'svc.webhooks.retry-delay': '10ms' }`; they have precedence over all others. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Whether there are the demo data; true by default. */
  readonly demo?: boolean;
  /** Lowest level of what the services log; `error` by default. */
  readonly logLevel?: LogLevel;
}

/** Starts the services again and again, at one address, on different databases. */
export interface ApplicationStarter {
  /** Address of the gateway. */
  readonly url: string;
  /** Secret of `CLIENT_ID`. */
  readonly clientSecret: string;
  /**
   * @param onEvent receives each published event
   * @throws what the services throw at their start
   */
  start(database: string, onEvent: (event: Envelope) => void): Promise<RunningServices>;
}

export async function createStarter(
  databases: TestDatabases,
  logger: Logger,
  { application = '.', properties = {}, demo = true }: StartTestOptions,
): Promise<ApplicationStarter> {
  const port = String(await freeLoopbackPort());
  const url = `http://localhost:${port}`;
  const clientSecret = randomBytes(24).toString('base64url');
  const fixed = {
    'svc.application': application,
    'svc.demo.enabled': String(demo),
    // Receivers of webhooks are in the process of the tests.
    'svc.webhooks.enabled': 'true',
    'svc.webhooks.allow-insecure-http': 'true',
    'svc.webhooks.allowed-networks': '127.0.0.0/8',
    [`${CLIENT}.client-id`]: CLIENT_ID,
    [`${CLIENT}.client-secret`]: clientSecret,
    [`${CLIENT}.grant-types`]: 'password',
    ...databases.secrets,
    ...properties,
    'svc.gateway.host': '127.0.0.1',
    'svc.gateway.port': port,
    'svc.gateway.management-port': '0',
    'svc.authserver.issuer': url,
  };
  return {
    url,
    clientSecret,
    async start(database, onEvent) {
      const databaseUrl = databases.urlOf(database);
      const services = await startServices({
        databaseUrl,
        ownsDatabase: true,
        home: databases.home,
        properties: fixed,
        defaults: standaloneDefaults({ port, publicUrl: url }),
        logger,
        onProgress: () => {},
        runsJobsOnDemand: true,
      });
      await services.bus.subscribe({
        queue: { kind: 'replica', service: 'test' },
        types: [...Object.keys(EVENTS), ...(services.application.events ?? []).map(({ type }) => type)],
        handle: async (event) => onEvent(event),
      });
      return services;
    },
  };
}
