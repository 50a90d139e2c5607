import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@lintel/testkit';

/** A received message. */
export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** The member `data` of the body. */
  readonly payload: {
    readonly entity: string;
    readonly id: unknown;
    readonly change: string;
    readonly attributes?: readonly string[];
    readonly instance?: Readonly<Record<string, unknown>>;
  };
}

/** A local server for webhooks, which records the messages. */
export async function startReceiver() {
  const received: Received[] = [];
  const failures = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const body = Buffer.concat(chunks).toString('utf8');
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      received.push({ path, headers, body, payload: (JSON.parse(body) as { data: Received['payload'] }).data });
      const left = failures.get(path) ?? 0;
      failures.set(path, left - 1);
      response.writeHead(left > 0 ? 500 : 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The response to the next `times` messages to a path has the status 500. */
    fail(path: string, times: number): void {
      failures.set(path, times);
    },
    at: (path: string): readonly Received[] => received.filter((message) => message.path === path),
    /** Waits for that many messages at a path. */
    async until(path: string, count: number): Promise<readonly Received[]> {
      return eventually(
        () => {
          const found = received.filter((message) => message.path === path);
          if (found.length < count) throw new Error(`${found.length} of ${count} messages came to ${path}`);
          return found;
        },
        { timeoutMs: 30_000 },
      );
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
