import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Below the ephemeral ports of common systems: no connection gets a port of this range by chance between the check and
 * its use.
 */
const FIRST = 15_000;
const COUNT = 17_000;

/** Each process begins somewhere else and goes on from there, so that none finds the same port twice. */
let last = randomInt(COUNT);

/** Has a file for each port that a process has found, so that no other one finds it before there is a listener. */
const RESERVATIONS = join(tmpdir(), `lintel-ports-${userInfo().uid}`);

/**
 * A TCP port of the loopback interface without a listener. It is reserved until this process ends.
 *
 * @throws Error where there is none
 */
export async function freeLoopbackPort(): Promise<number> {
  for (let attempt = 0; attempt < COUNT; attempt += 1) {
    last = (last + 1) % COUNT;
    const port = FIRST + last;
    if (reserve(port) && (await isFree(port))) return port;
  }
  throw new Error(`All ports from ${FIRST} to ${FIRST + COUNT - 1} are in use`);
}

/** Whether the port is now reserved for this process. The reservation of a process that is gone does not count. */
function reserve(port: number): boolean {
  mkdirSync(RESERVATIONS, { recursive: true });
  const file = join(RESERVATIONS, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (isRunning(Number(readFileSync(file, 'utf8')))) return false;
  writeFileSync(file, String(process.pid));
  return true;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user runs as well.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
