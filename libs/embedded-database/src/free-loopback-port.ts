import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports of common systems: no connection gets a port of this range by chance between the check and
 * its use.
 */
const FIRST = 15_000;
const COUNT = 17_000;

/** Each process begins somewhere else and goes on from there, so that none finds the same port twice. */
let last = randomInt(COUNT);

/**
 * A TCP port of the loopback interface without a listener.
 *
 * @throws Error where there is none
 */
export async function freeLoopbackPort(): Promise<number> {
  for (let attempt = 0; attempt < COUNT; attempt += 1) {
    last = (last + 1) % COUNT;
    const port = FIRST + last;
    if (await isFree(port)) return port;
  }
  throw new Error(`All ports from ${FIRST} to ${FIRST + COUNT - 1} are in use`);
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
