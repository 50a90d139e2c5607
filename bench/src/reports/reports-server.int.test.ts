import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReportsServer } from './reports-server.ts';
import { createRowsServer } from './rows-server.ts';

const started: Server[] = [];
const start = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  started.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
afterAll(() => {
  for (const server of started) server.close().closeAllConnections();
});

test.each([
  ['csv', /^"name","sku"/],
  ['xlsx', /^PK/],
])('the server of the benchmark creates a document of the kind %s', async (template, begin) => {
  const url = await start(await createReportsServer(await start(createRowsServer(300))));
  const response = await fetch(`${url}/rest/reports/run/code/rows`, {
    method: 'POST',
    headers: { authorization: 'Bearer bench' },
    body: JSON.stringify({ template }),
  });
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.stringMatching(begin)]);
});
