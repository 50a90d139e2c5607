import { type clientOf, dataOf, expect } from './client.ts';
import type { components } from './schema.ts';

type Client = ReturnType<typeof clientOf>;

/** Queries and services, for any of them and by their own types. */
export async function callQueriesAndServices(client: Client): Promise<void> {
  const path = { entityName: 'sales_Order', queryName: 'ordersByStatus' };
  const callable = dataOf(await client.GET('/rest/queries'));
  const kinds = callable.flatMap(({ params }) => params.map(({ valueType }) => valueType.kind));
  expect(kinds.includes('datatype'), 'the parameters of the queries have types');
  await client.GET('/rest/queries/{entityName}', { params: { path: { entityName: 'sales_Order' } } });
  // Parameters of a query that the generic paths do not name.
  const status = { headers: {}, querySerializer: () => 'status=NEW&limit=1' };
  await client.GET('/rest/queries/{entityName}/{queryName}', { params: { path }, ...status });
  await client.GET('/rest/queries/{entityName}/{queryName}/count', {
    params: { path },
    ...status,
    headers: { accept: 'application/json' },
  });
  await client.POST('/rest/queries/{entityName}/{queryName}', { params: { path }, body: { status: 'NEW' } });
  await client.POST('/rest/queries/{entityName}/{queryName}/count', { params: { path }, body: { status: 'NEW' } });
  const typed = dataOf(
    await client.GET('/rest/queries/sales_Order/ordersByStatus', { params: { query: { status: 'NEW', limit: 1 } } }),
  );
  const number: string | undefined = typed[0]?.number;
  expect(typed.length === 1 && number !== undefined, 'the rows of a query are instances');

  await client.GET('/rest/services', { params: { query: { types: true } } });
  await client.GET('/rest/services/{serviceName}', { params: { path: { serviceName: 'sales_OrderService' } } });
  const method = { serviceName: 'sales_OrderService', methodName: 'calculateTotal' };
  const orderId = '0d000000-0000-4000-8000-000000000001';
  await client.GET('/rest/services/{serviceName}/{methodName}', {
    params: { path: method },
    querySerializer: () => `orderId=${orderId}`,
    parseAs: 'text',
  });
  await client.POST('/rest/services/{serviceName}/{methodName}', {
    params: { path: method },
    body: { orderId },
    parseAs: 'text',
  });
  const total = dataOf(
    await client.GET('/rest/services/sales_OrderService/calculateTotal', {
      params: { query: { orderId } },
      parseAs: 'text',
    }),
  );
  expect(/^\d+\.\d\d$/.test(total), 'a decimal result is an exact text');
}

/** Upload and download. */
export async function callFiles(client: Client): Promise<void> {
  const stored = dataOf(
    await client.POST('/rest/files', {
      params: { query: { name: 'typed.txt' } },
      headers: { 'content-type': 'text/plain' },
      body: 'bytes',
      bodySerializer: (body) => body as string,
    }),
  );
  expect(stored.size === 5, 'the size is that of the bytes');
  const { data } = await client.GET('/rest/files', {
    params: { query: { fileRef: stored.fileRef, attachment: true } },
    parseAs: 'blob',
  });
  expect((await data?.text()) === 'bytes', 'the bytes come back');
}

/** Who is there, what the API is, and what the application is made of. */
export async function callDescriptions(client: Client): Promise<void> {
  const user = dataOf(await client.GET('/rest/userInfo'));
  const permissions = dataOf(await client.GET('/rest/permissions'));
  expect(user.username === 'admin' && permissions.entities.every(({ value }) => value === 1), 'the administrator');
  await client.PUT('/rest/user-session/locale', {
    params: { header: { 'Accept-Language': 'en' } },
    parseAs: 'text',
  });
  const url = '/rest/changes/sales_Order';
  const ticket = dataOf(await client.POST('/rest/tickets', { body: { url } }));
  expect(ticket.url === `${url}?ticket=${ticket.ticket}` && ticket.expiresIn === 60, 'a ticket for one request');
  const { inlineFetchPlans } = dataOf(await client.GET('/rest/capabilities'));
  const version = dataOf(await client.GET('/rest/version', { parseAs: 'text' }));
  expect(inlineFetchPlans && version >= '7.2.0', 'what existing clients ask for');
  const entity = { path: { entityName: 'sales_Order' } };
  const plan = { path: { entityName: 'sales_Order', planName: 'order-list' } };
  const enumeration = { path: { enumName: 'sales.OrderStatus' } };
  dataOf(await client.GET('/rest/metadata/entities'));
  dataOf(await client.GET('/rest/metadata/entities', { params: { query: { details: true } } }));
  const order = dataOf(await client.GET('/rest/metadata/entities/{entityName}', { params: entity }));
  expect(
    order.properties.some(({ attributeType }) => attributeType === 'COMPOSITION'),
    'an order has compositions',
  );
  dataOf(await client.GET('/rest/metadata/entities/{entityName}/fetchPlans', { params: entity }));
  dataOf(await client.GET('/rest/metadata/entities/{entityName}/fetchPlans/{planName}', { params: plan }));
  dataOf(await client.GET('/rest/metadata/entities/{entityName}/views', { params: entity }));
  dataOf(await client.GET('/rest/metadata/entities/{entityName}/views/{planName}', { params: plan }));
  dataOf(await client.GET('/rest/metadata/enums'));
  const status = dataOf(await client.GET('/rest/metadata/enums/{enumName}', { params: enumeration }));
  expect(status.values[0]?.id === 10, 'ids keep their type');
  dataOf(await client.GET('/rest/metadata/datatypes'));
  dataOf(await client.GET('/rest/messages/entities'));
  const captions = dataOf(
    await client.GET('/rest/messages/entities/{entityName}', {
      params: { ...entity, header: { 'Accept-Language': 'de' } },
    }),
  );
  expect(captions['sales_Order.customer'] === 'Kunde', 'captions are in the language that was asked for');
  const listed = dataOf(await client.GET('/rest/messages/captions', { params: { query: { locale: 'de' } } }));
  expect(listed.locales.includes('de'), 'the available locales');
  dataOf(await client.GET('/rest/messages/enums'));
  dataOf(await client.GET('/rest/messages/enums/{enumName}', { params: enumeration }));
  for (const document of ['/rest/docs/openapi.json', '/rest/docs/openapiDetailed.json'] as const)
    dataOf(await client.GET(document));
  dataOf(await client.GET('/rest/docs/asyncapi.json'));
  for (const document of ['/rest/docs/openapi.yaml', '/rest/docs/openapiDetailed.yaml'] as const)
    dataOf(await client.GET(document, { parseAs: 'text' }));
}

/** Reports: what there are, and runs. */
export async function callReports(client: Client): Promise<void> {
  const reports = dataOf(await client.GET('/rest/reports/report'));
  const report = reports.find(({ code }) => code === 'sales-by-customer');
  const reportId = report?.id ?? '';
  const detail = dataOf(await client.GET('/rest/reports/report/{reportId}', { params: { path: { reportId } } }));
  expect(detail.inputParameters.length > 0, 'the report has parameters');
  await client.GET('/rest/reports/group/{groupId}', { params: { path: { groupId: report?.group ?? '' } } });
  const table = detail.templates.find(({ outputType }) => outputType === 'CSV');
  const body = {
    template: table?.code ?? '',
    parameters: [
      { name: 'from', value: '2026-01-01' },
      { name: 'to', value: '2026-12-31' },
    ],
  };
  const { data } = await client.POST('/rest/reports/run/{reportId}', {
    params: { path: { reportId } },
    body,
    parseAs: 'blob',
  });
  expect((await data?.text())?.includes('"Customer"') === true, 'the document is a table');
  await client.POST('/rest/reports/run/code/{code}', {
    params: { path: { code: 'sales-by-customer' } },
    body,
    parseAs: 'blob',
  });
  await cancelRun(client, body);
  // It is defined in code, so that there is no preview.
  const preview = await client.POST('/rest/reports/report/{reportId}/data', {
    params: { path: { reportId } },
    body: {},
  });
  expect(preview.response.status === 400, 'reports in code have no preview');
  const checked = dataOf(await client.POST('/rest/reports/definition/check', { body: { definition: '{' } }));
  expect(checked.problems.length === 1, 'what is no JSON is a problem');
  await callDrafts(client, reports.find(({ code }) => code === 'price-list')?.id ?? '');
  dataOf(await client.GET('/rest/reports/docs/openapi.json'));
  dataOf(await client.GET('/rest/reports/docs/openapi.yaml', { parseAs: 'text' }));
}

/** A simple report, its preview, and the copy of a report, which is removed. */
async function callDrafts(client: Client, reportId: string): Promise<void> {
  const draft = { title: 'Customers', entity: 'sales_Customer', attributes: ['name'] };
  const made = dataOf(await client.POST('/rest/reports/definition/draft', { body: draft }));
  expect(made.templates.length === 1, 'a draft has a template');
  const run = await client.POST('/rest/reports/definition/draft/run', { body: { draft }, parseAs: 'blob' });
  expect(run.response.status === 200, 'a draft is run');
  const params = { path: { reportId } };
  const body = { name: `Copy ${Date.now()}` };
  const { id } = dataOf(await client.POST('/rest/reports/report/{reportId}/copy', { params, body }));
  const path = { entityName: 'report_Report', entityId: id };
  await client.DELETE('/rest/entities/{entityName}/{entityId}', { params: { path } });
}

/** A run that nobody waits for, looked at and cancelled; one that has ended before that is run again. */
async function cancelRun(client: Client, body: components['schemas']['ReportRun']): Promise<void> {
  const params = { path: { code: 'sales-by-customer' }, header: { Prefer: 'respond-async' } };
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const started = await client.POST('/rest/reports/run/code/{code}', { params, body, parseAs: 'stream' });
    await started.data?.cancel();
    const runId = started.response.headers.get('location')?.split('/').at(-1) ?? '';
    const run = { params: { path: { runId } } };
    dataOf(await client.GET('/rest/reports/runs'));
    dataOf(await client.GET('/rest/reports/runs/{runId}', run));
    const { response } = await client.DELETE('/rest/reports/runs/{runId}', { ...run, parseAs: 'text' });
    if (response.status === 204) return;
  }
}

/** The logins of the user; the last calls, since they end the session of the token. */
export async function endSession(client: Client): Promise<void> {
  const sessions = dataOf(await client.GET('/rest/user-session'));
  const sessionId = sessions.find(({ current }) => current)?.id ?? '';
  dataOf(await client.GET('/rest/user-session/history', { params: { query: { limit: 1 } } }));
  const { ended } = dataOf(await client.DELETE('/rest/user-session', { params: { query: { clientId: 'unknown' } } }));
  expect(ended === 0, 'no login of a client that does not exist');
  await client.DELETE('/rest/user-session/{sessionId}', { params: { path: { sessionId } } });
}

/** The feed of changes goes on until it is left. */
export async function followChanges(client: Client): Promise<void> {
  const params = { path: { entityName: 'sales_Order' } };
  const feed = dataOf(await client.GET('/rest/changes/{entityName}', { params, parseAs: 'stream' }));
  await feed?.cancel();
}
