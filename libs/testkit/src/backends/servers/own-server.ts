import { mkdirSync } from 'node:fs';
import { freeLoopbackPort } from '@lintel/embedded-database';
import type { ChildServer } from '../child-server.ts';
import { createRunFolder } from '../run-folder.ts';
import { findRabbit, type RabbitServer, rabbitPorts, startRabbit } from './rabbitmq.ts';
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
  let server: RabbitServer | undefined = await startRabbit({ folder: folder.path, program, ports });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    await server?.stop(signal);
    server = undefined;
  };
  return {
    url: server.environment['LINTEL_TEST_AMQP_URL'] ?? '',
    environment: server.environment,
    start: async () => {
      server ??= await startRabbit({ folder: folder.path, program, ports });
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    dispose: async () => {
      await end('SIGKILL');
      folder.remove();
    },
  };
}

/** A Redis for one suite; without persistence, so a restart is a flush. */
export async function ownRedis(): Promise<OwnServer> {
  const program = findRedis();
  if (program === undefined) throw new Error('This test restarts Redis: install redis-server');
  const folder = createRunFolder();
  mkdirSync(folder.path, { recursive: true });
  const port = await freeLoopbackPort();
  const start = (): Promise<ChildServer> => startRedis({ folder: folder.path, program, port });
  let server: ChildServer | undefined = await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    await server?.stop(signal);
    server = undefined;
  };
  const url = `redis://127.0.0.1:${port}`;
  return {
    url,
    environment: { LINTEL_TEST_REDIS_URL: url },
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
