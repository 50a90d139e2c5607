import { startWebhooks, type WebhooksFixture } from './webhooks-fixture.ts';

const WON = 't.deal-won.v1';

let hooks: WebhooksFixture;
beforeAll(async () => {
  hooks = await startWebhooks();
  await hooks.addUser('root', ['system-full-access']);
  await hooks.addUser('winner', ['winner']);
  await hooks.addUser('reader', ['deal-reader']);
});
afterAll(() => hooks?.close());

// Asserts contract/events.md#webhooks.
test('an event of the application is sent with its data to a webhook that names its type', async () => {
  const webhook = await hooks.addWebhook('/won', { entityName: WON, owner: 'winner' });
  const changes = await hooks.addWebhook('/changes', { owner: 'reader' });
  const id = await hooks.addDeal({ title: 'Won: 1', margin: '0.50' });
  await hooks.addDeal({ title: 'Lost' });
  const [message] = await hooks.receiver.until('/won', 1);
  expect(JSON.parse(message?.body ?? '')).toEqual({
    type: WON,
    timestamp: expect.any(String),
    data: { title: 'Won: 1' },
  });
  const [logged] = await hooks.untilStates(webhook, ['delivered']);
  expect(logged).toMatchObject({ entityName: WON, entityId: `t_Deal/${id}`, change: 'published' });
  expect(JSON.stringify(logged)).not.toContain('Won: 1');
  await hooks.untilStates(changes, ['delivered', 'delivered']);
});

// Asserts contract/events.md#webhooks.
test('messages of one subject are sent in order, and again by a replay', async () => {
  const webhook = await hooks.addWebhook('/order', { entityName: WON, owner: 'root' });
  hooks.receiver.fail('/order', 1);
  const id = await hooks.addDeal({ title: 'Won: a' });
  await hooks.changeDeal(id, { title: 'Won: b' });
  await hooks.untilStates(webhook, ['delivered', 'delivered']);
  await hooks.expected(
    200,
    hooks.root('PUT', `/entities/sys_Webhook/${webhook}`, { replayFrom: '2020-01-01T00:00:00.000' }),
  );
  const messages = await hooks.receiver.until('/order', 5);
  const titles = messages.map(({ body }) => JSON.parse(body).data.title.slice(-1)).join('');
  expect(titles).toBe('aabab');
});

// Asserts contract/events.md#webhooks.
test('nothing is sent to an owner without the permission for the event', async () => {
  const webhook = await hooks.addWebhook('/denied', { entityName: WON, owner: 'reader' });
  await hooks.addDeal({ title: 'Won: secret' });
  const [logged] = await hooks.untilStates(webhook, ['refused']);
  expect(logged).toMatchObject({ lastError: 'The owner may not read the event' });
  expect(hooks.receiver.at('/denied')).toEqual([]);
});

// Asserts contract/events.md#webhooks.
test.each([
  ['an unknown event', { entityName: 't.deal-won.v2' }, 'entityName'],
  ['a filter of an event', { entityName: WON, filter: '{"conditions":[]}' }, 'filter'],
])('%s is refused', async (_what, values, path) => {
  const body = { name: 'n', url: `${hooks.receiver.url}/n`, secret: `whsec_${'A'.repeat(32)}`, ...values };
  const response = await hooks.root('POST', '/entities/sys_Webhook', body);
  expect([response.status, response.json()]).toEqual([400, [expect.objectContaining({ path })]]);
});

// Asserts contract/events.md#webhooks and contract/roles.md#specific.
test('the permission for an event is one of the permissions of a caller', async () => {
  const { specifics } = (await hooks.root('GET', '/permissions')).json();
  const targets = specifics.map(({ target }: { target: string }) => target);
  expect(targets).toEqual(expect.arrayContaining(['events.read', `events.read.${WON}`]));
});
