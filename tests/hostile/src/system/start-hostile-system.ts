import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createTestDatabase, databaseOfHome, runOnce } from '@lintel/testkit';
import { ownPostgres } from '@lintel/testkit/backends';
import { findProcesses, readInside } from '../probe/inside-reader.ts';
import { isRunning, parentOf } from '../probe/process-memory.ts';
import { PROVIDER_METADATA, providerSettings } from './hostile-provider.ts';
import { INITIAL_ACCESS_TOKEN } from './initial-access-token.ts';

/** `npm start`, or the five services as processes. */
export type Mode = 'one process' | 'five processes';

/** The system with the example application and a tree, over a PostgreSQL server that it shares with nothing else. */
export interface HostileSystem {
  readonly mode: Mode;
  /** Of the gateway. */
  readonly url: string;
  /** Folder of the sockets of `inside-process.mjs`. */
  readonly sockets: string;
  readonly postmasterPid: number;
  /** Runs a statement on the database of the system. */
  query<R extends object>(text: string, values?: readonly unknown[]): Promise<readonly R[]>;
  /** Whether all processes that were there at the start run. */
  isComplete(): boolean;
  /** Whether they run and respond as well. */
  isResponsive(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Of `tools/test/system.mjs` and `services-system.mjs`. */
interface StartedSystem {
  readonly url: string;
  readonly pid: number;
  readonly home: string;
  stop(): Promise<string | undefined>;
}

const TOOLS = fileURLToPath(new URL('../../../../tools/test/', import.meta.url));
const INSIDE = new URL('../probe/inside-process.mjs', import.meta.url).href;

const toolsModule = async (file: string): Promise<Readonly<Record<string, (...values: unknown[]) => unknown>>> =>
  (await import(pathToFileURL(join(TOOLS, file)).href)) as Readonly<Record<string, (...values: unknown[]) => unknown>>;

/** Starts the system; `settings` win. */
export async function startHostileSystem(
  mode: Mode,
  settings: Readonly<Record<string, string>> = {},
): Promise<HostileSystem> {
  const sockets = mkdtempSync(join(tmpdir(), 'lintel-hostile-'));
  const metadataFile = join(sockets, 'provider.xml');
  writeFileSync(metadataFile, PROVIDER_METADATA);
  const environment = {
    SVC_LOG_LEVEL: 'error',
    SVC_APPLICATION: fileURLToPath(new URL('hostile-application.ts', import.meta.url)),
    NODE_OPTIONS: `--import=${INSIDE}`,
    LINTEL_HOSTILE_SOCKETS: sockets,
    // A download asks data whether its caller may read what refers to the file.
    SVC_FILES_ACCESS: 'references',
    SVC_AUTH_REGISTRATION_ENABLED: 'true',
    SVC_AUTH_REGISTRATION_INITIAL_ACCESS_TOKEN: INITIAL_ACCESS_TOKEN,
    ...providerSettings(metadataFile),
    ...settings,
  };
  const start = mode === 'one process' ? startOne : startFive;
  const { system, databaseUrl, dispose } = await start(environment);
  const postmasterPid = await serverOf(databaseUrl);
  const first = [...findProcesses(sockets).keys()];
  const isResponsive = async (): Promise<boolean> => {
    const readings = await Promise.all(first.map((pid) => readInside(sockets, pid, 'read')));
    return first.length > 0 && readings.every((reading) => reading !== undefined);
  };
  return {
    mode,
    url: system.url,
    sockets,
    postmasterPid,
    query: (text, values) => runOnce(databaseUrl, text, values),
    isComplete: () => first.length > 0 && first.every(isRunning),
    isResponsive,
    async stop() {
      // A process that is blocked does not stop; that it is blocked has been reported by its test.
      if (!(await isResponsive())) for (const pid of findProcesses(sockets).keys()) process.kill(pid, 'SIGKILL');
      await system.stop();
      // A process that was killed has not stopped its database.
      if (mode === 'one process' && isRunning(postmasterPid)) process.kill(postmasterPid, 'SIGQUIT');
      await dispose();
      rmSync(sockets, { recursive: true, force: true });
    },
  };
}

interface Started {
  readonly system: StartedSystem;
  readonly databaseUrl: string;
  dispose(): Promise<void>;
}

async function startOne(environment: Readonly<Record<string, string>>): Promise<Started> {
  const { startStandalone } = await toolsModule('system.mjs');
  const system = (await startStandalone?.(environment)) as StartedSystem;
  return { system, databaseUrl: databaseOfHome(system.home), dispose: async () => undefined };
}

async function startFive(environment: Readonly<Record<string, string>>): Promise<Started> {
  const postgres = await ownPostgres();
  try {
    const database = await createTestDatabase('hostile', postgres.url);
    const { startServices } = await toolsModule('services-system.mjs');
    const servers = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('LINTEL_TEST_')));
    const system = (await startServices?.(servers, {
      ...environment,
      SVC_DATASOURCE_URL: database.url,
    })) as StartedSystem;
    return { system, databaseUrl: database.url, dispose: () => postgres.dispose() };
  } catch (error) {
    await postgres.dispose();
    throw error;
  }
}

/** A backend is a child of the server's first process. */
async function serverOf(databaseUrl: string): Promise<number> {
  const rows = await runOnce<{ pid: number }>(
    databaseUrl,
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`,
  );
  const pid = rows[0]?.pid;
  if (pid === undefined) throw new Error('The server has no checkpointer');
  return parentOf(pid);
}
