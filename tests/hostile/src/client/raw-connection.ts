import { connect } from 'node:net';

/** A connection that bytes are written to. */
export interface RawConnection {
  write(bytes: string | Uint8Array): void;
  /** The text that has come so far. */
  readonly received: string;
  readonly isClosed: boolean;
  /** Resolves to the status of the first response, `closed`, or `timeout`. */
  status(timeoutMs: number): Promise<number | 'closed' | 'timeout'>;
  close(): void;
}

const RECEIVED_CHARACTERS = 100_000;

/** Connects from an address of loopback. */
export const connectRaw = (url: string, localAddress: string): Promise<RawConnection> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress });
    let received = '';
    let isClosed = false;
    const waiting = new Set<() => void>();
    const notify = (): void => {
      for (const look of waiting) look();
    };
    socket.on('data', (chunk) => {
      if (received.length < RECEIVED_CHARACTERS) received += chunk.toString('latin1');
      notify();
    });
    socket.on('close', () => {
      isClosed = true;
      notify();
    });
    socket.on('error', (error) => {
      if (socket.connecting) reject(error);
      isClosed = true;
      notify();
    });
    const statusNow = (): number | 'closed' | undefined => {
      const found = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1];
      if (found !== undefined) return Number(found);
      return isClosed ? 'closed' : undefined;
    };
    const connection: RawConnection = {
      write: (bytes) => void socket.write(bytes),
      get received() {
        return received;
      },
      get isClosed() {
        return isClosed;
      },
      status: (timeoutMs) =>
        new Promise((done) => {
          const finish = (status: number | 'closed' | 'timeout'): void => {
            clearTimeout(timer);
            waiting.delete(look);
            done(status);
          };
          const look = (): void => {
            const status = statusNow();
            if (status !== undefined) finish(status);
          };
          const timer = setTimeout(() => finish('timeout'), timeoutMs);
          waiting.add(look);
          look();
        }),
      close: () => socket.destroy(),
    };
    socket.once('connect', () => resolve(connection));
    socket.once('error', reject);
  });
