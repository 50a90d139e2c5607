import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeLoopbackPort } from '@lintel/embedded-database';
import { type BackendSource, unavailable } from '../backend.ts';
import { accepts, type ChildServer, respondsOk, startChildServer } from '../child-server.ts';
import { findProgram } from '../sources/find-program.ts';

/** RabbitMQ as an installed program, with its management API (tests make virtual hosts with it). */
export const rabbitFromProgram: BackendSource = async ({ folder, onProgress }) => {
  const program = findRabbit();
  if (program === undefined) return unavailable('rabbitmq-server is not installed');
  onProgress(`Starting ${program}`);
  const broker = await startRabbit({ folder, program, ports: await rabbitPorts() });
  return { environment: broker.environment, origin: program, stop: () => broker.stop() };
};

/**
 * The start script itself. What Debian puts on the path is a wrapper that insists on root or the user
 * `rabbitmq` and on the folders of the system service; it names the script it wraps.
 */
export function findRabbit(): string | undefined {
  const wrapped = '/usr/lib/rabbitmq/bin/rabbitmq-server';
  return existsSync(wrapped) ? wrapped : findProgram('rabbitmq-server');
}

export interface RabbitPorts {
  readonly amqp: number;
  readonly management: number;
  readonly distribution: number;
  readonly epmd: number;
}

export async function rabbitPorts(): Promise<RabbitPorts> {
  const [amqp, management, distribution, epmd] = await Promise.all([
    freeLoopbackPort(),
    freeLoopbackPort(),
    freeLoopbackPort(),
    freeLoopbackPort(),
  ]);
  return { amqp, management, distribution, epmd };
}

export interface RabbitServer {
  readonly environment: Readonly<Record<string, string>>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a broker of its own: own node name, own port mapper (Erlang would start one in the background that
 * outlives everything), own folders. Starting again with the same ports finds its queues and messages again.
 */
export async function startRabbit(options: {
  readonly folder: string;
  readonly program: string;
  readonly ports: RabbitPorts;
}): Promise<RabbitServer> {
  const { ports, folder } = options;
  const home = join(folder, `rabbitmq-${ports.amqp}`);
  const user = rabbitUser();
  writeConfiguration(home, ports);
  if (user !== undefined) for (const path of [home, join(home, 'enabled_plugins')]) chownSync(path, user.uid, user.gid);
  const environment = serverEnvironment(home, ports);
  const epmd = await startPortMapper({ folder, home, ports, user, environment });
  let broker: ChildServer;
  try {
    broker = await startChildServer({
      name: `rabbitmq-${ports.amqp}`,
      program: options.program,
      parameters: [],
      folder,
      workFolder: home,
      environment,
      user,
      isReady: async () => (await accepts(ports.amqp)) && (await respondsOk(`http://127.0.0.1:${ports.management}/`)),
      timeoutMs: 120_000,
    });
  } catch (error) {
    await epmd?.stop();
    throw error;
  }
  return {
    environment: {
      LINTEL_TEST_AMQP_URL: `amqp://guest:guest@127.0.0.1:${ports.amqp}`,
      LINTEL_TEST_AMQP_MANAGEMENT_URL: `http://guest:guest@127.0.0.1:${ports.management}`,
    },
    stop: async (signal) => {
      await broker.stop(signal);
      await epmd?.stop();
    },
  };
}

function writeConfiguration(home: string, ports: RabbitPorts): void {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'environment.conf'), ''); // in place of the one in /etc
  writeFileSync(join(home, 'enabled_plugins'), '[rabbitmq_management].\n');
  writeFileSync(
    join(home, 'rabbitmq.conf'),
    [
      `listeners.tcp.1 = 127.0.0.1:${ports.amqp}`,
      'management.tcp.ip = 127.0.0.1',
      `management.tcp.port = ${ports.management}`,
      'loopback_users = none',
      'log.file.level = warning',
      'log.console = false',
      'vm_memory_high_watermark.absolute = 1GB',
      'disk_free_limit.absolute = 50MB',
      '',
    ].join('\n'),
  );
}

function serverEnvironment(home: string, ports: RabbitPorts): Record<string, string> {
  return {
    HOME: home,
    ERL_EPMD_PORT: String(ports.epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `lintel${ports.amqp}@localhost`,
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_CONF_ENV_FILE: join(home, 'environment.conf'),
    RABBITMQ_CONFIG_FILE: join(home, 'rabbitmq.conf'),
    RABBITMQ_MNESIA_BASE: join(home, 'mnesia'),
    RABBITMQ_LOG_BASE: join(home, 'log'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(home, 'enabled_plugins'),
    RABBITMQ_PID_FILE: join(home, 'pid'),
    // The script then runs the server in its own place instead of as a child that it watches.
    RABBITMQ_ALLOW_INPUT: '1',
    RABBITMQ_SCHEDULER_BIND_TYPE: 'u',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `-noinput -setcookie lintel${ports.epmd} +S 2:2`,
  };
}

async function startPortMapper(options: {
  readonly folder: string;
  readonly home: string;
  readonly ports: RabbitPorts;
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  readonly environment: Readonly<Record<string, string>>;
}): Promise<ChildServer | undefined> {
  const program = findProgram('epmd');
  if (program === undefined) return undefined; // Erlang brings its own, hidden somewhere
  return startChildServer({
    name: `epmd-${options.ports.epmd}`,
    program,
    parameters: ['-port', String(options.ports.epmd), '-address', '127.0.0.1'],
    folder: options.folder,
    workFolder: options.home,
    user: options.user,
    environment: options.environment,
    isReady: () => accepts(options.ports.epmd),
  });
}

/** Root runs it as `rabbitmq`, where that user exists. */
function rabbitUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('rabbitmq:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}
