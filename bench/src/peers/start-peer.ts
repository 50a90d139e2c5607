import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Peer, PeerTarget } from './peer.ts';

export interface StartedPeer {
  readonly url: string;
  readonly pid: number;
  /** Bearer token of the requests. */
  readonly token: string;
  stop(): Promise<void>;
}

/** Some build their own tables and compile at the first start. */
const START_MS = 300_000;
const POLL_MS = 100;
const STOP_MS = 10_000;

/**
 * Starts a peer and waits until it listens and has its token. Its output goes to a file of its folder.
 *
 * @throws Error with the end of its output if it ends before
 */
export async function startPeer(peer: Peer, target: PeerTarget): Promise<StartedPeer> {
  const { folder, port } = target;
  const logFile = join(folder, 'run.log');
  const log = openSync(logFile, 'w');
  const { file, parameters, environment } = peer.command(target);
  const child = spawn(file, parameters, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const stop = (): Promise<void> => stopChild(child);
  try {
    await hasOpened(child, port);
    const token = await peer.open(target);
    return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, token, stop };
  } catch (error) {
    await stop();
    const text = error instanceof Error ? error.message : String(error);
    throw new Error(`${peer.about} does not start: ${text}\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
  }
}

async function hasOpened(child: ChildProcess, port: number): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  child.once('exit', (code, signal) => {
    failure = new Error(`it ended with ${signal ?? `code ${code}`}`);
  });
  const deadline = performance.now() + START_MS;
  while (!(await accepts(port))) {
    if (failure !== undefined) throw failure;
    if (performance.now() > deadline) throw new Error('it does not listen in time');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1').once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.end();
      resolve(true);
    });
  });

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(kill);
}
