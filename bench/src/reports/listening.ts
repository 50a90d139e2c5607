import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on a free port, sends the parent process its address, and ends with it. */
export function listening(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
  process.on('disconnect', () => process.exit());
}
