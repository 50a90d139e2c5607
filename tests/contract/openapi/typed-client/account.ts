import { type clientOf, dataOf, expect } from './client.ts';

type Client = ReturnType<typeof clientOf>;

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** A file in three requests, and an upload that ends before it is complete. */
export async function callUploads(client: Client): Promise<void> {
  const tus = { 'Tus-Resumable': '1.0.0' };
  const begin = async (): Promise<string> => {
    const { response } = await client.POST('/rest/files/uploads', {
      params: {
        header: { ...tus, 'Upload-Length': '5', 'Upload-Metadata': `filename ${btoa('typed.txt')}` },
      },
      parseAs: 'text',
    });
    return response.headers.get('location')?.split('/').at(-1) ?? '';
  };
  const uploadId = await begin();
  const path = { uploadId };
  const bytes = {
    headers: { 'content-type': 'application/offset+octet-stream' },
    bodySerializer: (body: unknown) => body as string,
    parseAs: 'text',
  } as const;
  await client.PATCH('/rest/files/uploads/{uploadId}', {
    params: { path, header: { ...tus, 'Upload-Offset': '0' } },
    body: 'by',
    ...bytes,
  });
  const { response } = await client.HEAD('/rest/files/uploads/{uploadId}', { params: { path, header: tus } });
  expect(response.headers.get('upload-offset') === '2', 'two bytes are stored');
  await client.POST('/rest/files/uploads/{uploadId}', {
    params: { path, header: { ...tus, 'Upload-Offset': '2', 'X-HTTP-Method-Override': 'PATCH' } },
    body: 'tes',
    ...bytes,
  });
  const file = dataOf(await client.GET('/rest/files/uploads/{uploadId}', { params: { path } }));
  expect(file.name === 'typed.txt' && file.size === 5, 'the file of the upload');
  await client.DELETE('/rest/files/uploads/{uploadId}', {
    params: { path: { uploadId: await begin() }, header: tus },
    parseAs: 'text',
  });
}

/** What users see of their own logins. Other tests log in as this user: no second factor is added. */
export async function callAccount(client: Client): Promise<void> {
  const factors = dataOf(await client.GET('/rest/user-session/second-factors'));
  expect(factors.factors.length === 0, 'the administrator has no second factor');
  dataOf(await client.DELETE('/rest/user-session/second-factors'));
  await client.DELETE('/rest/user-session/second-factors/{factorId}', { params: { path: { factorId: UNKNOWN } } });
  const { offer } = dataOf(await client.POST('/rest/user-session/second-factors/totp'));
  await client.POST('/rest/user-session/second-factors/totp/confirm', { body: { offer, code: '', name: 'phone' } });
  await client.POST('/rest/user-session/second-factors/recovery-codes');
  await client.POST('/rest/user-session/password-change', { params: { query: { username: 'unknown' } } });
  dataOf(await client.GET('/rest/user-session/consents'));
  await client.DELETE('/rest/user-session/consents/{clientId}', { params: { path: { clientId: 'unknown' } } });
  const created = dataOf(await client.POST('/rest/api-keys', { body: { name: 'typed client' } }));
  const keys = dataOf(await client.GET('/rest/api-keys'));
  expect(
    keys.some(({ id }) => id === created.id),
    'the new key is listed',
  );
  await client.DELETE('/rest/api-keys/{keyId}', { params: { path: { keyId: created.id } }, parseAs: 'text' });
}

/** A client of the database, from its creation to its end. */
export async function callClients(client: Client): Promise<void> {
  const clientId = `typed-${crypto.randomUUID()}`;
  const path = { clientId };
  dataOf(await client.POST('/rest/clients', { body: { clientId, grantTypes: ['client_credentials'] } }));
  const all = dataOf(await client.GET('/rest/clients', { params: { query: { limit: 1000 } } }));
  expect(
    all.some((each) => each.clientId === clientId),
    'the new client is listed',
  );
  dataOf(await client.GET('/rest/clients/{clientId}', { params: { path } }));
  dataOf(await client.PUT('/rest/clients/{clientId}', { params: { path }, body: { name: 'Typed' } }));
  const secret = dataOf(await client.POST('/rest/clients/{clientId}/secrets', { params: { path }, body: {} }));
  await client.DELETE('/rest/clients/{clientId}/secrets/{secretId}', {
    params: { path: { clientId, secretId: secret.id } },
    parseAs: 'text',
  });
  await client.DELETE('/rest/clients/{clientId}', { params: { path }, parseAs: 'text' });
}

/** What operators see of the running system. */
export async function callOperations(client: Client): Promise<void> {
  const [first] = dataOf(await client.GET('/rest/operations/processes'));
  expect(first?.status !== undefined, 'the processes report');
  const path = { processId: first?.id ?? '' };
  const settings = dataOf(await client.GET('/rest/operations/processes/{processId}/settings', { params: { path } }));
  expect(
    settings.every(({ secret, value }) => !secret || value === null || value.includes('***') || /^\w+:/.test(value)),
    'secrets are masked',
  );
  const { outbox } = dataOf(await client.GET('/rest/operations/queues'));
  expect(outbox.count >= 0, 'the outbox is counted');
  const { deadLetters = 0 } = dataOf(await client.GET('/rest/operations/tasks'));
  expect(deadLetters !== null && deadLetters >= 0, 'dead letters are counted');
  const { dashboards } = dataOf(await client.GET('/rest/operations/links'));
  expect(dashboards === null, 'no dashboards are configured');
  dataOf(await client.GET('/rest/operations/slow-statements', { params: { query: { limit: 10 } } }));
  const { migrations } = dataOf(await client.GET('/rest/operations/schema'));
  expect(
    migrations.every(({ state }) => state === 'executed'),
    'all migrations have run',
  );
  const { events } = dataOf(await client.GET('/rest/operations/security-events', { params: { query: { limit: 10 } } }));
  expect(
    events.every(({ count }) => count > 0),
    'security events are counted',
  );
  dataOf(await client.GET('/rest/operations/identity-providers'));
  await client.POST('/rest/operations/identity-providers/{name}/test', { params: { path: { name: 'unknown' } } });
  const { files } = dataOf(
    await client.GET('/rest/operations/unreferenced-files', { params: { query: { limit: 10 } } }),
  );
  expect(files.length <= 10, 'at most ten files are listed');
  const fileRefs = ['fs://2026/01/01/none?name=none'];
  const [removal] = dataOf(await client.POST('/rest/operations/unreferenced-files/remove', { body: { fileRefs } }));
  expect(removal?.result === 'unknown', 'there is no such file');
  dataOf(await client.GET('/rest/operations/mailbox'));
  dataOf(await client.GET('/rest/operations/jobs'));
  const { runs } = dataOf(await client.GET('/rest/operations/job-runs', { params: { query: { limit: 10 } } }));
  expect(runs.length <= 10, 'at most ten runs are listed');
  const job = { params: { path: { jobName: 'unknown' } } };
  await client.POST('/rest/operations/jobs/{jobName}/run', job);
  await client.POST('/rest/operations/jobs/{jobName}/pause', job);
  await client.POST('/rest/operations/jobs/{jobName}/resume', job);
  const run = { params: { path: { runId: 'unknown' } } };
  expect(dataOf(await client.GET('/rest/service-runs')).length <= 50, 'at most fifty calls are listed');
  await client.GET('/rest/service-runs/{runId}', run);
  await client.DELETE('/rest/service-runs/{runId}', run);
  await client.GET('/rest/operations/job-runs/{runId}', run);
  await client.POST('/rest/operations/job-runs/{runId}/cancel', run);
  await client.POST('/rest/operations/job-runs/{runId}/retry', run);
  dataOf(await client.GET('/rest/operations/event-handlers'));
  const handler = { params: { path: { handlerName: 'unknown' } }, body: { paused: true } };
  await client.PUT('/rest/operations/event-handlers/{handlerName}', handler);
  dataOf(await client.GET('/rest/operations/dead-letters', { params: { query: { limit: 10 } } }));
  const letter = { params: { path: { key: 'unknown' } } };
  await client.GET('/rest/operations/dead-letters/{key}', letter);
  await client.POST('/rest/operations/dead-letters/{key}/retry', letter);
  await client.DELETE('/rest/operations/dead-letters/{key}', letter);
  await client.POST('/rest/operations/webhooks/{webhookId}/test', { params: { path: { webhookId: UNKNOWN } } });
}

/** Roles, and what another user sees. */
export async function callRights(client: Client): Promise<void> {
  const { resourceRoles } = dataOf(await client.GET('/rest/rights/roles'));
  expect(
    resourceRoles.some(({ code }) => code === 'system-full-access'),
    'the predefined role is listed',
  );
  dataOf(
    await client.GET('/rest/rights/difference', {
      params: { query: { first: 'rest-minimal', second: 'system-full-access' } },
    }),
  );
  const right = { entityName: 'sales_Order', action: 'read' } as const;
  const needed = dataOf(await client.GET('/rest/rights/needed', { params: { query: right } }));
  expect(needed.isGranted, 'the administrator reads orders');
  dataOf(await client.GET('/rest/rights/permissions', { params: { query: { username: 'clerk' } } }));
  const policy = { entityName: 'sales_Order', whereClause: '1 = 1' };
  const { errors } = dataOf(await client.POST('/rest/rights/conditions', { body: policy }));
  expect(errors.length === 0, 'the policy has no mistake');
  dataOf(await client.POST('/rest/rights/preview', { body: { username: 'clerk', entityName: 'sales_Order' } }));
  await client.GET('/rest/rights/explanation', {
    params: { query: { username: 'clerk', entityName: 'sales_Order', id: UNKNOWN } },
  });
  const seen = dataOf(await client.POST('/rest/rights/see-as', { body: { username: 'clerk' } }));
  expect(seen.expires_in > 0, 'the session has an end');
  await client.DELETE('/rest/rights/see-as', { parseAs: 'text' });
}

/** Notifications of the caller. */
export async function callNotifications(client: Client): Promise<void> {
  const { unread, notifications } = dataOf(await client.GET('/rest/user-session/notifications'));
  expect(unread <= 100 && notifications.length <= 50, 'at most fifty notifications are listed');
  await client.POST('/rest/user-session/notifications/read', { body: {}, parseAs: 'text' });
}

/** Saved views of lists. */
export async function callListViews(client: Client): Promise<void> {
  const body = { entityName: 'sales_Order', name: `View ${Date.now()}`, content: { sort: '-date' } };
  const view = dataOf(await client.POST('/rest/user-session/views', { body }));
  const path = { viewId: view.id };
  const question = { groupBy: ['status'], aggregates: { n: { count: '*' } }, chart: { kind: 'bar' as const } };
  const changed = { ...body, shared: true, question };
  const { question: stored } = dataOf(
    await client.PUT('/rest/user-session/views/{viewId}', { params: { path }, body: changed }),
  );
  expect(stored?.chart?.kind === 'bar', 'the view has a question');
  const views = dataOf(
    await client.GET('/rest/user-session/views', { params: { query: { entityName: 'sales_Order' } } }),
  );
  expect(
    views.some(({ id, isOwn }) => id === view.id && isOwn),
    'the view is listed',
  );
  await client.DELETE('/rest/user-session/views/{viewId}', { params: { path }, parseAs: 'text' });
}
