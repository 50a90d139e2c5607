import {
  appendFileSync,
  chmodSync,
  cpSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedDatabase, freeLoopbackPort, startEmbeddedDatabase } from '@lintel/embedded-database';
import { eventually } from '../../eventually.ts';
import { runOnce } from '../../resources/test-database.ts';
import { signalGroup } from '../child-server.ts';
import { createDataFolder, createRunFolder } from '../run-folder.ts';
import type { OwnServer } from './own-server.ts';
import { reachableBinaries } from './postgres.ts';

/** A PostgreSQL that a fault test may stop, kill, start again and replace by a replica. */
export interface OwnPostgres extends OwnServer {
  /** Where the primary listens now; another one after `promoteStandby`. */
  readonly port: number;
  /**
   * Restarts the primary with a streaming replica. Every commit waits for a synchronous replica, so it has every
   * acknowledged write; no commit waits for an asynchronous one.
   */
  addStandby(options?: StandbyOptions): Promise<void>;
  /** Address of the replica. */
  readonly standbyUrl: string;
  /** Runs a statement on the replica. */
  queryStandby<R extends object>(text: string, values?: readonly unknown[]): Promise<readonly R[]>;
  killStandby(): Promise<void>;
  /** Starts the replica again. */
  startStandby(): Promise<void>;
  /** Where the replica listens. */
  readonly standbyPort: number;
  /** Makes the replica the primary; the old one must be dead. */
  promoteStandby(): Promise<void>;
  /** Runs a statement on the primary. */
  query<R extends object>(text: string, values?: readonly unknown[]): Promise<readonly R[]>;
}

export interface StandbyOptions {
  readonly isAsynchronous?: boolean;
  /** Of the replica alone. */
  readonly settings?: Readonly<Record<string, string>>;
}

const USER = 'postgres';
const PASSWORD = 'secret';
const DATABASE = 'lintel_test';
/** A process that is killed loses nothing that it gave to the system, so nothing needs to be forced to the disk. */
const SETTINGS = {
  max_connections: '100',
  shared_buffers: '32MB',
  fsync: 'off',
  full_page_writes: 'off',
};
const RESTART_DEADLINE_MS = 30_000;

interface Node {
  readonly folder: string;
  readonly port: number;
}

const urlOf = (port: number): string => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${DATABASE}`;

export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = createRunFolder();
  const data = createDataFolder();
  const home = join(data.path, 'postgres');
  mkdirSync(home, { mode: 0o755 });
  const binaries = reachableBinaries(folder.path);
  const servers = new Map<Node, EmbeddedDatabase>();
  let nodeCount = 0;

  const newNode = async (): Promise<Node> => {
    nodeCount += 1;
    return { folder: join(home, `node-${nodeCount}`), port: await freeLoopbackPort() };
  };
  const start = async (node: Node, more: Readonly<Record<string, string>> = {}): Promise<void> => {
    if (servers.has(node)) return;
    const settings = { ...SETTINGS, port: String(node.port), ...more };
    const options = { binaries, user: USER, password: PASSWORD, database: DATABASE, durable: false, settings };
    // After a crash the old processes may hold the shared memory for a moment.
    const server = await eventually(() => startEmbeddedDatabase({ folder: node.folder, ...options }), {
      timeoutMs: RESTART_DEADLINE_MS,
      intervalMs: 200,
    });
    appendFileSync(join(home, 'processes'), `${server.pid}\n`);
    servers.set(node, server);
  };
  const stop = async (node: Node): Promise<void> => {
    await servers.get(node)?.stop();
    servers.delete(node);
  };
  const kill = async (node: Node): Promise<void> => {
    const server = servers.get(node);
    if (server === undefined) return;
    signalGroup(server.pid, 'SIGKILL');
    await server.ended;
    servers.delete(node);
  };

  let primary = await newNode();
  let standby: Node | undefined;
  let standbySettings: Readonly<Record<string, string>> = {};
  /** What every commit waits for: nothing without a replica. */
  let primarySettings: Readonly<Record<string, string>> = {};
  await start(primary);

  return {
    get url() {
      return urlOf(primary.port);
    },
    get environment() {
      return { LINTEL_TEST_POSTGRES_URL: urlOf(primary.port) };
    },
    get port() {
      return primary.port;
    },
    get standbyPort() {
      return standby?.port ?? 0;
    },
    start: () => start(primary, primarySettings),
    stop: () => stop(primary),
    kill: () => kill(primary),
    get standbyUrl() {
      return urlOf(existing(standby).port);
    },
    queryStandby: (text, values) => runOnce(urlOf(existing(standby).port), text, values),
    killStandby: () => kill(existing(standby)),
    startStandby: () => start(existing(standby), standbySettings),
    async addStandby({ isAsynchronous = false, settings = {} } = {}) {
      standby = await newNode();
      standbySettings = settings;
      await stop(primary);
      copyCluster(primary, standby);
      primarySettings = isAsynchronous ? {} : { synchronous_standby_names: '*' };
      await start(primary, primarySettings);
      await start(standby, standbySettings);
      const syncState = isAsynchronous ? 'async' : 'sync';
      await eventually(() => assertFollowed(primary.port, syncState), {
        timeoutMs: RESTART_DEADLINE_MS,
        intervalMs: 50,
      });
    },
    async promoteStandby() {
      const promoted = existing(standby);
      await runOnce(urlOf(promoted.port), 'SELECT pg_promote(true, 30)');
      primary = promoted;
      standby = undefined;
      primarySettings = {};
    },
    query: (text, values) => runOnce(urlOf(primary.port), text, values),
    async dispose() {
      for (const node of [...servers.keys()]) await kill(node);
      data.remove();
      folder.remove();
    },
  };
}

/** A stopped cluster is its files; the copy follows the original from where it ends. */
function copyCluster(from: Node, to: Node): void {
  const { uid, gid } = statSync(join(from.folder, 'data'));
  mkdirSync(to.folder);
  cpSync(from.folder, to.folder, { recursive: true });
  const data = join(to.folder, 'data');
  // PostgreSQL requires a folder without access for other users; a copy does not keep those rights.
  chmodSync(data, 0o700);
  writeFileSync(join(data, 'standby.signal'), '');
  const source = `host=127.0.0.1 port=${from.port} user=${USER} password=${PASSWORD} application_name=standby`;
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  // The server does not run as root, and a copy belongs to the user who makes it.
  if (process.getuid?.() === 0)
    for (const name of readdirSync(to.folder, { recursive: true, encoding: 'utf8' }))
      lchownSync(join(to.folder, name), uid, gid);
}

function existing(standby: Node | undefined): Node {
  if (standby === undefined) throw new Error('There is no replica');
  return standby;
}

async function assertFollowed(port: number, syncState: 'sync' | 'async'): Promise<void> {
  const [row] = await runOnce<{ count: number }>(
    urlOf(port),
    `SELECT count(*)::int AS count FROM pg_stat_replication WHERE sync_state = $1 AND state = 'streaming'`,
    [syncState],
  );
  if (row?.count !== 1) throw new Error('The replica does not follow the primary');
}
