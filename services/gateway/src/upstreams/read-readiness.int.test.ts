import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readReadiness } from './read-readiness.ts';

let server: Server;
let respond: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((_request, response) => respond(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const readStatus = async (status: number): Promise<string> => {
  respond = (response) => {
    response.writeHead(status);
    response.write('{', () => response.socket?.resetAndDestroy());
  };
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return (await readReadiness({ target: url, url, servername: undefined }, 60_000)).status;
};

test.each([
  [200, 'ready'],
  [503, 'not ready'],
])('status %i counts where the connection is reset within the body', async (status, expected) => {
  expect(await readStatus(status)).toBe(expected);
});
