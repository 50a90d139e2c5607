import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net';

/** The address at which a server accepts connections. */
export interface AcceptOptions {
  readonly host: string;
  /** 0: the system chooses. */
  readonly port: number;
  /** Whether a TCP connection ends when either side ends it, as TLS requires. */
  readonly isTls: boolean;
}

/** The listening sockets of one server, on the same address and port. */
export interface Acceptors {
  readonly port: number;
  /** Number of open connections. */
  countConnections(): Promise<number>;
  /** Stops accepting connections; resolves when all have ended. */
  close(): Promise<void>;
}

/**
 * libuv accepts one connection of a listening socket per iteration of the event loop. With one socket, connections
 * wait for seconds after a burst of others while the iterations of a busy process take 30 ms.
 */
export const ACCEPTORS = 16;

/**
 * Accepts connections for `server` with several listening sockets, among which the system distributes them
 * (`SO_REUSEPORT`); with one socket where the system does not support that.
 *
 * @throws the error of the system (`EADDRINUSE`, `EACCES`) if the port is not available
 */
export async function openAcceptors(server: Server, { host, port: wanted, isTls }: AcceptOptions): Promise<Acceptors> {
  if (wanted !== 0) await assertFree(host, wanted);
  try {
    await listenAt(server, { host, port: wanted, reusePort: true });
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    await listenAt(server, { host, port: wanted });
    return acceptorsOf([server]);
  }
  const port = portOf(server);
  const further = Array.from({ length: ACCEPTORS - 1 }, () =>
    createServer({ allowHalfOpen: !isTls, noDelay: true }, (socket) => void server.emit('connection', socket)),
  );
  const acceptors = acceptorsOf([server, ...further]);
  const opened = await Promise.allSettled(
    further.map((acceptor) => listenAt(acceptor, { host, port, reusePort: true })),
  );
  const failed = opened.find(({ status }) => status === 'rejected');
  if (failed?.status !== 'rejected') return acceptors;
  await acceptors.close();
  throw failed.reason;
}

/**
 * Rejects if the port is in use: sockets that share a port would share it with another process of the same user,
 * too. A port that the system chooses is free.
 */
async function assertFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  await listenAt(probe, { host, port });
  await closed(probe);
}

const portOf = (server: NetServer): number => (server.address() as AddressInfo).port;

const isUnsupported = (error: unknown): boolean =>
  ['ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'ENOPROTOOPT'].includes((error as NodeJS.ErrnoException).code ?? '');

const acceptorsOf = (servers: readonly [NetServer, ...NetServer[]]): Acceptors => ({
  port: portOf(servers[0]),
  countConnections: async () => {
    const counts = await Promise.all(servers.map(connectionsOf));
    return counts.reduce((sum, count) => sum + count, 0);
  },
  close: async () => {
    await Promise.all(servers.map(closed));
  },
});

const listenAt = (
  server: NetServer,
  options: { readonly host: string; readonly port: number; readonly reusePort?: true },
): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });

const closed = (server: NetServer): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

const connectionsOf = (server: NetServer): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
