/** Yardstick (c): Express 5 and `pg`, JSON built in SQL, a static token, access log, metrics and traces. */
import { randomBytes } from 'node:crypto';
import { createIdSource } from '@lintel/entities';
import sales from '@lintel/example-sales';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { Pool, types } from 'pg';
import { observeRequest } from '../yardsticks/observe-request.ts';
import { createOrderStore } from '../yardsticks/order-store.ts';
import { readStatements } from '../yardsticks/read-statements.ts';
import { createRequestLog } from '../yardsticks/request-log.ts';
import { announce } from './announce.ts';
import { readServerSettings } from './server-settings.ts';

const given = readServerSettings();
const pool = new Pool({
  connectionString: given.databaseUrl,
  max: given.poolSize,
  // The session settings of the platform.
  options: '-c TimeZone=UTC -c DateStyle=ISO,YMD -c jit=off',
  statement_timeout: 30_000,
  types,
});
const ids = createIdSource({ now: () => Date.now() }, randomBytes);
const orders = createOrderStore(pool, readStatements(sales), ids);
const log = createRequestLog('express');

const accepted = new Set(given.tokens.map((token) => `Bearer ${token}`));
const authenticate: RequestHandler = (request, response, next) => {
  if (accepted.has(request.headers.authorization ?? '')) next();
  else response.status(401).json({ error: 'unauthorized' });
};

const sendJson = (response: Response, status: number, json: string | undefined): void => {
  if (json === undefined) response.status(404).end();
  else response.status(status).type('application/json').send(json);
};

const number = (request: Request, name: string): number => Number(request.query[name]);

const failed: ErrorRequestHandler = (error, _request, response, _next) => {
  log.error(error);
  response.status(500).json({ error: 'Server error' });
};

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(observeRequest(log), authenticate);
app.get('/rest/orders/:id', async (request, response) => sendJson(response, 200, await orders.one(request.params.id)));
app.get('/rest/latest-orders', async (request, response) =>
  sendJson(response, 200, await orders.list('R2', 50, number(request, 'offset'))),
);
app.get('/rest/orders-with-lines', async (request, response) =>
  sendJson(response, 200, await orders.list('R3', 20, number(request, 'offset'))),
);
app.get('/rest/matching-orders', async (request, response) => {
  const { status, prefix } = request.query;
  sendJson(response, 200, await orders.matching(String(status), number(request, 'amount'), String(prefix)));
});
app.get('/rest/all-orders', async (_request, response) => sendJson(response, 200, await orders.list('R5', 10_000, 0)));
app.get('/rest/orders-by-month', async (_request, response) =>
  sendJson(response, 200, await orders.list('A1', 10_000, 0)),
);
app.get('/rest/latest-of-customers', async (request, response) =>
  sendJson(response, 200, await orders.list('A2', 50, number(request, 'offset'))),
);
app.get('/rest/best-notes', async (request, response) =>
  sendJson(response, 200, await orders.list('A3', 20, number(request, 'offset'))),
);
app.get('/rest/nodes-below', async (request, response) =>
  sendJson(response, 200, await orders.list('A4', 50, number(request, 'offset'))),
);
app.post('/rest/orders', express.json(), async (request, response) =>
  sendJson(response, 201, await orders.create(request.body)),
);
app.put('/rest/orders/:id', express.json(), async (request, response) =>
  sendJson(response, 200, await orders.changeNotes(request.params.id, String(request.body.notes))),
);
app.use(failed);

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  announce(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
server.keepAliveTimeout = 65_000;
