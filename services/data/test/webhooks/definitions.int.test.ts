import { Webhook } from 'standardwebhooks';
import { newSecret, startWebhooks, type WebhooksFixture } from './webhooks-fixture.ts';

let hooks: WebhooksFixture;
beforeAll(async () => {
  hooks = await startWebhooks();
  await hooks.addUser('root', ['system-full-access']);
  for (const name of ['editor', 'keeper', 'reader']) await hooks.addUser(name, []);
});
afterAll(() => hooks?.close());

const webhook = (values: Readonly<Record<string, unknown>> = {}) => ({
  ...{ name: 'Orders', url: 'https://example.com/hook', entityName: 't_Deal', secret: newSecret() },
  ...values,
});

test.each([
  ['a URL without TLS', { url: 'ftp://example.com/' }, 'url', 'must begin with https://'],
  ['a URL of a private network', { url: 'https://10.0.0.7/' }, 'url', 'must lead to a public address'],
  ['a URL with a user', { url: 'https://a:b@example.com/' }, 'url', 'must have no user and no password'],
  ['no URL', { url: null }, 'url', 'may not be null'],
  ['an unknown entity', { entityName: 't_Offer' }, 'entityName', 'must name a stored entity'],
  ['unknown kinds of changes', { changes: 'created,changed' }, 'changes', 'must match'],
  ['a filter that is not JSON', { filter: '{' }, 'filter', 'filter'],
  ['a filter that is not an object', { filter: '[]' }, 'filter', 'must be a JSON object'],
  ['a filter of an unknown attribute', { filter: condition('size', '=', 1) }, 'filter', 'size'],
  ['a filter with a value of another type', { filter: condition('amount', '>', 'much') }, 'filter', 'much'],
  ['no secret', { secret: undefined }, 'secret', 'may not be null'],
  ['an unknown owner', { owner: 'nobody' }, 'owner', 'must be the name of a user'],
])('%s is refused', async (_, values, path, message) => {
  const items = await hooks.expected(400, hooks.root('POST', '/entities/sys_Webhook', webhook(values)));
  expect(items).toEqual([expect.objectContaining({ path, message: expect.stringContaining(message) })]);
});

test('one refusal names the mistakes in all attributes', async () => {
  const values = { url: 'ftp://example.com/', entityName: 't_Offer', owner: 'nobody', secret: 'short' };
  const items = await hooks.expected(400, hooks.root('POST', '/entities/sys_Webhook', webhook(values)));
  expect((items as readonly { path: string }[]).map(({ path }) => path)).toEqual([
    'url',
    'entityName',
    'owner',
    'secret',
  ]);
});

function condition(property: string, operator: string, value: unknown): string {
  return JSON.stringify({ conditions: [{ property, operator, value }] });
}

test('a secret is in no response, not even if it is refused, and in no table', async () => {
  const wrong = await hooks.root('POST', '/entities/sys_Webhook', webhook({ secret: 'my-very-own-password' }));
  expect([wrong.status, wrong.text.includes('my-very-own-password')]).toEqual([400, false]);
  const secret = newSecret();
  const body = webhook({ secret });
  const fetchPlan = { entity: 'sys_Webhook', properties: ['name', 'owner', 'secret', 'previousSecret'] };
  const { id } = await hooks.expected(201, hooks.root('POST', '/entities/sys_Webhook', body));
  const responses = [
    await hooks.root('GET', `/entities/sys_Webhook/${id}`),
    await hooks.root('GET', `/entities/sys_Webhook/${id}?fetchPlan=_local&returnNulls=true`),
    await hooks.root('POST', '/entities/sys_Webhook/search', { filter: { conditions: [] }, fetchPlan }),
    await hooks.root('PUT', `/entities/sys_Webhook/${id}?responseFetchPlan=_local`, { secret: newSecret() }),
  ];
  for (const { text } of responses) expect(text).not.toMatch(/"(?:secret|previousSecret)"/);
  const [rows] = (await hooks.data.query(`SELECT
    (SELECT json_agg(w) FROM sys.webhook w)::text AS webhooks,
    (SELECT json_agg(o) FROM events.outbox o)::text AS outbox`)) as readonly Record<string, string>[];
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(JSON.stringify(hooks.data.errors)).not.toContain(secret);
});

test('the previous secret cannot be set', async () => {
  const body = webhook({ previousSecret: 'mine', previousSecretUntil: '2100-01-01T00:00:00.000' });
  const { id } = await hooks.expected(201, hooks.root('POST', '/entities/sys_Webhook', body));
  const rows = await hooks.data.query(
    `SELECT previous_secret, previous_secret_until FROM sys.webhook WHERE id = '${id}'`,
  );
  expect(rows).toEqual([{ previous_secret: null, previous_secret_until: null }]);
});

test('the owner of a webhook is its author; naming another owner needs a permission', async () => {
  const send = (values: Readonly<Record<string, unknown>>) =>
    hooks.data.send('editor', 'POST', '/entities/sys_Webhook', webhook(values));
  const { id } = await hooks.expected(201, send({}));
  expect(await hooks.expected(200, hooks.root('GET', `/entities/sys_Webhook/${id}`))).toMatchObject({
    owner: 'editor',
  });
  await hooks.expected(403, send({ owner: 'root' }));
  const others = await hooks.expected(201, hooks.root('POST', '/entities/sys_Webhook', webhook({ owner: 'reader' })));
  const redirected = { url: 'https://example.org/mine' };
  await hooks.expected(403, hooks.data.send('editor', 'PUT', `/entities/sys_Webhook/${others.id}`, redirected));
});

test('nobody chooses an owner who sees more, or changes the webhook of one', async () => {
  await hooks.addUser('seller', ['deal-reader']);
  await hooks.addUser('reseller', ['deal-reader']);
  const send = (name: string, method: string, path: string, body?: unknown) =>
    hooks.data.send(name, method, `/entities/sys_Webhook${path}`, body);
  const { details } = await hooks.expected(403, send('chooser', 'POST', '', webhook({ owner: 'seller' })));
  expect(details).toContain('entity t_Deal (read)');
  await hooks.expected(403, send('chooser', 'POST', '', webhook({ owner: 'root' })));
  const of = await hooks.addWebhook('/seller', { owner: 'seller', active: false });
  const mine = { url: `${hooks.receiver.url}/mine` };
  await hooks.expected(403, send('chooser', 'PUT', `/${of}`, mine));
  await hooks.expected(403, send('chooser', 'PUT', `/${of}`, { owner: 'keeper' }));
  await hooks.expected(403, send('chooser', 'PUT', '', [{ id: of, ...mine }]));
  await hooks.expected(403, send('chooser', 'DELETE', `/${of}`));
  // A key counts with the roles that it has.
  await hooks.expected(403, send('key', 'POST', '', webhook()));
  const { id } = await hooks.expected(201, send('chooser', 'POST', '', webhook({ owner: 'keeper' })));
  await hooks.expected(200, send('chooser', 'PUT', `/${id}`, mine));
  await hooks.expected(204, send('chooser', 'DELETE', `/${id}`));
});

test('a client does not act for the user of its name', async () => {
  await hooks.addUser('robot', ['deal-reader']);
  const taken = await hooks.expected(
    409,
    hooks.root('POST', '/entities/sec_User', { username: 'ROBOT', active: true }),
  );
  expect(taken.details).toContain('username');
  const send = (method: string, path: string, body: unknown) => hooks.data.send('robot', method, path, body);
  await hooks.expected(403, send('POST', '/entities/sys_Webhook', webhook({})));
  await hooks.expected(403, send('POST', '/entities/sys_Webhook', webhook({ owner: 'robot' })));
  const own = await hooks.addWebhook('/robot', { owner: 'robot', active: false });
  await hooks.expected(403, send('PUT', `/entities/sys_Webhook/${own}`, { url: 'https://example.org/mine' }));
  await hooks.expected(403, send('POST', `/operations/webhooks/${own}/test`, {}));
});

test('taking over, deleting or replaying a webhook of another owner needs the permission', async () => {
  const keeper = (method: string, path: string, body?: unknown) => hooks.data.send('keeper', method, path, body);
  const delivered = async (path: string, owner: string) => {
    const id = await hooks.addWebhook(path);
    await hooks.addDeal();
    const [delivery] = await hooks.untilStates(id, ['delivered']);
    const webhook = `/entities/sys_Webhook/${id}`;
    await hooks.expected(200, hooks.root('PUT', webhook, { active: false, owner }));
    return { webhook, delivery: `/entities/sys_WebhookDelivery/${delivery?.id}` };
  };
  const { webhook, delivery } = await delivered('/others', 'root');
  for (const owner of ['keeper', 'root', ''])
    await hooks.expected(403, keeper('PUT', webhook, { owner, url: `${hooks.receiver.url}/mine` }));
  await hooks.expected(403, keeper('DELETE', webhook));
  await hooks.expected(403, keeper('PUT', delivery, { state: 'pending' }));
  await hooks.expected(403, keeper('DELETE', delivery));
  expect(await hooks.expected(200, hooks.root('GET', webhook))).toMatchObject({
    owner: 'root',
    url: `${hooks.receiver.url}/others`,
  });

  const own = await delivered('/keepers', 'keeper');
  await hooks.expected(200, keeper('PUT', own.delivery, { state: 'pending' }));
  await hooks.expected(204, keeper('DELETE', own.webhook));

  // After the webhook is deleted the owner of the delivery is unknown.
  await hooks.expected(204, hooks.root('DELETE', webhook));
  await hooks.expected(403, keeper('PUT', delivery, { state: 'pending' }));
  await hooks.expected(200, hooks.root('PUT', delivery, { state: 'pending' }));
});

test('a waiting delivery is sent at once on request, after those of the same instance that it waits for', async () => {
  const webhook = await hooks.addWebhook('/waiting', { active: false });
  await hooks.expected(200, hooks.root('PUT', `/entities/sys_Webhook/${webhook}`, { active: true }));
  const [earlier, later] = await hooks.addWaiting(webhook, 2);
  const path = `/entities/sys_WebhookDelivery/${later}`;
  await hooks.expected(400, hooks.root('PUT', path, { nextAttempt: '2100-01-01T00:00:00.000' }));
  await hooks.expected(400, hooks.root('PUT', path, { nextAttempt: null, attempts: 0 }));
  await hooks.expected(403, hooks.data.send('keeper', 'PUT', path, { nextAttempt: null }));
  await hooks.expected(200, hooks.root('PUT', path, { nextAttempt: null }));
  const log = await hooks.untilStates(webhook, ['skipped', 'skipped']);
  expect(log.map(({ id, attempts }) => [String(id), attempts])).toEqual([
    [earlier, 4],
    [later, 4],
  ]);
});

test('callers without the right see no webhooks', async () => {
  await hooks.expected(403, hooks.data.send('reader', 'GET', '/entities/sys_Webhook'));
  await hooks.expected(403, hooks.data.send('editor', 'GET', '/entities/sys_WebhookDelivery'));
  await hooks.expected(403, hooks.data.send('reader', 'POST', '/entities/sys_Webhook', webhook()));
});

describe('test messages (contract/operations.md#webhook-test)', () => {
  const testOf = (user: string, id: string) => hooks.data.send(user, 'POST', `/operations/webhooks/${id}/test`);

  test('a test message is signed, and its result is returned', async () => {
    const secret = newSecret();
    const id = await hooks.addWebhook('/tested', { secret, active: false });
    const accepted = await testOf('root', id);
    expect([accepted.status, accepted.json()]).toEqual([
      200,
      { accepted: true, status: 204, error: null, durationMs: expect.any(Number) },
    ]);
    const [message] = await hooks.receiver.until('/tested', 1);
    expect(new Webhook(secret).verify(message?.body ?? '', message?.headers ?? {})).toEqual({
      type: 'webhook.test.v1',
      timestamp: expect.any(String),
      data: {},
    });
    hooks.receiver.fail('/tested', 1);
    expect((await testOf('root', id)).json()).toMatchObject({
      accepted: false,
      status: 500,
      error: expect.stringContaining('500'),
    });
    expect(await hooks.log(id)).toEqual([]);
  });

  // Asserts contract/operations.md#webhook-test.
  test('the webhook of another owner needs the permission to choose owners', async () => {
    const id = await hooks.addWebhook('/of-root');
    expect((await testOf('editor', id)).status).toBe(403);
    expect((await testOf('reader', id)).status).toBe(403);
    const own = await hooks.expected(
      201,
      hooks.data.send('editor', 'POST', '/entities/sys_Webhook', webhook({ url: `${hooks.receiver.url}/own` })),
    );
    expect((await testOf('editor', own.id)).json()).toMatchObject({ accepted: true });
    expect(hooks.receiver.at('/of-root')).toEqual([]);
  });
});
