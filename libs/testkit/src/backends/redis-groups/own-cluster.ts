import { freeLoopbackPort } from '@lintel/embedded-database';
import { eventually } from '../../eventually.ts';
import { askRedis } from './ask-redis.ts';
import { assertInStep } from './replica-in-step.ts';
import { onLoopback, PATIENT, type RedisAddress, startServers } from './start-servers.ts';

/** A cluster of three primaries, the first of which has a replica. */
export interface OwnCluster {
  /** The three that are primaries in the beginning. */
  readonly nodes: readonly RedisAddress[];
  /** SIGKILL of the first one as soon as its replica, which takes over, has all that it took. */
  killFirst(): Promise<void>;
  /** Lets the others find out that it was killed; resolves when its replica has taken over. */
  failOver(): Promise<void>;
  /** Starts it again; it becomes a replica. */
  restartFirst(): Promise<void>;
  /** Ends all of it and removes its files. */
  dispose(): Promise<void>;
}

const SLOTS = 16_384;
/** A node that is silent for so long is given up by `failOver`. */
const NODE_TIMEOUT_MS = 2_000;
/** At other times a machine that stands still for seconds is no reason. */
const SAFE_NODE_TIMEOUT_MS = 120_000;

/** Starts the cluster; ready when every node knows who has which keys. */
export async function ownCluster(): Promise<OwnCluster> {
  const servers = startServers();
  const buses = new Map<number, number>();
  const start = (port: number): Promise<void> =>
    servers.start(
      port,
      ...['--cluster-enabled', 'yes', '--cluster-port', buses.get(port) ?? 0],
      ...['--cluster-node-timeout', SAFE_NODE_TIMEOUT_MS, '--repl-diskless-sync-delay', 0],
    );
  for (let index = 0; index < 4; index += 1) buses.set(await freeLoopbackPort(), await freeLoopbackPort());
  const ports = [...buses.keys()];
  const [first = 0, second = 0, third = 0, replica = 0] = ports;
  const primaries = [first, second, third];
  try {
    await Promise.all(ports.map(start));
    for (const [index, port] of primaries.entries()) {
      const from = Math.floor((index * SLOTS) / primaries.length);
      const to = Math.floor(((index + 1) * SLOTS) / primaries.length) - 1;
      await askRedis({ port }, 'CLUSTER', 'ADDSLOTSRANGE', from, to);
      await askRedis({ port }, 'CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
    }
    for (const port of [second, third, replica])
      await askRedis({ port: first }, 'CLUSTER', 'MEET', '127.0.0.1', port, buses.get(port) ?? 0);
    await eventually(() => Promise.all(ports.map((port) => assertKnows(port, 'cluster_known_nodes:4'))), PATIENT);
    await askRedis(
      { port: replica },
      'CLUSTER',
      'REPLICATE',
      String(await askRedis({ port: first }, 'CLUSTER', 'MYID')),
    );
    await eventually(() => Promise.all(ports.map((port) => assertKnows(port, 'cluster_state:ok'))), PATIENT);
    await eventually(() => assertInStep({ port: first }, { port: replica }), PATIENT);
  } catch (error) {
    await servers.dispose();
    throw error;
  }
  const setNodeTimeout = (ms: number) =>
    eventually(
      () =>
        Promise.all(
          [second, third, replica].map((port) => askRedis({ port }, 'CONFIG', 'SET', 'cluster-node-timeout', ms)),
        ),
      PATIENT,
    );
  return {
    nodes: primaries.map(onLoopback),
    async killFirst() {
      await eventually(() => assertInStep({ port: first }, { port: replica }), PATIENT);
      await servers.kill(first);
    },
    async failOver() {
      await setNodeTimeout(NODE_TIMEOUT_MS);
      await eventually(async () => {
        const role = String(await askRedis({ port: replica }, 'INFO', 'replication'));
        if (!role.includes('role:master')) throw new Error('The replica has not taken over yet');
      }, PATIENT);
      await setNodeTimeout(SAFE_NODE_TIMEOUT_MS);
    },
    restartFirst: () => start(first),
    dispose: servers.dispose,
  };
}

async function assertKnows(port: number, line: string): Promise<void> {
  if (!String(await askRedis({ port }, 'CLUSTER', 'INFO')).includes(line)) throw new Error(`No ${line} on ${port} yet`);
}
