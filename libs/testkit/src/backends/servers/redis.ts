import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freeLoopbackPort } from '@lintel/embedded-database';
import { type BackendSource, unavailable } from '../backend.ts';
import { accepts, type ChildServer, startChildServer } from '../child-server.ts';
import { findProgram } from '../sources/find-program.ts';

/** Redis (or Valkey) as an installed program, without persistence. */
export const redisFromProgram: BackendSource = async ({ folder, onProgress }) => {
  const program = findRedis();
  if (program === undefined) return unavailable('redis-server is not installed');
  onProgress(`Starting ${program}`);
  const port = await freeLoopbackPort();
  const server = await startRedis({ folder, program, port });
  return {
    environment: { LINTEL_TEST_REDIS_URL: `redis://127.0.0.1:${port}` },
    origin: program,
    stop: () => server.stop(),
  };
};

export const findRedis = (): string | undefined => findProgram('redis-server', 'valkey-server');

/** Starts one on a port that the caller chose, so that it can be stopped and started again. */
export function startRedis(options: {
  readonly folder: string;
  readonly program: string;
  readonly port: number;
  /** More than those that every one is started with. */
  readonly parameters?: readonly string[];
}): Promise<ChildServer> {
  const workFolder = join(options.folder, `redis-${options.port}`);
  mkdirSync(workFolder, { recursive: true });
  return startChildServer({
    name: `redis-${options.port}`,
    program: options.program,
    parameters: [
      ...['--port', String(options.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      ...(options.parameters ?? []),
    ],
    folder: options.folder,
    workFolder,
    isReady: () => accepts(options.port),
  });
}
