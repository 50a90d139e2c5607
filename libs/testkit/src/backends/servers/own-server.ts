import { mkdirSync } from 'node:fs';
import { freeLoopbackPort } from '@lintel/embedded-database';
import { createRunFolder, type RunFolder } from '../run-folder.ts';
import { findRabbit, rabbitPorts, startRabbit } from './rabbitmq.ts';
import { findRedis, startRedis } from './redis.ts';

/** A server that a fault test may stop, kill and start again at the same address. */
export interface OwnServer {
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  start(): Promise<void>;
  /** Polite end (SIGTERM), as a restart for maintenance. */
  stop(): Promise<void>;
  /** SIGKILL, as a crash. */
  kill(): Promise<void>;
  /** Ends it and removes its files. */
  dispose(): Promise<void>;
}

/** A RabbitMQ for one suite; durable queues and messages outlive `stop` and `kill`. */
export async function ownBroker(): Promise<OwnServer> {
  const program = findRabbit();
  if (program === undefined) throw new Error('This test restarts RabbitMQ: install rabbitmq-server');
  const folder = createRunFolder();
  const ports = await rabbitPorts();
  return ownServer('LINTEL_TEST_AMQP_URL', folder, () => startRabbit({ folder: folder.path, program, ports }));
}

/** A Redis for one suite; without persistence, so a restart is a flush. */
export async function ownRedis(): Promise<OwnServer> {
  const program = findRedis();
  if (program === undefined) throw new Error('This test restarts Redis: install redis-server');
  const folder = createRunFolder();
  mkdirSync(folder.path, { recursive: true });
  const port = await freeLoopbackPort();
  const environment = { LINTEL_TEST_REDIS_URL: `redis://127.0.0.1:${port}` };
  return ownServer('LINTEL_TEST_REDIS_URL', folder, async () => ({
    ...(await startRedis({ folder: folder.path, program, port })),
    environment,
  }));
}

interface StartedServer {
  readonly environment: Readonly<Record<string, string>>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

async function ownServer(variable: string, folder: RunFolder, start: () => Promise<StartedServer>): Promise<OwnServer> {
  const first = await start();
  let server: StartedServer | undefined = first;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    await server?.stop(signal);
    server = undefined;
  };
  return {
    url: first.environment[variable] ?? '',
    environment: first.environment,
    start: async () => {
      server ??= await start();
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    dispose: async () => {
      await end('SIGKILL');
      folder.remove();
    },
  };
}
