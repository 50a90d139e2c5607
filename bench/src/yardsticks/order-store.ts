import { randomBytes } from 'node:crypto';
import { withSpan } from '@lintel/telemetry';
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { ReadName, ReadStatements } from './read-statements.ts';

/** What a client sends to create an order. */
export interface NewOrder {
  readonly number: string;
  readonly date: string;
  readonly customer: { readonly id: string };
  readonly amount: string;
  readonly lines?: readonly NewLine[];
}

interface NewLine {
  readonly product: { readonly id: string };
  readonly quantity: string;
  readonly price: string;
  readonly position: number;
}

/** Orders in the database, as a service of three operations and one table would do it by hand. */
export interface OrderStore {
  /** JSON of one order; undefined where there is none. */
  one(id: string): Promise<string | undefined>;
  /** JSON of a list. */
  list(name: Exclude<ReadName, 'R1' | 'R4'>, limit: number, offset: number): Promise<string>;
  /** JSON of 20 orders that match the filter of R4. */
  matching(status: string, amount: number, prefix: string): Promise<string>;
  /** Returns the identity of the new order as JSON. */
  create(order: NewOrder): Promise<string>;
  changeNotes(id: string, notes: string): Promise<string | undefined>;
}

const INSERT_ORDER = {
  name: 'insert_order',
  text: `INSERT INTO "sales"."order" ("id", "version", "created_date", "created_by", "last_modified_date", "number", "date", "status", "customer_id", "amount")
VALUES ($1, 1, $2, $3, $2, $4, $5, 10, $6, $7)`,
};

const INSERT_LINES = {
  name: 'insert_lines',
  text: `INSERT INTO "sales"."order_line" ("id", "version", "created_date", "created_by", "last_modified_date", "order_id", "product_id", "quantity", "price", "position")
SELECT id, 1, $2, $3, $2, $4, product_id, quantity, price, position
FROM unnest($1::uuid[], $5::uuid[], $6::numeric[], $7::numeric[], $8::integer[]) AS line (id, product_id, quantity, price, position)`,
};

const UPDATE_NOTES = {
  name: 'update_notes',
  text: `UPDATE "sales"."order" SET "notes" = $2, "version" = "version" + 1, "last_modified_date" = $3, "last_modified_by" = $4
WHERE "id" = $1 AND "deleted_date" IS NULL RETURNING "number"`,
};

const APPEND_EVENTS = {
  name: 'append_events',
  text: `INSERT INTO "events"."outbox" ("id", "type", "subject", "envelope")
SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::json[])`,
};

const APPEND_EVENT = {
  name: 'append_event',
  text: `INSERT INTO "events"."outbox" ("id", "type", "subject", "envelope") VALUES ($1, $2, $3, $4)`,
};

const USER = 'admin';
const CREATED_ORDER = 'amount,createdBy,createdDate,customer,date,id,lastModifiedDate,number,status,version'.split(',');
const CREATED_LINE = 'createdBy,createdDate,id,lastModifiedDate,order,position,price,product,quantity,version'.split(
  ',',
);
const CHANGED_NOTES = ['lastModifiedBy', 'lastModifiedDate', 'notes', 'version'];

const identity = (id: string, number: string): string =>
  JSON.stringify({ _entityName: 'sales_Order', _instanceName: number, id });

const SPAN = Object.freeze({ 'db.system.name': 'postgresql' });

/** Runs a statement, in a span where the request has one. */
const run = <Row extends QueryResultRow>(
  client: Pool | PoolClient,
  statement: QueryConfig & { readonly name: string },
): Promise<QueryResult<Row>> => withSpan(statement.name, SPAN, () => client.query<Row>(statement), 'client');

/** A moment as the database keeps it, in UTC. */
const now = (): string => new Date().toISOString().slice(0, -1);

export function createOrderStore(pool: Pool, statements: ReadStatements, ids: { next(): string }): OrderStore {
  const { texts } = statements;
  const rowsOf = async (name: ReadName, values: readonly unknown[]): Promise<string> => {
    const { rows } = await run<{ json: string }>(pool, { ...texts[name], values: [...values] });
    return `[${rows.map(({ json }) => json).join(',')}]`;
  };
  return {
    async one(id) {
      const { rows } = await run<{ json: string }>(pool, { ...texts.R1, values: [id] });
      return rows[0]?.json;
    },
    list: (name, limit, offset) => rowsOf(name, [limit, offset]),
    matching: (...filter) => rowsOf('R4', statements.matching(...filter)),
    create: (order) =>
      inTransaction(pool, async (client) => {
        const id = ids.next();
        const moment = now();
        await run(client, {
          ...INSERT_ORDER,
          values: [id, moment, USER, order.number, order.date, order.customer.id, order.amount],
        });
        const event = { change: 'created', moment, by: USER } as const;
        const events = [{ ...event, entity: 'sales_Order', id, attributes: CREATED_ORDER }];
        for (const lineId of await insertLines(client, ids, id, moment, order.lines ?? []))
          events.push({ ...event, entity: 'sales_OrderLine', id: lineId, attributes: CREATED_LINE });
        await run(client, appendStatement(events.map((one) => outboxParameters(ids.next(), one))));
        return identity(id, order.number);
      }),
    changeNotes: (id, notes) =>
      inTransaction(pool, async (client) => {
        const moment = now();
        const { rows } = await run<{ number: string }>(client, { ...UPDATE_NOTES, values: [id, notes, moment, USER] });
        const number = rows[0]?.number;
        if (number === undefined) return undefined;
        const event = {
          entity: 'sales_Order',
          id,
          change: 'updated',
          attributes: CHANGED_NOTES,
          by: USER,
          moment,
        } as const;
        await run(client, appendStatement([outboxParameters(ids.next(), event)]));
        return identity(id, number);
      }),
  };
}

async function insertLines(
  client: PoolClient,
  ids: { next(): string },
  orderId: string,
  moment: string,
  lines: readonly NewLine[],
): Promise<readonly string[]> {
  if (lines.length === 0) return [];
  const lineIds = lines.map(() => ids.next());
  const columns = [
    lines.map(({ product }) => product.id),
    lines.map(({ quantity }) => quantity),
    lines.map(({ price }) => price),
    lines.map(({ position }) => position),
  ];
  await run(client, { ...INSERT_LINES, values: [lineIds, moment, USER, orderId, ...columns] });
  return lineIds;
}

function appendStatement(rows: readonly (readonly string[])[]): { name: string; text: string; values: unknown[] } {
  const [only] = rows;
  if (rows.length === 1 && only !== undefined) return { ...APPEND_EVENT, values: [...only] };
  return { ...APPEND_EVENTS, values: [0, 1, 2, 3].map((column) => rows.map((row) => row[column])) };
}

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

interface YardstickEvent {
  readonly entity: string;
  readonly id: string;
  readonly change: 'created' | 'updated';
  readonly attributes: readonly string[];
  readonly by: string;
  /** `YYYY-MM-DDTHH:mm:ss.SSS` in UTC. */
  readonly moment: string;
}

/** Values of the columns `id`, `type`, `subject`, `envelope`: the rows that the platform writes. */
export function outboxParameters(eventId: string, { entity, id, change, attributes, by, moment }: YardstickEvent) {
  const type = 'data.entity.changed.v1';
  const subject = `${entity}/${id}`;
  const trace = randomBytes(24).toString('hex');
  const envelope = {
    specversion: '1.0',
    id: eventId,
    source: '/lintel/data',
    type,
    subject,
    time: `${moment}Z`,
    datacontenttype: 'application/json',
    traceparent: `00-${trace.slice(0, 32)}-${trace.slice(32)}-00`,
    data: { entity, id, change, attributes, by },
  };
  return [eventId, type, subject, JSON.stringify(envelope)];
}
