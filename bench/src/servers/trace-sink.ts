import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands in for a collector of traces: takes what it is sent, and keeps nothing. */
export interface TraceSink {
  readonly url: string;
  close(): void;
}

export async function startTraceSink(): Promise<TraceSink> {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
