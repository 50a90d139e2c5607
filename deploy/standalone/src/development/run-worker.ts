import { inspect } from 'node:util';
import { createLogger } from '@lintel/telemetry';
import { explain } from '../explain.ts';
import {
  announcement,
  type OwnConfiguration,
  readOwnConfiguration,
  startOptions,
} from '../standalone-configuration.ts';
import { type RunningServices, startServices } from '../start-services.ts';
import { confirmLosses } from './confirm-losses.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { createRemoteStore } from './store-calls.ts';

type Opened = Extract<ToWorker, { kind: 'database' }>;

const send = (message: FromWorker): void => void process.send?.(message);

/** The error with its causes, without the functions of Node itself. */
const textOf = (error: unknown): string =>
  error instanceof Error ? inspect(error).replaceAll(/\n +at .*node:internal.*/g, '') : String(error);

/** Obeys the development server, and ends with it. */
export function runWorker(): void {
  const remote = createRemoteStore(send);
  let configuration: OwnConfiguration | undefined;
  let running: RunningServices | undefined;
  const confirmation = Promise.withResolvers<void>();

  const start = async ({ home, url, database }: Opened): Promise<void> => {
    const { port, logLevel, isStrict } = configuration as OwnConfiguration;
    const { description, ...rest } = database;
    const options = startOptions({ ...rest, databaseUrl: database.url, home, url, port, isStrict });
    running = await startServices({
      ...options,
      // The development server listens at the configured address.
      properties: { ...options.properties, 'svc.gateway.host': '127.0.0.1', 'svc.gateway.port': '0' },
      store: remote.store,
      logger: createLogger({ service: 'standalone', level: logLevel, pretty: true }),
      onProgress: () => {},
      beforeMigrations: (unmigrated) =>
        confirmLosses(unmigrated, {
          ask: (text) => send({ kind: 'unconfirmed', text }),
          confirmed: confirmation.promise,
        }),
    });
    send({
      kind: 'started',
      port: Number(new URL(running.url).port),
      banner: announcement(running, url, description),
    });
  };
  const receive = async (message: ToWorker): Promise<void> => {
    if (message.kind === 'result') remote.receive(message);
    else if (message.kind === 'confirmed') confirmation.resolve();
    else if (message.kind === 'database') await start(message);
    else if (message.kind === 'start') {
      configuration = await readOwnConfiguration();
      const { host, port, isEncrypted, databaseUrl, connection } = configuration;
      send({ kind: 'configured', host, port, isEncrypted, databaseUrl, connection });
    } else {
      await running?.close();
      process.exit();
    }
  };
  const fail = (error: unknown): void => {
    const text = explain(error, configuration?.port ?? 0) ?? textOf(error);
    process.send?.({ kind: 'failed', text } satisfies FromWorker, () => process.exit(1));
  };
  process.on('message', (message: ToWorker) => {
    receive(message).catch(fail);
  });
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  // Ctrl-C reaches all processes of the terminal; the development server stops this one.
  process.on('SIGINT', () => {});
  process.once('disconnect', () => process.exit());
  send({ kind: 'prepared' });
}
