import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ReplicaStorage } from './replica.ts';

export interface Replica {
  readonly url: string;
  readonly pid: number | undefined;
  /** SIGKILL: the process cannot clean up. */
  kill(): Promise<void>;
}

const REPLICA = fileURLToPath(new URL('./replica.ts', import.meta.url));

/** Starts a replica and waits until it listens. */
export async function startReplica(storage: ReplicaStorage, options: readonly string[] = []): Promise<Replica> {
  const child = spawn(process.execPath, [...options, '--conditions=lintel-source', REPLICA, JSON.stringify(storage)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Options of the jest process must not apply to this one.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const ended = once(child, 'exit');
  const url = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve)),
    ended.then(() => Promise.reject(new Error('The replica did not start'))),
  ]);
  return {
    url,
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
