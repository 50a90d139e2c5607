import { type clientOf, dataOf, expect } from './client.ts';
import type { components } from './schema.ts';

type Client = ReturnType<typeof clientOf>;
type Order = components['schemas']['entity_sales_Order'];

const ORDER = { entityName: 'sales_Order' };

/** Every endpoint of the entity API for any entity. */
export async function callEntities(client: Client): Promise<void> {
  const path = ORDER;
  const listed = dataOf(
    await client.GET('/rest/entities/{entityName}', {
      params: { path, query: { fetchPlan: 'order-list', limit: 2, offset: 1, sort: '-date', returnCount: true } },
    }),
  );
  const [first] = listed;
  expect(listed.length === 2 && typeof first?.id === 'string', 'two orders with ids');
  const created = await client.POST('/rest/entities/{entityName}', {
    params: { path, header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: draft(),
  });
  const one = String(dataOf(created).id);
  const other = String(
    dataOf(await client.POST('/rest/entities/{entityName}', { params: { path }, body: draft() })).id,
  );
  const ids = [one, other];
  await client.PUT('/rest/entities/{entityName}', {
    params: { path, query: { responseFetchPlan: '_local' } },
    body: ids.map((id) => ({ id, notes: 'several' })),
  });
  const upserted = await client.PUT('/rest/entities/{entityName}', {
    params: { path, query: { key: 'id' } },
    body: ids.map((id) => ({ id, notes: 'upserted' })),
  });
  expect(dataOf(upserted).length === 2, 'two upserted orders');
  const ignored = await client.POST('/rest/entities/{entityName}', {
    params: { path, query: { key: 'id' }, header: { Prefer: 'resolution=ignore-duplicates' } },
    body: { id: one },
  });
  expect(dataOf(ignored).id === one && ignored.response.status === 200, 'an order that exists');
  const ofOne = { ...ORDER, entityId: one };
  const read = await client.GET('/rest/entities/{entityName}/{entityId}', {
    params: { path: ofOne, query: { fetchPlan: '_base', returnNulls: true } },
  });
  const tag = read.response.headers.get('etag') ?? '';
  await client.PUT('/rest/entities/{entityName}/{entityId}', {
    params: { path: ofOne, header: { 'If-Match': tag } },
    body: { notes: 'one' },
  });
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  await client.PATCH('/rest/entities/{entityName}', {
    params: { path },
    headers,
    body: ids.map((id) => ({ id, notes: 'merged' })),
  });
  await client.PATCH('/rest/entities/{entityName}/{entityId}', {
    params: { path: ofOne },
    headers,
    body: { notes: null },
  });
  await client.DELETE('/rest/entities/{entityName}/{entityId}', { params: { path: ofOne } });
  await client.DELETE('/rest/entities/{entityName}', { params: { path }, body: [other] });
  await search(client);
  await readHistory(client);
}

async function readHistory(client: Client): Promise<void> {
  const entity = { entityName: 'sales_Customer' };
  const [customer] = dataOf(
    await client.GET('/rest/entities/{entityName}', { params: { path: entity, query: { limit: 1 } } }),
  );
  const path = { ...entity, entityId: String(customer?.id) };
  const moment = '2100-01-01T00:00:00Z';
  const changes = await client.GET('/rest/history/{entityName}/{entityId}', { params: { path, query: { limit: 1 } } });
  expect(Array.isArray(dataOf(changes)), 'changes of a customer');
  const [change] = dataOf(await client.GET('/rest/history', { params: { query: { entity: entity.entityName } } }));
  expect(change?.entity === entity.entityName, 'changes of all customers');
  const made = await client.POST('/rest/entities/{entityName}', { params: { path: entity }, body: { name: 'Undone' } });
  const own = { path: { ...entity, entityId: String(dataOf(made).id) } };
  const [creation] = dataOf(await client.GET('/rest/history/{entityName}/{entityId}', { params: own }));
  const undo = { path: { change: String(creation?.change) } };
  const undone = await client.POST('/rest/history/changes/{change}/undo', { params: undo });
  const undoing = dataOf(undone);
  expect(Array.isArray(undoing) && undoing[0]?.operation === 'deleted', 'a creation that was undone');
  await client.GET('/rest/history/{entityName}/{entityId}/at', { params: { path, query: { time: moment } } });
  await client.POST('/rest/history/{entityName}/{entityId}/restore', {
    params: { path },
    body: { time: moment, attributes: ['name'] },
  });
  await client.GET('/rest/history/{entityName}/{entityId}/diff', { params: { path, query: { from: moment } } });
  const log = await client.GET('/rest/access-log', { params: { query: { entity: 'sales_Party', limit: 1 } } });
  expect(Array.isArray(dataOf(log)), 'the access log');
  const bin = { path: entity, query: { deleted: 'only' as const, limit: 1 } };
  expect(Array.isArray(dataOf(await client.GET('/rest/entities/{entityName}', { params: bin }))), 'the bin');
  const victim = await client.POST('/rest/entities/{entityName}', { params: { path: entity }, body: { name: 'Bin' } });
  const binned = { path: { ...entity, entityId: String(dataOf(victim).id) } };
  await client.DELETE('/rest/entities/{entityName}/{entityId}', { params: binned });
  await client.POST('/rest/entities/{entityName}/{entityId}/restore', { params: binned });
}

async function search(client: Client): Promise<void> {
  const filter = { conditions: [{ property: 'status', operator: 'in' as const, value: ['NEW'] }] };
  const query = { filter: JSON.stringify(filter) };
  const params = { path: ORDER, query };
  const found = dataOf(await client.GET('/rest/entities/sales_Order/search', { params: { query } }));
  const count = dataOf(await client.GET('/rest/entities/{entityName}/search/count', { params }));
  expect(found.length === count, 'as many as counted');
  const plan = {
    entity: 'sales_Order',
    properties: [
      'number',
      { name: 'customer', fetchPlan: { properties: ['name'] } },
      { name: 'lines', filter: { conditions: [] }, sort: '-price', limit: 1, count: true },
    ],
  };
  const body = { filter, fetchPlan: plan, limit: 1, sort: 'number' };
  await client.POST('/rest/entities/sales_Order/search', { body });
  const aggregates = { n: { count: '*' } };
  const texts = { aggregates: JSON.stringify(aggregates) };
  await client.GET('/rest/aggregates/{entityName}', { params: { path: ORDER, query: texts } });
  await client.POST('/rest/aggregates/{entityName}', { params: { path: ORDER }, body: { aggregates, filter } });
  const everywhere = dataOf(
    await client.GET('/rest/search', { params: { query: { q: 'brandt', limit: 1, highlights: true } } }),
  );
  expect(everywhere.candidates === 1_000 && everywhere.entities.length > 0, 'entities with instances');
  const imported = await client.POST('/rest/imports/{entityName}', {
    params: { path: ORDER, query: { mode: 'upsert', dryRun: 'true' } },
    body: 'number\n',
    bodySerializer: (text) => text,
    headers: { 'Content-Type': 'text/csv' },
  });
  const report = dataOf(imported);
  expect('rows' in report && report.rows === 0, 'a table without rows');
  const same = dataOf(
    await client.POST('/rest/entities/{entityName}/search/count', { params: { path: ORDER }, body: { filter } }),
  );
  expect(same === count, 'the same number');
}

/** The entities of the application by their own types. */
export async function callOrders(client: Client): Promise<void> {
  const body: Order = { ...draft(), status: 'NEW', lines: [] };
  const created = dataOf(
    await client.POST('/rest/entities/sales_Order', { params: { query: { responseFetchPlan: 'order-edit' } }, body }),
  );
  const entityId = created.id ?? '';
  const date: string | undefined = created.date;
  const amount: number | null | undefined = created.amount;
  const city: string | null | undefined = created.customer?.address?.city;
  expect(date === '2026-02-03' && typeof amount !== 'string' && typeof city !== 'number', 'the types are true');
  const params = { path: { entityId } };
  const read = dataOf(await client.GET('/rest/entities/sales_Order/{entityId}', { params }));
  const status: 'NEW' | 'CONFIRMED' | 'SHIPPED' | 'CLOSED' | null | undefined = read.status;
  expect(status === 'NEW', 'an enum is one of its constants');
  // @ts-expect-error A constant that the enum does not have is found when the client is compiled.
  const refused = await client.PUT('/rest/entities/sales_Order/{entityId}', { params, body: { status: 'LOST' } });
  expect(refused.response.status === 400, 'and refused by the server');
  await client.PUT('/rest/entities/sales_Order/{entityId}', { params, body: { notes: 'typed' } });
  await client.DELETE('/rest/entities/sales_Order/{entityId}', { params });
}

let drafts = 0;

const draft = (): Order => {
  drafts += 1;
  return {
    number: `G${drafts}-${Date.now().toString(36)}`,
    date: '2026-02-03',
    customer: { id: 'c0000000-0000-4000-8000-000000000001' },
  };
};
