/** The server that all forwarders are measured in front of: fixed responses with the headers of the data service. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce } from '../servers/announce.ts';

const ORDER = JSON.stringify({
  _entityName: 'sales_Order',
  _instanceName: 'O-000123',
  id: '00000000-0000-4000-8000-000000000123',
  number: 'O-000123',
  date: '2026-01-15',
  status: 'NEW',
  amount: 1234.56,
  version: 1,
  comment: 'x'.repeat(200),
});
/** About the size of the response of R2. */
const ORDERS = `[${Array.from({ length: 50 }, () => ORDER).join(',')}]`;

const respond = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, {
    'X-Trace-Id': '0123456789abcdef0123456789abcdef',
    'X-Content-Type-Options': 'nosniff',
    ETag: '"1.abcdefgh"',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
};

/** The response to a creation is sent when its body has arrived, as by a service that reads it. */
function serve(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'GET') respond(response, 200, request.url?.includes('?') === true ? ORDERS : ORDER);
  else request.resume().once('end', () => respond(response, 201, ORDER));
}

const server = createServer({ keepAliveTimeout: 65_000 }, serve);
server.listen(0, '127.0.0.1', () => announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
