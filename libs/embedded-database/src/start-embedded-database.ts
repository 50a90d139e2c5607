import { spawn } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { binariesFolder } from './binaries/binaries.ts';
import { majorVersion } from './binaries/major-version.ts';
import { createDataFolder } from './create-data-folder.ts';
import { type DatabaseUser, databaseUser } from './database-user.ts';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';
import { freeLoopbackPort } from './free-loopback-port.ts';
import { readServerFile, signalServer, stopServer } from './server-process.ts';

export interface EmbeddedDatabaseOptions {
  /** Holds `data` and `postgres.log`; made when missing. The server's user must be able to reach it. */
  readonly folder: string;
  /** Folder with `bin`, `lib`, `share`; by default the one that npm installed. */
  readonly binaries?: string;
  /** Superuser of the cluster; the name and password of an existing folder cannot be changed here. */
  readonly user: string;
  readonly password: string;
  /** Created with the cluster. */
  readonly database: string;
  /** Server settings, such as `{ max_connections: '100' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether the files of a new folder are forced to the disk. Default true. */
  readonly durable?: boolean;
  readonly onProgress?: (step: string) => void;
  /** Longest wait for the server; recovery after a crash can take a while. Default 60,000. */
  readonly timeoutMs?: number;
}

export interface EmbeddedDatabase {
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Connection string, password included. */
  readonly url: string;
  readonly pid: number;
  /** Settles when the server ends, for any reason. */
  readonly ended: Promise<void>;
  /** Fast shutdown; resolves when the server is gone. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL on a free loopback port and resolves when it accepts connections. A new folder is
 * initialised first. A server that a killed parent left running on the same folder is stopped before.
 *
 * @throws EmbeddedDatabaseError saying in one sentence what is wrong and what to do
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const binaries = options.binaries ?? binariesFolder();
  const dataFolder = join(options.folder, 'data');
  mkdirSync(options.folder, { recursive: true });
  const user = databaseUser(dataFolder);
  const orphan = readServerFile(dataFolder);
  if (orphan !== undefined) {
    options.onProgress?.(`Stopping the database of an earlier start that is still running (process ${orphan.pid})`);
    await stopServer(orphan.pid);
  } else {
    // Of a server that was killed, or of the folder that this one is a copy of, where PostgreSQL would not start.
    rmSync(join(dataFolder, 'postmaster.pid'), { force: true });
  }
  if (existsSync(dataFolder)) assertUsable(dataFolder, binaries);
  else {
    options.onProgress?.('Creating the database');
    await createDataFolder({ ...options, binaries, dataFolder, owner: user });
  }
  options.onProgress?.('Starting the database');
  const port = await freeLoopbackPort();
  const { pid, ended } = await launch(options, { binaries, dataFolder, port, user });
  // Unless this process is killed, the server ends with it.
  const stopAtExit = (): void => void signalServer(pid, 'SIGINT');
  process.once('exit', stopAtExit);
  void ended.then(() => process.off('exit', stopAtExit));
  return {
    host: '127.0.0.1',
    port,
    user: options.user,
    database: options.database,
    url: `postgres://${encodeURIComponent(options.user)}:${encodeURIComponent(options.password)}@127.0.0.1:${port}/${encodeURIComponent(options.database)}`,
    pid,
    ended,
    stop: () => stopServer(pid),
  };
}

/** A folder of another major version, or no cluster at all, is reported before the server trips over it. */
function assertUsable(dataFolder: string, binaries: string): void {
  assertOwn(dataFolder);
  const versionFile = join(dataFolder, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw new EmbeddedDatabaseError(
      `The folder ${dataFolder} is not a PostgreSQL data folder (PG_VERSION is missing); move it away and start again to get a new database.`,
    );
  }
  const found = readFileSync(versionFile, 'utf8').trim();
  const wanted = majorVersion(binaries);
  if (wanted !== undefined && found !== wanted) {
    throw new EmbeddedDatabaseError(
      `The folder ${dataFolder} was made by PostgreSQL ${found}, and this is PostgreSQL ${wanted}; move it away, or go back to the version of Lintel that made it.`,
    );
  }
}

/** PostgreSQL wants to own its folder; a change of user between two starts is the usual reason that it does not. */
function assertOwn(dataFolder: string): void {
  const caller = process.getuid?.();
  const { uid } = statSync(dataFolder);
  if (caller === undefined || caller === 0 || caller === uid) return;
  throw new EmbeddedDatabaseError(
    `The folder ${dataFolder} belongs to another user (number ${uid}); start as that user or as root, or move it away to begin with a new database.`,
  );
}

interface Launch {
  readonly binaries: string;
  readonly dataFolder: string;
  readonly port: number;
  readonly user: DatabaseUser | undefined;
}

async function launch(
  options: EmbeddedDatabaseOptions,
  { binaries, dataFolder, port, user }: Launch,
): Promise<{ readonly pid: number; readonly ended: Promise<void> }> {
  const logFile = join(options.folder, 'postgres.log');
  const log = openSync(logFile, 'w', 0o600);
  if (user !== undefined) chownSync(logFile, user.uid, user.gid);
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    // Tables of a new database grow from nothing within seconds: statements that stay prepared need statistics soon.
    autovacuum_naptime: '10s',
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Detached: Ctrl-C reaches the whole foreground group, and the database must be the last to stop.
  const server = spawn(join(binaries, 'bin', 'postgres'), ['-D', dataFolder, ...flags], {
    ...user,
    cwd: options.folder,
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: '/usr/bin:/bin', LANG: 'C', LC_MESSAGES: 'C', TZ: 'UTC' },
  });
  closeSync(log);
  let ended: string | undefined;
  server.once('error', (error) => {
    ended = error.message;
  });
  const gone = new Promise<void>((resolve) => {
    server.once('exit', (code, signal) => {
      ended = `it ended with ${signal ?? `code ${code}`}`;
      resolve();
    });
  });
  server.unref();
  const deadline = performance.now() + (options.timeoutMs ?? 60_000);
  while (ended === undefined && performance.now() < deadline) {
    if (server.pid !== undefined && isReady(dataFolder, server.pid)) return { pid: server.pid, ended: gone };
    await sleep(10);
  }
  if (ended === undefined && server.pid !== undefined) await stopServer(server.pid, 2000);
  throw new EmbeddedDatabaseError(
    `The database in ${dataFolder} does not start: ${lastComplaint(logFile) ?? ended ?? 'it is not ready in time'}. Details are in ${logFile}; to begin with a new database, move ${dataFolder} away.`,
  );
}

function isReady(dataFolder: string, pid: number): boolean {
  const server = readServerFile(dataFolder);
  return server !== undefined && server.pid === pid && server.status === 'ready';
}

/** What the server said last before it gave up. */
function lastComplaint(logFile: string): string | undefined {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  const line = lines.findLast((text) => /\b(FATAL|PANIC|ERROR):|cannot|error while loading/.test(text)) ?? lines.at(-2);
  return line?.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '').trim();
}
