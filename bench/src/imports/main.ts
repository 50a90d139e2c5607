import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { cpuMicrosOf, memoryOf } from '../measure/processes.ts';
import { startSalesService } from '../servers/start-sales-service.ts';

/**
 * `npm run bench:imports [-- --rows 50000 --exported 1000000]`: how many rows of CSV a data service imports in a second,
 * of an entity with rules and of one with a listener, and its memory afterwards; then how many rows of a flat entity it
 * exports in each form, beside `COPY … TO STDOUT`. With `--profile <file>` a processor profile of each.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '50000' },
    exported: { type: 'string', default: '1000000' },
    profile: { type: 'string' },
  },
});
const rows = Number(values.rows);

await using stack = new AsyncDisposableStack();
const { server, client, authorization } = await startSalesService(stack, 'imports', { listeners: true });
const customer = randomUUID();
await client.query(
  `INSERT INTO sales.customer (id, version, created_date, name, active) VALUES ($1, 1, now(), 'Bench', true)`,
  [customer],
);

const FILES: Readonly<Record<string, (at: number) => string>> = {
  'sales_Customer:name,email,phone,creditLimit,grade,active': (at) =>
    `Customer ${at},customer${at}@example.org,+49 30 ${at},${at}.50,GOLD,true`,
  'sales_Order:number,date,customer,discount,notes': (at) => `IMP-${at},2026-02-03,${customer},0.1,imported ${at}`,
};

async function importRows(target: string, file: string): Promise<void> {
  const [entity = ''] = target.split(':');
  const start = performance.now();
  const used = (): number => (cpuMicrosOf(server.pid) ?? Number.NaN) / 1e6;
  const before = used();
  const response = await fetch(`${server.url}/rest/imports/${entity}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'text/csv' },
    body: file,
  });
  const report = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${report.slice(0, 1_000)}`);
  const seconds = (performance.now() - start) / 1_000;
  const memory = (memoryOf(server.pid)?.rssMiB ?? Number.NaN).toFixed(0);
  const rate = (time: number): string => (rows / time).toFixed(0);
  const cpu = used() - before;
  console.log(
    `${entity}: ${rows} rows in ${seconds.toFixed(1)} s, ${rate(seconds)}/s; ${cpu.toFixed(1)} s of processor time, ${rate(cpu)}/s; ${memory} MiB`,
  );
}

for (const [target, rowOf] of Object.entries(FILES)) {
  const [entity = '', header = ''] = target.split(':');
  const file = `${header}\n${Array.from({ length: rows }, (_, at) => `${rowOf(at)}\n`).join('')}`;
  if (values.profile === undefined) await importRows(target, file);
  else await server.profile(`${values.profile}-${entity}.cpuprofile`, () => importRows(target, file));
}

const COLUMNS = ['name', 'email', 'phone', 'creditLimit', 'grade', 'active'];
await client.query('TRUNCATE sales.customer CASCADE');
await client.query(
  `INSERT INTO sales.customer (id, version, created_date, name, email, phone, credit_limit, grade, active)
   SELECT gen_random_uuid(), 1, now(), 'Customer ' || n, 'customer' || n || '@example.org', '+49 30 ' || n, n + 0.5, 'G', true
   FROM generate_series(1, $1::int) n`,
  [Number(values.exported)],
);
await client.query('VACUUM ANALYZE sales.customer');

/**
 * Rows in a second, processor time of the service for one, and how much its greatest memory was above the one before.
 */
async function exportRows(accept: string): Promise<string> {
  const memory = (): number => memoryOf(server.pid)?.rssMiB ?? Number.NaN;
  const before = memory();
  let greatest = before;
  const used = (): number => cpuMicrosOf(server.pid) ?? Number.NaN;
  const usedBefore = used();
  const start = performance.now();
  const response = await fetch(`${server.url}/rest/entities/sales_Customer/search`, {
    method: 'POST',
    headers: { authorization, accept, 'content-type': 'application/json' },
    body: JSON.stringify({ filter: { conditions: [] }, fetchPlan: { entity: 'sales_Customer', properties: COLUMNS } }),
  });
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`);
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    greatest = Math.max(greatest, memory());
  }
  const rate = (Number(values.exported) / (performance.now() - start)) * 1_000;
  const perRow = ((used() - usedBefore) / Number(values.exported)).toFixed(2);
  return `${rate.toFixed(0)}/s, ${perRow} µs, ${(bytes / 1e6).toFixed(0)} MB, +${(greatest - before).toFixed(0)} MiB`;
}

async function copyRows(): Promise<string> {
  const start = performance.now();
  await client.query(
    `COPY (SELECT id, name, email, phone, credit_limit, grade, active FROM sales.customer) TO STDOUT (FORMAT csv)`,
  );
  return `${((Number(values.exported) / (performance.now() - start)) * 1_000).toFixed(0)}/s`;
}

/** Measurements of each form. */
const ROUNDS = 3;

for (const accept of [
  'text/csv',
  'application/x-ndjson',
  'text/csv;headers=captions;values=locale',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]) {
  // The first time warms up, and takes the memory that each later export uses again.
  await exportRows(accept);
  // Alternating, so that other programs slow down both alike.
  for (let round = 0; round < ROUNDS; round += 1)
    console.log(`COPY: ${await copyRows()}; ${accept}: ${await exportRows(accept)}`);
}
