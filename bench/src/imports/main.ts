import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { cpuMicrosOf, memoryOf } from '../measure/processes.ts';
import { startSalesService } from '../servers/start-sales-service.ts';

/**
 * `npm run bench:imports [-- --rows 50000]`: how many rows of CSV a data service imports in a second, of an entity with
 * rules and of one with a listener, and its memory afterwards. With `--profile <file>` a processor profile of each.
 */
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '50000' }, profile: { type: 'string' } },
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
