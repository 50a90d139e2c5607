import { existsSync, mkdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { type Check, type Finding, failed, isAtLeast, ok, TIMEOUT_MS, warning } from './check.ts';
import type { Listener } from './doctor-settings.ts';

const OLDEST_NODE = '24.9';
const GIGABYTE = 1024 ** 3;
/** A database, files and logs need some room to work at all. */
const LEAST_FREE_BYTES = 0.2 * GIGABYTE;
const GOOD_FREE_BYTES = 2 * GIGABYTE;

export const nodeCheck: Check = {
  id: 'node',
  title: 'Node.js',
  run: async () =>
    isAtLeast(process.versions.node, OLDEST_NODE)
      ? ok(process.versions.node)
      : failed(process.versions.node, `Install Node.js ${OLDEST_NODE} or newer`),
};

/** Whether a port can be listened on; a Lintel that runs there is no problem. */
export const portCheck = ({ name, variable, host, port }: Listener): Check => ({
  id: `port.${name.replaceAll(' ', '-')}`,
  title: `Port ${port} (${name})`,
  async run() {
    const code = await listenError(host, port);
    if (code === undefined) return ok('free');
    if (code === 'EADDRINUSE' && (await respondsAsLintel(host, port))) return ok('Lintel runs there');
    const remedy = `Choose another one with ${variable}`;
    return code === 'EADDRINUSE'
      ? failed('taken by another program', `Stop it. ${remedy}`)
      : failed(`cannot be opened (${code})`, remedy);
  },
});

const listenError = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });

async function respondsAsLintel(host: string, port: number): Promise<boolean> {
  try {
    const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    const response = await fetch(`http://${address}:${port}/health/live`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.status === 200 && /"status"\s*:\s*"/.test(await response.text());
  } catch {
    return false; // it speaks no HTTP, so it is something else
  }
}

/** Room where data is kept. */
export const diskCheck = (folder: string): Check => ({
  id: 'disk',
  title: `Disk of ${folder}`,
  async run(): Promise<Finding> {
    const { bavail, bsize } = await statfs(nearest(folder));
    const free = bavail * bsize;
    const detail = `${(free / GIGABYTE).toFixed(1)} GB free`;
    if (free < LEAST_FREE_BYTES) return failed(detail, 'Make room: the database stops when the disk is full');
    return free < GOOD_FREE_BYTES ? warning(detail, 'Make room before it is full') : ok(detail);
  },
});

/** The folder, or the one above that is there. */
const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)));

/** Whether files can be made in a folder, which is made. */
export const folderCheck = (id: string, folder: string): Check => ({
  id,
  title: `Folder ${folder}`,
  async run() {
    try {
      mkdirSync(folder, { recursive: true });
      return ok('can be written');
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error), 'Give it to the user who starts Lintel');
    }
  },
});
