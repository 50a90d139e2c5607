import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import sales from '@lintel/example-sales';
import { eventually } from '@lintel/testkit';
import { type DataFixture, startData } from '../data-fixture.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const FILTER = encodeURIComponent('{"conditions":[{"property":"name","operator":"contains","value":"7"}]}');

/** Has a statement timeout that no test reaches. */
let data: DataFixture;
let hasty: DataFixture;

const start = (timeLimit: string): Promise<DataFixture> =>
  startData(
    sales,
    { admin: { resourceRoles: ['system-full-access'] } },
    { 'svc.datasource.statement-timeout': timeLimit },
  );
beforeAll(async () => {
  data = await start('5m');
  hasty = await start('1500ms');
  await data.query(`INSERT INTO sales.product_tag (id, version, name)
    SELECT gen_random_uuid(), 1, rpad('tag ' || i, 50) FROM generate_series(1, 9000) i`);
});
afterAll(async () => {
  await data?.close();
  await hasty?.close();
});

/** Runs the work while the table is locked against reads. */
async function whileLocked<T>(service: DataFixture, work: () => Promise<T>): Promise<T> {
  return service.database.transaction(async (transaction) => {
    await transaction.query({ text: 'LOCK TABLE sales.product_tag IN ACCESS EXCLUSIVE MODE', values: [] });
    return work();
  });
}

/** The statements of the service's connections that read the table. PostgreSQL shows the first kilobyte of a statement. */
const activities = (service: DataFixture): Promise<{ state: string; waits: string }[]> =>
  service.query(`SELECT state, wait_event_type AS waits FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'data-test' AND state <> 'idle'
      AND query ~ 'product_tag|sales_ProductTag' AND query NOT LIKE 'LOCK%'`);

function send(method: string, path: string): ClientRequest {
  const sent = request(`${data.url}/rest/entities/sales_ProductTag${path}`, {
    method,
    headers: { authorization: 'Bearer admin' },
  });
  // The test aborts the request itself.
  sent.on('error', () => {});
  return sent;
}

test.each([
  ['GET', `/${ID}`, undefined],
  ['GET', '?limit=10', undefined],
  ['GET', '?limit=10&returnCount=true', undefined],
  ['GET', '', undefined],
  ['GET', '?limit=5000', undefined],
  ['GET', `/search/count?filter=${FILTER}`, undefined],
  ['POST', '/search', '{"filter":{}}'],
])('when the client of %s %s disconnects, its query is cancelled', async (method, path, body) => {
  await whileLocked(data, async () => {
    const sent = send(method, path);
    sent.end(body);
    await eventually(async () => expect(await activities(data)).toEqual([{ state: 'active', waits: 'Lock' }]));
    sent.destroy();
    await eventually(async () => expect(await activities(data)).toEqual([]));
  });
  expect(data.errors).toEqual([]);
  expect((await data.send('admin', 'GET', '/entities/sales_ProductTag?limit=1')).status).toBe(200);
});

test('when a client disconnects during a list, the transaction that reads it ends', async () => {
  const sent = send('GET', '');
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await once(response, 'readable');
  sent.destroy();
  await eventually(async () => expect(await activities(data)).toEqual([]));
  await eventually(() => expect(data.database.metrics().total).toBe(data.database.metrics().idle));
  expect(data.errors).toEqual([]);
});

test.each([
  ['GET', `/${ID}`, undefined],
  ['GET', '?limit=10', undefined],
  ['GET', '', undefined],
  ['GET', '?limit=5000', undefined],
  ['POST', '/search/count', '{"filter":{}}'],
])(
  'a query over the time limit is cancelled, and the response has the status 503: %s %s',
  async (method, path, body) => {
    await whileLocked(hasty, async () => {
      const response = await hasty.send('admin', method, `/entities/sales_ProductTag${path}`, body);
      expect(response.status).toBe(503);
      expect(response.json()).toMatchObject({ error: 'Service unavailable' });
      expect(response.text).not.toContain('product_tag');
      await eventually(async () => expect(await activities(hasty)).toEqual([]));
    });
    expect((await hasty.send('admin', 'GET', '/entities/sales_ProductTag?limit=1')).status).toBe(200);
  },
);
