import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below those that systems give to connections, and to listeners that ask for any: nobody gets a port of these by
 * chance between the moment when it is found free and the one when it is used.
 */
const FIRST = 15_000;
const COUNT = 17_000;

/** Each process begins somewhere else and goes on from there, so that none finds the same port twice. */
let last = randomInt(COUNT);

/**
 * A TCP port of the loopback interface that nobody listens on now.
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
