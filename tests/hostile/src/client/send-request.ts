import { Agent, type OutgoingHttpHeaders, request as openRequest } from 'node:http';

/** A request as an HTTP client sends it; the target is not changed. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Objects are sent as JSON, texts and bytes unchanged. */
  readonly body?: unknown;
  /** The response is not read to its end: it may have none. */
  readonly readsHeadersOnly?: boolean;
  readonly timeoutMs?: number;
}

/** A response, or why there is none. */
export interface Reply {
  readonly status: number | 'closed' | 'timeout';
  readonly ms: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The begin of the body. */
  readonly text: string;
  /** Of the body. */
  readonly byteCount: number;
  /** Which of several requests of an attack it was. */
  readonly label?: string;
}

/** Sends requests from one address. */
export interface HttpClient {
  /** Never rejects. */
  send(request: HttpRequest): Promise<Reply>;
  close(): void;
}

const TEXT_BYTES = 65_536;
const TIMEOUT_MS = 40_000;

/**
 * Creates a client.
 *
 * @param localAddress loopback address that the connections come from: callers differ by it, as by their machines
 */
export function createClient(url: string, localAddress: string, maxSockets = 64): HttpClient {
  const { hostname, port, host } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets, localAddress });
  const address = { agent, hostname: hostname === 'localhost' ? '127.0.0.1' : hostname, port };
  return {
    send: (sent) => sendOnce(sent, address, host),
    close: () => agent.destroy(),
  };
}

const bytesOf = (body: unknown): Buffer | undefined => {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
};

const sendOnce = (
  request: HttpRequest,
  address: { readonly agent: Agent; readonly hostname: string; readonly port: string },
  host: string,
  isRepeated = false,
): Promise<Reply> =>
  new Promise((resolve) => {
    const { method, path, headers = {}, body, readsHeadersOnly = false, timeoutMs = TIMEOUT_MS } = request;
    const bytes = bytesOf(body);
    const beganMs = performance.now();
    const isJson = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
    const done = (reply: Omit<Reply, 'ms'>): void => {
      clearTimeout(timer);
      resolve({ ...reply, ms: performance.now() - beganMs });
    };
    const failed = (status: 'closed' | 'timeout', text: string): void =>
      done({ status, headers: {}, text, byteCount: 0 });
    const sent = openRequest({
      ...address,
      method,
      path,
      headers: {
        host,
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...(bytes === undefined ? {} : { 'content-length': bytes.length }),
        ...headers,
      },
    });
    const timer = setTimeout(() => {
      failed('timeout', '');
      sent.destroy();
    }, timeoutMs);
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // A server may close a connection that was idle as the request begins: clients send it again.
      if (sent.reusedSocket && error.code === 'ECONNRESET' && !isRepeated) {
        clearTimeout(timer);
        resolve(sendOnce(request, address, host, true));
      } else failed('closed', error.message);
    });
    sent.on('response', (response) => {
      const { statusCode = 0, headers: received } = response;
      const chunks: Buffer[] = [];
      let byteCount = 0;
      const finish = (): void => {
        const text = Buffer.concat(chunks).toString('utf8');
        done({ status: statusCode, headers: received, text, byteCount });
      };
      response.on('error', (error) => failed('closed', error.message));
      if (readsHeadersOnly && statusCode < 300) {
        finish();
        sent.destroy();
        return;
      }
      response.on('data', (chunk: Buffer) => {
        if (byteCount < TEXT_BYTES) chunks.push(chunk);
        byteCount += chunk.length;
      });
      response.on('end', finish);
      response.on('close', () => {
        if (!response.complete) failed('closed', 'The response was cut');
      });
    });
    // A server that refuses a body may respond before it has all of it.
    sent.end(bytes);
  });
