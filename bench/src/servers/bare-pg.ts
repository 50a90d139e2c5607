/** Yardstick (b): bare `node:http` and `pg`, the same statements as (c). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequestLog } from '../yardsticks/request-log.ts';
import { announce } from './announce.ts';
import { openOrderStore } from './open-order-store.ts';
import { readServerSettings } from './server-settings.ts';

const given = readServerSettings();
const orders = openOrderStore(given);
const log = createRequestLog('bare');
const accepted = new Set(given.tokens.map((token) => `Bearer ${token}`));

async function bodyOf(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function handle(
  request: IncomingMessage,
  path: string,
  parameters: URLSearchParams,
): Promise<string | undefined> {
  const number = (name: string): number => Number(parameters.get(name));
  const id = path.startsWith('/rest/orders/') ? path.slice('/rest/orders/'.length) : '';
  switch (path) {
    case '/rest/latest-orders':
      return orders.list('R2', 50, number('offset'));
    case '/rest/orders-with-lines':
      return orders.list('R3', 20, number('offset'));
    case '/rest/matching-orders':
      return orders.matching(parameters.get('status') ?? '', number('amount'), parameters.get('prefix') ?? '');
    case '/rest/all-orders':
      return orders.list('R5', 10_000, 0);
    case '/rest/orders-by-month':
      return orders.list('A1', 10_000, 0);
    case '/rest/latest-of-customers':
      return orders.list('A2', 50, number('offset'));
    case '/rest/best-notes':
      return orders.list('A3', 20, number('offset'));
    case '/rest/nodes-below':
      return orders.list('A4', 50, number('offset'));
    case '/rest/orders':
      return orders.create(await bodyOf(request));
    default:
      if (id === '') return undefined;
      return request.method === 'PUT' ? orders.changeNotes(id, String((await bodyOf(request)).notes)) : orders.one(id);
  }
}

function send(response: ServerResponse, status: number, json: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) });
  response.end(json);
}

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const startedMs = performance.now();
  const url = request.url ?? '';
  const queryStart = url.indexOf('?');
  const path = queryStart < 0 ? url : url.slice(0, queryStart);
  const route = path.startsWith('/rest/orders/') ? '/rest/orders/:id' : path;
  response.once('finish', () => log.note(request.method ?? '', route, response.statusCode, startedMs));
  if (!accepted.has(request.headers.authorization ?? '')) return send(response, 401, '{"error":"unauthorized"}');
  handle(request, path, new URLSearchParams(queryStart < 0 ? '' : url.slice(queryStart))).then(
    (json) =>
      json === undefined ? send(response, 404, '') : send(response, request.method === 'POST' ? 201 : 200, json),
    (error: unknown) => {
      log.error(error);
      send(response, 500, '{"error":"Server error"}');
    },
  );
});
server.listen(0, '127.0.0.1', () => announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
