import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, createClient } from '@lintel/client';

/** A request that a server of tests has received. */
export interface Received {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Parsed where it is JSON. */
  readonly body: unknown;
}

/** A response of such a server: JSON, unless it is a text. */
export interface Sent {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A client with a server that records what it receives. */
export async function serveClient(respond: (request: Received) => Sent): Promise<{
  readonly client: Client;
  readonly received: readonly Received[];
  close(): void;
}> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const isJson = request.headers['content-type']?.includes('json') === true;
      const { method = '', url = '', headers } = request;
      const now = { method, path: url, headers, body: isJson ? (JSON.parse(text) as unknown) : text };
      received.push(now);
      const { status = 200, headers: sent, body = {} } = respond(now);
      response.writeHead(status, { 'content-type': 'application/json', ...sent });
      response.end(status === 204 ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    client: createClient({ baseUrl }),
    received,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
