import { type clientOf, dataOf, expect } from './client.ts';

type Client = ReturnType<typeof clientOf>;

/** Versions of a report of the database. */
export async function callReportVersions(client: Client): Promise<void> {
  const code = `typed-${Date.now()}`;
  const body = { name: code, code, restAccess: true, definition: '{"bands":[]}' };
  const path = { entityName: 'report_Report' };
  const created = dataOf(await client.POST('/rest/entities/{entityName}', { params: { path }, body }));
  const entityId = String(created.id);
  await client.PUT('/rest/entities/{entityName}/{entityId}', {
    params: { path: { ...path, entityId } },
    body: { description: 'Changed' },
  });
  const of = { path: { entityId } };
  const versions = dataOf(
    await client.GET('/rest/entities/report_Report/{entityId}/versions', { params: { ...of, query: { limit: 10 } } }),
  );
  const oldest = versions.at(-1);
  expect(versions.length === 2 && oldest !== undefined, 'each change is a version');
  const params = { path: { entityId, number: String(oldest?.number) } };
  const version = dataOf(await client.GET('/rest/entities/report_Report/{entityId}/versions/{number}', { params }));
  expect(version.definition === body.definition && version.templates?.length === 0, 'a version has the content');
  const { attributes } = dataOf(
    await client.GET('/rest/entities/report_Report/{entityId}/versions/{number}/difference', { params }),
  );
  expect(attributes[0]?.attribute === 'description' && attributes[0].to === 'Changed', 'the difference is found');
  await callVersionAsReport(client, params.path);
  const comment = 'As it was';
  dataOf(
    await client.PATCH('/rest/entities/report_Report/{entityId}/versions/{number}', { params, body: { comment } }),
  );
  const restored = dataOf(
    await client.POST('/rest/entities/report_Report/{entityId}/versions/{number}/restore', {
      params,
      body: { comment },
    }),
  );
  expect(restored.number > (versions[0]?.number ?? 0) && restored.comment === comment, 'a restore is a new version');
}

/** The version is run as it is. The reports service knows a new report within a second. */
async function callVersionAsReport(
  client: Client,
  { entityId: reportId, number }: { readonly entityId: string; readonly number: string },
): Promise<void> {
  const params = { path: { reportId, number } };
  const path = '/rest/reports/report/{reportId}/versions/{number}';
  await dataWhenKnown(() => client.GET(path, { params }));
  const preview = await client.POST(`${path}/data`, { params, body: {} });
  const run = await client.POST(`${path}/run`, { params, body: {}, parseAs: 'blob' });
  const statuses = [preview, run].map(({ response }) => response.status);
  expect(
    statuses.every((status) => status === 400),
    'a version without a template is not run',
  );
}

async function dataWhenKnown(send: () => Promise<{ readonly response: Response }>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { response } = await send();
    if (response.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The reports service does not know the new report');
}
