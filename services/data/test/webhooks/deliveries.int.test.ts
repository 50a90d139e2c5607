import { eventually } from '@lintel/testkit';
import { Webhook } from 'standardwebhooks';
import { newSecret, startWebhooks, type WebhooksFixture } from './webhooks-fixture.ts';

let hooks: WebhooksFixture;
beforeAll(async () => {
  hooks = await startWebhooks();
  await hooks.addUser('root', ['system-full-access']);
  await hooks.addUser('reader', ['deal-reader']);
  await hooks.addUser('editor', ['deal-editor']);
  await hooks.addUser('northerner', ['deal-reader'], ['north']);
});
afterAll(() => hooks?.close());

test('a change is sent as a signed message, with the instance as its owner sees it', async () => {
  const secret = newSecret();
  const webhook = await hooks.addWebhook('/signed', { secret, owner: 'reader' });
  const id = await hooks.addDeal({ title: 'Große', amount: '1234567890123.10', margin: '0.50' });
  const [message] = await hooks.receiver.until('/signed', 1);
  const { type, timestamp, data } = new Webhook(secret).verify(message?.body ?? '', message?.headers ?? {}) as {
    readonly [member: string]: unknown;
  };
  const [logged] = await hooks.untilStates(webhook, ['delivered']);
  expect(message?.headers['webhook-id']).toBe(logged?.eventId);
  expect([type, Date.parse(String(timestamp)) > 0]).toEqual(['data.entity.changed.v1', true]);
  expect(data).toEqual({
    entity: 't_Deal',
    id,
    change: 'created',
    instance: {
      _entityName: 't_Deal',
      _instanceName: 'Große',
      id,
      title: 'Große',
      amount: 1234567890123.1,
    },
  });
  expect(message?.body).toContain('"amount":1234567890123.10');
  expect(logged).toMatchObject({ attempts: 1, lastStatus: 204, change: 'created' });
  // Asserts contract/access-log.md#recorded.
  await eventually(async () => {
    const read = { user: 'reader', operation: 'webhook', entity: 't_Deal', ids: [id], count: 1 };
    const entries = await hooks.expected(200, hooks.root('GET', `/access-log?entity=t_Deal&id=${id}&user=reader`));
    expect(entries).toEqual([expect.objectContaining(read)]);
  });
});

test('a message that is not accepted is sent again, and later messages about the instance wait for it', async () => {
  const webhook = await hooks.addWebhook('/again');
  hooks.receiver.fail('/again', 3);
  const id = await hooks.addDeal();
  for (const title of ['Second', 'Third']) await hooks.changeDeal(id, { title });
  const log = await hooks.untilStates(webhook, ['delivered', 'delivered', 'delivered']);
  const order = log.map(({ eventId }) => eventId);
  const positions = hooks.receiver.at('/again').map(({ headers }) => order.indexOf(headers['webhook-id'] ?? ''));
  expect(positions).toEqual([0, 0, 0, 0, 1, 2]);
  expect(log.map(({ attempts }) => attempts)).toEqual([4, 1, 1]);
});

test('the message about a deleted instance has only its id', async () => {
  const webhook = await hooks.addWebhook('/gone', { changes: 'deleted' });
  const id = await hooks.addDeal();
  await hooks.expected(204, hooks.root('DELETE', `/entities/t_Deal/${id}`));
  await hooks.untilStates(webhook, ['delivered']);
  expect(hooks.receiver.at('/gone').map(({ payload }) => payload)).toEqual([
    { entity: 't_Deal', id, change: 'deleted' },
  ]);
});

test('an update of hidden attributes only is not sent, and hidden attributes are not named', async () => {
  const webhook = await hooks.addWebhook('/cut', { owner: 'reader', changes: 'updated' });
  const id = await hooks.addDeal();
  await hooks.changeDeal(id, { margin: '1.00' });
  await hooks.changeDeal(id, { title: 'New', margin: '2.00' });
  await hooks.untilStates(webhook, ['skipped', 'delivered']);
  const [only, ...others] = hooks.receiver.at('/cut');
  expect(others).toEqual([]);
  expect(only?.payload.attributes).toEqual(['title']);
  expect(only?.body).not.toContain('margin');
});

test('changes of rows that are hidden from the owner are not sent, nor are their deletions', async () => {
  const webhook = await hooks.addWebhook('/north', { owner: 'northerner' });
  const north = await hooks.addDeal({ region: 'north' });
  await hooks.untilStates(webhook, ['delivered']);
  await hooks.addDeal({ region: 'south' });
  await hooks.untilStates(webhook, ['delivered', 'skipped']);
  await hooks.expected(204, hooks.root('DELETE', `/entities/t_Deal/${north}`));
  await hooks.untilStates(webhook, ['delivered', 'skipped', 'skipped']);
  expect(hooks.receiver.at('/north').map(({ payload }) => [payload.id, payload.change])).toEqual([[north, 'created']]);
});

test('only changes of instances that match the filter are sent', async () => {
  const filter = JSON.stringify({ conditions: [{ property: 'amount', operator: '>', value: 100 }] });
  const webhook = await hooks.addWebhook('/filtered', { filter });
  await hooks.addDeal({ amount: '100.00' });
  await hooks.untilStates(webhook, ['skipped']);
  const large = await hooks.addDeal({ amount: '100.01' });
  const log = await hooks.untilStates(webhook, ['skipped', 'delivered']);
  expect(hooks.receiver.at('/filtered').map(({ payload }) => payload.id)).toEqual([large]);
  expect(log[0]?.lastError).toBe('There is no such instance for the owner and the filter');
});

test('nothing is sent for a deactivated owner', async () => {
  await hooks.addUser('leaver', ['deal-reader']);
  const webhook = await hooks.addWebhook('/leaver', { owner: 'leaver' });
  await hooks.addDeal();
  await hooks.untilStates(webhook, ['delivered']);
  await hooks.data.query(`UPDATE sec."user" SET active = false WHERE username = 'leaver'`);
  await hooks.addDeal();
  const log = await hooks.untilStates(webhook, ['delivered', 'refused']);
  expect(log[1]?.lastError).toBe('The owner is no active user');
  expect(hooks.receiver.at('/leaver')).toHaveLength(1);
});

test('nothing is sent to an inactive webhook', async () => {
  const webhook = await hooks.addWebhook('/off', { active: false });
  const other = await hooks.addWebhook('/on');
  await hooks.addDeal();
  await hooks.untilStates(other, ['delivered']);
  expect(await hooks.log(webhook)).toEqual([]);
});

test('an event that is published twice is sent once', async () => {
  const webhook = await hooks.addWebhook('/twice');
  const id = await hooks.addDeal();
  const [delivered] = await hooks.untilStates(webhook, ['delivered']);
  await hooks.data.query(`UPDATE events.outbox SET published_at = NULL WHERE id = '${delivered?.eventId}'`);
  await hooks.changeDeal(id, { title: 'Later' });
  await hooks.untilStates(webhook, ['delivered', 'delivered']);
  expect(hooks.receiver.at('/twice')).toHaveLength(2);
});

// Asserts contract/events.md#became.
test('only changes that set the values of a condition are sent, to an owner who may view them', async () => {
  const became = { won: true };
  const webhook = await hooks.addWebhook('/became', { became, owner: 'editor' });
  const hidden = await hooks.addWebhook('/hidden', { became, owner: 'reader' });
  const id = await hooks.addDeal({ won: false });
  await hooks.changeDeal(id, { title: 'Still open' });
  await hooks.changeDeal(id, { won: true });
  await hooks.changeDeal(id, { title: 'Won already' });
  await hooks.changeDeal(id, { won: false });
  const created = await hooks.addDeal({ won: true });
  const log = await hooks.untilStates(webhook, ['delivered', 'delivered']);
  expect(log.map(({ change }) => change)).toEqual(['updated', 'created']);
  const sent = hooks.receiver.at('/became').map(({ payload }) => payload.id);
  expect(sent.toSorted()).toEqual([id, created].toSorted());
  const [, refused] = await hooks.untilStates(hidden, ['skipped', 'refused']);
  expect(refused?.lastError).toBe('The owner may not view an attribute of the condition');
  expect(hooks.receiver.at('/hidden')).toEqual([]);
});

// Asserts contract/events.md#became.
test.each([
  ['an unknown attribute', { became: { wn: true } }, 400, 'Property for t_Deal not found: wn'],
  ['an attribute of another kind', { became: { title: 'a' } }, 400, 'neither a boolean nor of an enumeration'],
  ['a value of another type', { became: { won: 'yes' } }, 400, 'yes is no value of t_Deal.won'],
  ['an empty condition', { became: {} }, 400, 'became'],
  ['a text', { became: '{"won":true}' }, 400, 'became'],
  ['a condition of an event', { became: { won: true }, entityName: 't.deal-won.v1' }, 400, 'Events have no new values'],
])('a condition with %s is refused', async (_what, values, status, reason) => {
  const body = { name: 'n', url: `${hooks.receiver.url}/n`, entityName: 't_Deal', secret: newSecret(), ...values };
  const response = await hooks.root('POST', '/entities/sys_Webhook', body);
  expect([response.status, response.text]).toEqual([status, expect.stringContaining(reason)]);
});

// Asserts contract/events.md#became.
test('a condition on an attribute that its author may not view is refused', async () => {
  const values = { name: 'n', url: `${hooks.receiver.url}/n`, entityName: 't_Deal', secret: newSecret() };
  const body = { ...values, became: { won: true } };
  const response = await hooks.data.send('keeper', 'POST', '/entities/sys_Webhook', body);
  expect([response.status, response.text]).toEqual([403, expect.not.stringContaining('no value')]);
});

test('the pending deliveries of a dispatcher that died are sent by another one', async () => {
  const webhook = await hooks.addWebhook('/crashed', { active: false });
  await hooks.expected(200, hooks.root('PUT', `/entities/sys_Webhook/${webhook}`, { active: true }));
  hooks.receiver.fail('/crashed', 1_000_000);
  await hooks.addDeal();
  await hooks.receiver.until('/crashed', 1);
  // The state in the database if the process dies after sending and before recording it.
  await eventually(
    async () => {
      const taken = await hooks.data.query(
        `UPDATE sys.webhook_delivery SET lease_id = gen_random_uuid(), lease_until = now() AT TIME ZONE 'UTC' + interval '1 hour'
       WHERE webhook_id = '${webhook}' AND state = 'pending' AND lease_id IS NULL RETURNING id`,
      );
      expect(taken).toHaveLength(1);
    },
    { timeoutMs: 20_000 },
  );
  hooks.receiver.fail('/crashed', 0);
  const before = hooks.receiver.at('/crashed').length;
  expect((await hooks.log(webhook))[0]?.state).toBe('pending');
  await hooks.data.query(
    `UPDATE sys.webhook_delivery SET lease_until = now() AT TIME ZONE 'UTC' - interval '1 second' WHERE webhook_id = '${webhook}'`,
  );
  await hooks.untilStates(webhook, ['delivered']);
  expect(hooks.receiver.at('/crashed').length).toBeGreaterThan(before);
});

test('a replay sends the deliveries of the log since a time again, with the same ids', async () => {
  const webhook = await hooks.addWebhook('/replayed');
  await hooks.addDeal({ title: 'Before' });
  const [before] = await hooks.untilStates(webhook, ['delivered']);
  const from = new Date().toISOString().slice(0, -1);
  await hooks.addDeal({ title: 'After' });
  const [, after] = await hooks.untilStates(webhook, ['delivered', 'delivered']);
  await hooks.expected(200, hooks.root('PUT', `/entities/sys_Webhook/${webhook}`, { replayFrom: from }));
  const messages = await hooks.receiver.until('/replayed', 3);
  expect(messages.map(({ headers }) => headers['webhook-id'])).toEqual(
    [before, after, after].map((one) => one?.eventId),
  );
  const { replayFrom } = await hooks.expected(200, hooks.root('GET', `/entities/sys_Webhook/${webhook}`));
  expect(replayFrom).toBeUndefined();
});

test('a delivery is sent again when its state is set to pending; nothing else of it can be changed', async () => {
  const webhook = await hooks.addWebhook('/once-more');
  await hooks.addDeal();
  const [logged] = await hooks.untilStates(webhook, ['delivered']);
  const path = `/entities/sys_WebhookDelivery/${logged?.id}`;
  await hooks.expected(200, hooks.root('PUT', path, { state: 'pending' }));
  await hooks.receiver.until('/once-more', 2);
  await hooks.untilStates(webhook, ['delivered']);
  for (const [values, attribute] of [
    [{ state: 'failed' }, 'state'],
    [{ state: 'pending', entityId: 'x' }, 'entityId'],
  ] as const) {
    const [{ path: refused }] = await hooks.expected(400, hooks.root('PUT', path, values));
    expect(refused).toBe(attribute);
  }
  const { id: _, ...copy } = await hooks.expected(200, hooks.root('GET', path));
  await hooks.expected(403, hooks.root('POST', '/entities/sys_WebhookDelivery', { ...copy, eventId: 'x' }));
});

test('a new secret signs at once, and the previous one signs for some time, too', async () => {
  const [former, secret] = [newSecret(), newSecret()];
  const webhook = await hooks.addWebhook('/rotated', { secret: former });
  await hooks.expected(200, hooks.root('PUT', `/entities/sys_Webhook/${webhook}`, { secret }));
  await hooks.addDeal();
  const [message] = await hooks.receiver.until('/rotated', 1);
  for (const key of [former, secret]) new Webhook(key).verify(message?.body ?? '', message?.headers ?? {});
  await hooks.data.query(
    `UPDATE sys.webhook SET previous_secret_until = now() AT TIME ZONE 'UTC' - interval '1 day' WHERE id = '${webhook}'`,
  );
  await hooks.addDeal();
  const [, later] = await hooks.receiver.until('/rotated', 2);
  new Webhook(secret).verify(later?.body ?? '', later?.headers ?? {});
  expect(() => new Webhook(former).verify(later?.body ?? '', later?.headers ?? {})).toThrow();
});
