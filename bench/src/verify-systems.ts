import { Client } from 'pg';
import { type HttpCall, OPERATIONS, type Operation } from './operations/index.ts';
import type { Stage } from './stage.ts';
import { REFERENCE, type ServerName, SYSTEMS } from './systems.ts';

/** Systems whose responses must equal the reference's. */
const COMPARED: readonly ServerName[] = ['data', 'data-without-listeners', 'gateway', 'forwarder-express'];

/** Its writes are in a separate database. */
const ONLY_READS: readonly ServerName[] = ['standalone'];

/**
 * Asks every system the same before anything is measured: reads must return the same bytes as the reference,
 * writes must leave the same rows, in the tables of the application and in the outbox.
 *
 * @throws Error naming the system, the operation and what differs
 */
export async function verifySystems(stage: Stage, operations: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: stage.databaseUrl });
  await client.connect();
  try {
    const compared = COMPARED.filter((name) => stage.servers.has(name));
    for (const operation of OPERATIONS.filter(({ name }) => operations.includes(name))) {
      if (operation.isWrite) await verifyWrite(stage, client, operation, compared);
      else {
        const others = operation.isOfBench ? [] : ONLY_READS;
        await verifyRead(stage, operation, [...compared, ...others.filter((name) => stage.servers.has(name))]);
      }
    }
  } finally {
    await client.end();
  }
}

async function verifyRead(stage: Stage, operation: Operation, compared: readonly ServerName[]): Promise<void> {
  const drawn = operation.draw();
  const expected = await send(stage, REFERENCE, drawn.yardstick);
  for (const name of compared) {
    const response = await send(stage, name, drawn[SYSTEMS[name].api]);
    if (response !== expected)
      throw new Error(
        `${operation.name}: ${name} responds with ${response.slice(0, 300)}, (c) with ${expected.slice(0, 300)}`,
      );
  }
}

/** What a write has stored, without what differs from call to call: ids, moments, numbers. */
const WRITTEN = `WITH changed AS (SELECT id FROM sales.order WHERE xmin::text::bigint >= $1)
SELECT json_agg(row ORDER BY row::text)::text AS rows FROM (
  SELECT to_jsonb(o) - '{id,number,created_date,created_by,last_modified_date,customer_id,notes,version,placed_at,date,status,amount,discount}'::text[] AS row
  FROM sales.order o WHERE id IN (SELECT id FROM changed)
  UNION ALL
  SELECT to_jsonb(l) - '{id,created_date,last_modified_date,order_id,product_id}'::text[]
  FROM sales.order_line l WHERE xmin::text::bigint >= $1
  UNION ALL
  SELECT jsonb_build_object('type', type, 'members', (SELECT json_agg(name ORDER BY name) FROM json_object_keys(envelope) AS name),
    'data', (envelope -> 'data')::jsonb - 'id')
  FROM events.outbox WHERE xmin::text::bigint >= $1
) AS written`;

async function verifyWrite(
  stage: Stage,
  client: Client,
  operation: Operation,
  compared: readonly ServerName[],
): Promise<void> {
  const rowsOf = async (name: ServerName): Promise<string> => {
    const { rows: before } = await client.query<{ next: string }>('SELECT pg_current_xact_id()::text AS next');
    await send(stage, name, operation.draw()[SYSTEMS[name].api]);
    const { rows } = await client.query<{ rows: string | null }>(WRITTEN, [before[0]?.next]);
    return rows[0]?.rows ?? '';
  };
  const expected = await rowsOf(REFERENCE);
  if (expected === '') throw new Error(`${operation.name}: (c) wrote nothing`);
  for (const name of compared) {
    const written = await rowsOf(name);
    if (written !== expected) throw new Error(`${operation.name}: ${name} wrote ${written}, (c) wrote ${expected}`);
  }
}

async function send(stage: Stage, name: ServerName, { method, path, body }: HttpCall): Promise<string> {
  const response = await fetch(`${stage.servers.get(name)?.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${stage.tokenFor(name)}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${name} responds to ${method} ${path} with ${response.status}: ${text.slice(0, 300)}`);
  return text;
}
