import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import sales from '@lintel/example-sales';
import { cloneTestDatabase, eventually, startTcpProxy, type TcpProxy, type TestDatabase } from '@lintel/testkit';
import { schemaOf } from '../../schema-of.ts';

let server: TestDatabase;
let wire: TcpProxy;
const processes: ChildProcess[] = [];

beforeAll(async () => {
  server = await cloneTestDatabase(schemaOf(sales.model), 'killed');
  wire = await startTcpProxy({ port: Number(new URL(server.url).port) });
});
afterAll(async () => {
  for (const process of processes) process.kill('SIGKILL');
  await wire?.close();
  await server?.drop();
});

async function startService(databaseUrl: string): Promise<{ readonly process: ChildProcess; readonly url: string }> {
  const process = fork(fileURLToPath(new URL('../../data-process.ts', import.meta.url)), [databaseUrl], {
    execArgv: ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators'],
  });
  processes.push(process);
  const [{ url }] = (await once(process, 'message')) as [{ readonly url: string }];
  return { process, url };
}

test('a service that was killed between commit and response returns the response when the request is sent again', async () => {
  const overWire = new URL(server.url);
  overWire.port = String(wire.port);
  const first = await startService(overWire.href);
  const send = (url: string) =>
    fetch(`${url}/rest/entities/sales_ProductTag?responseFetchPlan=_local`, {
      method: 'POST',
      headers: { authorization: 'Bearer admin', 'idempotency-key': 'killed' },
      body: JSON.stringify({ name: 'killed' }),
    });
  const stored = () => server.query<{ id: string }>(`SELECT id FROM sales.product_tag WHERE name = 'killed'`);

  wire.holdResponsesAfter('COMMIT');
  const unanswered = send(first.url).then(
    ({ status }) => status,
    () => 'no response',
  );
  await eventually(async () => expect(await stored()).toHaveLength(1));
  first.process.kill('SIGKILL');
  expect(await unanswered).toBe('no response');

  const second = await startService(server.url);
  const response = await send(second.url);
  const [row] = await stored();
  expect([response.status, response.headers.get('idempotency-replayed'), await response.json()]).toEqual([
    201,
    'true',
    expect.objectContaining({ id: row?.id, name: 'killed', version: 1 }),
  ]);
  expect(response.headers.get('location')).toMatch(new RegExp(`/rest/entities/sales_ProductTag/${row?.id}$`));
  expect(await stored()).toHaveLength(1);
});
