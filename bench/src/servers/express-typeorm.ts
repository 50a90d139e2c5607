/** Yardstick (d): Express 5 and TypeORM as its documentation shows it: repositories, relations, hydrated objects. */
import { randomBytes } from 'node:crypto';
import { createIdSource } from '@lintel/entities';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { DataSource, ILike, IsNull, MoreThan } from 'typeorm';
import { STATUSES } from '../operations/reads.ts';
import { observeRequest } from '../yardsticks/observe-request.ts';
import { outboxParameters } from '../yardsticks/outbox-row.ts';
import { createRequestLog } from '../yardsticks/request-log.ts';
import { CustomerSchema, ENTITIES, OrderSchema, OutboxSchema } from '../yardsticks/typeorm-entities.ts';
import { announce } from './announce.ts';
import { POOL_SIZE, readServerSettings } from './server-settings.ts';

const given = readServerSettings();
const log = createRequestLog('typeorm');
const ids = createIdSource({ now: () => Date.now() }, randomBytes);
const source = await new DataSource({
  type: 'postgres',
  url: given.databaseUrl,
  entities: ENTITIES,
  poolSize: POOL_SIZE,
  extra: { options: '-c TimeZone=UTC -c jit=off' },
}).initialize();
const orders = source.getRepository(OrderSchema);

const accepted = new Set(given.tokens.map((token) => `Bearer ${token}`));
const authenticate: RequestHandler = (request, response, next) => {
  if (accepted.has(request.headers.authorization ?? '')) next();
  else response.status(401).json({ error: 'unauthorized' });
};
const failed: ErrorRequestHandler = (error, _request, response, _next) => {
  log.error(error);
  response.status(500).json({ error: 'Server error' });
};

const LIVE = { deletedDate: IsNull() };
const LATEST = { date: 'DESC', id: 'ASC' } as const;
const moment = (): string => new Date().toISOString().slice(0, -1);

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(observeRequest(log), authenticate, express.json());
app.get('/rest/orders/:id', async (request, response) => {
  response.json(await orders.findOne({ where: { id: request.params.id, ...LIVE } }));
});
app.get('/rest/latest-orders', async (request, response) => {
  response.json(await orders.find({ where: LIVE, order: LATEST, take: 50, skip: Number(request.query['offset']) }));
});
app.get('/rest/orders-with-lines', async (request, response) => {
  const skip = Number(request.query['offset']);
  const relations = { customer: true, lines: { product: true } };
  response.json(await orders.find({ where: LIVE, relations, order: LATEST, take: 20, skip }));
});
app.get('/rest/matching-orders', async (request, response) => {
  const { status, amount, prefix } = request.query;
  const where = {
    ...LIVE,
    status: (STATUSES.indexOf(String(status)) + 1) * 10,
    amount: MoreThan(String(amount)),
    customer: { name: ILike(`${String(prefix)}%`) },
  };
  response.json(await orders.find({ where, order: { id: 'ASC' }, take: 20 }));
});
app.get('/rest/all-orders', async (_request, response) => {
  response.json(await orders.find({ where: LIVE, order: { id: 'ASC' }, take: 10_000 }));
});
app.get('/rest/orders-by-month', async (_request, response) => {
  const month = "date_trunc('month', o.date)::date";
  const groups = orders.createQueryBuilder('o').select(month, 'month').addSelect('o.status', 'status');
  const values = groups.addSelect('count(*)', 'n').addSelect('sum(o.amount)', 'total').where(LIVE);
  response.json(await values.groupBy(month).addGroupBy('o.status').orderBy(month).getRawMany());
});
app.get('/rest/latest-of-customers', async (request, response) => {
  const skip = Number(request.query['offset']);
  const listed = await source.getRepository(CustomerSchema).find({ order: { id: 'ASC' }, take: 50, skip });
  const latest = listed.map(async (customer) => {
    const where = { ...LIVE, customer: { id: customer.id } };
    return { ...customer, orders: await orders.find({ where, order: LATEST, take: 3 }) };
  });
  response.json(await Promise.all(latest));
});
app.post('/rest/orders', async (request, response) => {
  const now = moment();
  const audit = { createdDate: now, createdBy: 'admin', lastModifiedDate: now };
  const lines: { id: string }[] = (request.body.lines ?? []).map((line: object) => ({
    id: ids.next(),
    ...audit,
    ...line,
  }));
  const { number, date, customer, amount } = request.body;
  const order = orders.create({ id: ids.next(), status: 10, ...audit, number, date, customer, amount, lines });
  const saved = await source.transaction(async (manager) => {
    const result = await manager.save(OrderSchema, order);
    const changed = [
      { entity: 'sales_Order', id: order.id },
      ...lines.map(({ id }) => ({ entity: 'sales_OrderLine', id })),
    ];
    await manager.insert(
      OutboxSchema,
      changed.map((one) =>
        outboxRow({ ...one, change: 'created', attributes: Object.keys(order), by: 'admin', moment: now }),
      ),
    );
    return result;
  });
  response.status(201).json({ id: saved.id, number: saved.number });
});
app.put('/rest/orders/:id', async (request, response) => {
  const now = moment();
  const saved = await source.transaction(async (manager) => {
    const order = await manager.findOneByOrFail(OrderSchema, { id: request.params.id, ...LIVE });
    Object.assign(order, { notes: String(request.body.notes), lastModifiedDate: now, lastModifiedBy: 'admin' });
    await manager.save(OrderSchema, order);
    const attributes = ['lastModifiedBy', 'lastModifiedDate', 'notes', 'version'];
    const event = {
      entity: 'sales_Order',
      id: order.id,
      change: 'updated',
      attributes,
      by: 'admin',
      moment: now,
    } as const;
    await manager.insert(OutboxSchema, outboxRow(event));
    return order;
  });
  response.json({ id: saved.id, number: saved.number });
});
app.use(failed);

function outboxRow(event: Parameters<typeof outboxParameters>[1]) {
  const [id = '', type = '', subject = '', envelope = ''] = outboxParameters(ids.next(), event);
  return { id, type, subject, envelope: JSON.parse(envelope) };
}

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  announce(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
server.keepAliveTimeout = 65_000;
