import type { ChildServer } from '../child-server.ts';
import { createRunFolder } from '../run-folder.ts';
import { findRedis, startRedis } from '../servers/redis.ts';

/** Starting, finding each other and electing take their time on a busy machine. */
export const PATIENT = { timeoutMs: 60_000, intervalMs: 50 };

/** Where a server or sentinel is. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

export const onLoopback = (port: number): RedisAddress => ({ host: '127.0.0.1', port });

/** Servers on ports of their own, which end together. */
export function startServers() {
  const program = findRedis();
  if (program === undefined) throw new Error('This test starts servers of Redis: install redis-server');
  const folder = createRunFolder();
  const running = new Map<number, ChildServer>();
  const start = async (port: number, ...parameters: readonly (string | number)[]): Promise<void> => {
    running.set(port, await startRedis({ folder: folder.path, program, port, parameters: parameters.map(String) }));
  };
  return {
    folder: folder.path,
    program,
    start,
    keep: (port: number, server: ChildServer): void => void running.set(port, server),
    kill: async (port: number): Promise<void> => {
      await running.get(port)?.stop('SIGKILL');
      running.delete(port);
    },
    dispose: async (): Promise<void> => {
      await Promise.all([...running.values()].map((server) => server.stop('SIGKILL')));
      folder.remove();
    },
  };
}
