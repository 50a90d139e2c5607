import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeLoopbackPort } from '@lintel/embedded-database';
import { eventually } from '../../eventually.ts';
import { accepts, type ChildServer, startChildServer } from '../child-server.ts';
import { askRedis } from './ask-redis.ts';
import { assertInStep } from './replica-in-step.ts';
import { onLoopback, PATIENT, type RedisAddress, startServers } from './start-servers.ts';

/** A primary with a replica that the sentinel promotes when the primary is gone. */
export interface OwnSentinels {
  readonly master: string;
  /** Sentinels; one that is enough, and before it one that does not exist. */
  readonly nodes: readonly RedisAddress[];
  readonly password: string;
  readonly sentinelPassword: string;
  /** Makes the replica the primary, as an operator does for maintenance; resolves when the sentinel names it. */
  switchPrimary(): Promise<void>;
  /** SIGKILL of the current primary, as soon as the replica has all its writes. */
  killPrimary(): Promise<void>;
  /** Lets the sentinel find out that the primary was killed; resolves when it names the replica instead. */
  failOver(): Promise<void>;
  /** Starts again whom `killPrimary` killed; it becomes a replica. */
  restartKilled(): Promise<void>;
  /** Ends all of it and removes its files. */
  dispose(): Promise<void>;
}

const PASSWORD_OF_SERVERS = 'of-the-servers';
const PASSWORD_OF_SENTINELS = 'of-the-sentinels';
const MASTER = 'lintel';
/** A primary that is silent for so long is given up by `failOver`. */
const DOWN_AFTER_MS = 1_000;
/** At other times a machine that stands still for seconds is no reason. */
const SAFE_DOWN_AFTER_MS = 120_000;
/** A sentinel that stands still for longer does nothing for the next 30 seconds; two seconds by default. */
const MAX_STILL_MS = 600_000;
/** Releases before 7.0 have no other time than the default. */
const FAIL_OVER_MS = 180_000;
const LOGIN = ['--requirepass', PASSWORD_OF_SERVERS, '--masterauth', PASSWORD_OF_SERVERS];

/** Starts a primary, a replica and a sentinel, each with a password; ready when the sentinel could fail over. */
export async function ownSentinels(): Promise<OwnSentinels> {
  const servers = startServers();
  const [first, second, sentinel, unreachable] = [
    await freeLoopbackPort(),
    await freeLoopbackPort(),
    await freeLoopbackPort(),
    await freeLoopbackPort(),
  ];
  try {
    await servers.start(first, ...LOGIN, '--repl-diskless-sync-delay', 0);
    await servers.start(second, ...LOGIN, '--repl-diskless-sync-delay', 0, '--replicaof', '127.0.0.1', first);
    servers.keep(sentinel, await startSentinel(servers.folder, servers.program, sentinel, first));
    await sendCommand(sentinel, 'debug', 'tilt-trigger', MAX_STILL_MS).catch(() => undefined);
    await eventually(async () => {
      const replicas = await sendCommand(sentinel, 'replicas', MASTER);
      if (!JSON.stringify(replicas).includes('"master-link-status","ok"')) throw new Error('It knows no replica yet');
    }, PATIENT);
  } catch (error) {
    await servers.dispose();
    throw error;
  }
  const primaryNow = async (): Promise<number> => {
    const address = await sendCommand(sentinel, 'get-master-addr-by-name', MASTER);
    return Number((address as readonly unknown[])[1]);
  };
  const primaryInStep = async (): Promise<number> => {
    const port = await primaryNow();
    const primary = { port, password: PASSWORD_OF_SERVERS };
    await eventually(() => assertInStep(primary, { ...primary, port: port === first ? second : first }), PATIENT);
    return port;
  };
  let killed: number | undefined;
  return {
    master: MASTER,
    nodes: [onLoopback(unreachable), onLoopback(sentinel)],
    password: PASSWORD_OF_SERVERS,
    sentinelPassword: PASSWORD_OF_SENTINELS,
    async switchPrimary() {
      const former = await primaryInStep();
      await eventually(async () => {
        if ((await primaryNow()) !== former) return;
        // One that sentinels refuse, or give up, is not begun again by them; one under way is refused a second time.
        await sendCommand(sentinel, 'failover', MASTER).catch(() => undefined);
        throw new Error('The replica has not been promoted yet');
      }, PATIENT);
    },
    async killPrimary() {
      killed = await primaryInStep();
      await servers.kill(killed);
    },
    async failOver() {
      await setDownAfter(sentinel, DOWN_AFTER_MS);
      await eventually(
        async () => {
          if ((await primaryNow()) === killed) throw new Error('The replica has not been promoted yet');
        },
        { ...PATIENT, timeoutMs: FAIL_OVER_MS },
      );
      await setDownAfter(sentinel, SAFE_DOWN_AFTER_MS);
    },
    async restartKilled() {
      if (killed !== undefined) await servers.start(killed, ...LOGIN);
      killed = undefined;
    },
    dispose: servers.dispose,
  };
}

/** Sentinels write what they find into their configuration. */
function startSentinel(folder: string, program: string, port: number, primary: number): Promise<ChildServer> {
  const workFolder = join(folder, `sentinel-${port}`);
  mkdirSync(workFolder, { recursive: true });
  const file = join(workFolder, 'sentinel.conf');
  writeFileSync(
    file,
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `requirepass ${PASSWORD_OF_SENTINELS}`,
      `sentinel monitor ${MASTER} 127.0.0.1 ${primary} 1`,
      `sentinel auth-pass ${MASTER} ${PASSWORD_OF_SERVERS}`,
      `sentinel down-after-milliseconds ${MASTER} ${SAFE_DOWN_AFTER_MS}`,
      // The next fail-over comes after twice this time at the earliest.
      `sentinel failover-timeout ${MASTER} 1000`,
      '',
    ].join('\n'),
  );
  return startChildServer({
    name: `sentinel-${port}`,
    program,
    parameters: [file, '--sentinel'],
    folder,
    workFolder,
    isReady: () => accepts(port),
  });
}

const sendCommand = (port: number, ...words: readonly (string | number)[]) =>
  askRedis({ port, password: PASSWORD_OF_SENTINELS }, 'SENTINEL', ...words);

const setDownAfter = (port: number, ms: number) =>
  eventually(() => sendCommand(port, 'set', MASTER, 'down-after-milliseconds', ms), PATIENT);
