import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ErrorCode } from '@lintel/errors';
import { ERROR_CODES } from '@lintel/errors';
import { startDraining } from './draining.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Longest head of a request. Services accept more than the gateway, which adds a JWT. */
  readonly maxHeaderBytes?: number;
  /** How long `close` waits for requests in flight before it cuts them. */
  readonly drainMs?: number;
}

export interface RunningServer {
  readonly port: number;
  readonly url: string;
  /** Refuses new connections, finishes requests in flight, closes the rest after `drainMs`. */
  close(): Promise<void>;
}

const DEFAULT_MAX_HEADER_BYTES = 32 * 1024;
const DEFAULT_DRAIN_MS = 10_000;
/** Above the idle time of every client's pool of ours (30 s), so that we never close under a request. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Starts to serve.
 *
 * @throws the system's error (`EADDRINUSE`, `EACCES`) where the port cannot be had
 */
export async function listen(app: RequestListener, options: ListenOptions): Promise<RunningServer> {
  const server = createServer(
    {
      maxHeaderSize: options.maxHeaderBytes ?? DEFAULT_MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: 30_000,
      // Uploads of any length; a stalled one ends by the socket's inactivity.
      requestTimeout: 0,
      noDelay: true,
    },
    app,
  );
  server.on('clientError', refuseUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return { port, url: `http://${host}:${port}`, close: () => closeServer(app, server, options.drainMs) };
}

async function closeServer(app: RequestListener, server: Server, drainMs = DEFAULT_DRAIN_MS): Promise<void> {
  startDraining(app);
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // A connection that was busy becomes idle when its answer ends; it must not wait for its keep-alive.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
  try {
    await closed;
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}

/** Answers what never became a request (too large a head, broken syntax, too slow) in the API's shape. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code: ErrorCode = error.code === 'HPE_HEADER_OVERFLOW' ? 'REQ_HEADERS_TOO_LARGE' : 'REQ_INVALID_PARAMETER';
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : ERROR_CODES[code].status;
  const body = JSON.stringify(
    code === 'REQ_HEADERS_TOO_LARGE'
      ? { error: ERROR_CODES[code].error, details: 'The request line and headers are too large' }
      : { error: STATUS_CODES[status] ?? '', details: 'The request cannot be read' },
  );
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
