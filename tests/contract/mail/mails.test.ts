import { as } from '../api.ts';
import { inState, newAddress, queuedBy, RUNS, remind, removeOrders, shippedOrder } from '../jobs/reminders.ts';
import { newUser } from '../new-user.ts';
import { DELIVERED, type Inbox, logOf, openInbox } from './inbox.ts';

let inbox: Inbox;
beforeAll(async () => {
  inbox = await openInbox();
});
afterAll(async () => {
  await removeOrders();
  await inbox.close();
});

/** Reminds the customer of a new order. */
async function mailTo(address: string, customer: object = {}, order: object = {}): Promise<string> {
  const { id } = await shippedOrder({ email: address, ...customer }, order);
  await queuedBy(remind(id));
  return id;
}
const numberOf = async (order: string): Promise<string> =>
  (await as('admin', 'GET', `/entities/sales_Order/${order}`)).json().number;

// Asserts contract/mail.md#declaration and #headers.
test('a mail has the texts of the language of its receiver, as text and as HTML, and an address to decline', async () => {
  const [german, other] = [newAddress(), newAddress()];
  const order = await mailTo(german, { name: 'Ada <b> & Co', address: { country: 'DE' } });
  await mailTo(other, { name: 'Bo', address: { country: 'FR' } });
  await inbox.logged(german, DELIVERED);
  const number = await numberOf(order);
  const mails = await inbox.to(german);
  expect(mails).toMatchObject([
    {
      subject: `Zahlung der Bestellung ${number}`,
      text: expect.stringContaining('Guten Tag Ada <b> & Co,'),
      html: expect.stringContaining('Guten Tag Ada &lt;b&gt; &amp; Co,'),
      unsubscribe: `https://sales.example/reminders/stop?order=${number}`,
      attachments: [],
    },
  ]);
  await inbox.logged(other, DELIVERED);
  expect(await inbox.to(other)).toMatchObject([{ text: expect.stringContaining('Dear Bo,') }]);
});

// Asserts contract/mail.md#headers.
test('a value with line breaks adds no header', async () => {
  const address = newAddress();
  const { id } = await shippedOrder({ email: address }, { number: `${newAddress().slice(0, 8)}\r\nBcc: e` });
  await queuedBy(remind(id));
  await inbox.logged(address, DELIVERED);
  const [mail] = await inbox.to(address);
  expect(mail?.subject).toMatch(/^Payment of order \S+ Bcc: e$/);
});

// Asserts contract/mail.md#attachments.
test('a stored file is attached', async () => {
  const headers = { 'content-type': 'application/pdf' };
  const upload = await as('admin', 'POST', '/files?name=bill.pdf', { headers, body: Buffer.from('%PDF-1.7 a bill') });
  expect(upload.status).toBe(201);
  const address = newAddress();
  const order = await mailTo(address, {}, { attachment: upload.json().fileRef });
  await inbox.logged(address, DELIVERED);
  expect(await inbox.to(address)).toMatchObject([{ attachments: [`order-${await numberOf(order)}`] }]);
});

// Asserts contract/mail.md#sending.
test('a mail is sent once for its key, and none for a call that fails', async () => {
  const address = newAddress();
  const { id } = await shippedOrder({ email: address });
  expect((await remind(id, undefined, 'manager', { prefer: 'tx=rollback' })).status).toBe(200);
  const run = await queuedBy(remind(id));
  const mail = await inbox.logged(address, DELIVERED);
  expect(await queuedBy(remind(id))).toBe(run);
  expect(await logOf(address)).toEqual([mail]);
  expect(await inbox.to(address)).toHaveLength(1);
  const sending = await inState(String(mail['id']), 'completed');
  expect(sending).toMatchObject({ job: 'lintel.mail', error: null });
  expect(JSON.stringify(sending)).not.toContain(address);
});

// Asserts contract/mail.md#log.
test('the log has who got what for those who may read it, and is changed by sending alone', async () => {
  const address = newAddress();
  await mailTo(address);
  const { id, ...entry } = await inbox.logged(address, DELIVERED);
  expect(entry).toMatchObject({ name: 'payment-reminder', locale: 'en', finishedAt: expect.any(String) });
  expect(JSON.stringify(entry)).not.toMatch(/Dear|please pay/);
  const path = `/entities/sys_Mail/${id}`;
  for (const user of ['manager', 'viewer']) {
    expect((await as(user, 'GET', path)).status).toBe(403);
    expect((await as(user, 'GET', '/entities/sys_SuppressedAddress')).status).toBe(403);
  }
  const forged = { name: 'x', recipient: address, state: 'sent', queuedAt: '2026-01-01T00:00:00.000' };
  expect((await as('admin', 'POST', '/entities/sys_Mail', { body: forged })).status).toBe(403);
  expect((await as('admin', 'PUT', path, { body: { state: 'failed' } })).status).toBe(403);
  expect((await as('admin', 'DELETE', path)).status).toBe(204);
  expect(await logOf(address)).toEqual([]);
});

// Asserts contract/mail.md#suppression.
test('an address that is suppressed gets no mails, in any case of letters, until it is released', async () => {
  const address = newAddress();
  const body = { address: address.toUpperCase(), reason: 'complaint' };
  const created = await as('admin', 'POST', '/entities/sys_SuppressedAddress', { body });
  expect(created.status).toBe(201);
  await mailTo(address);
  await inbox.logged(address, 'suppressed');
  expect(await inbox.to(address)).toEqual([]);
  const path = `/entities/sys_SuppressedAddress/${created.json().id}`;
  expect((await as('admin', 'DELETE', path)).status).toBe(204);
  await mailTo(address);
  await inbox.logged(address, DELIVERED);
});

// Asserts contract/mail.md#mailbox, #attempts and #suppression, contract/operations.md#mailbox.
test('one process shows mails; with a server, its responses decide about further ones', async () => {
  const [address, busy] = [newAddress(), newAddress()];
  const { server } = inbox;
  const mailbox = async () => (await as('admin', 'GET', '/operations/mailbox')).json();
  if (server === undefined) {
    await mailTo(address);
    await inbox.logged(address, 'shown');
    expect((await mailbox())[0]).toMatchObject({ to: address, sentAt: expect.any(String), html: expect.any(String) });
  } else {
    expect(await mailbox()).toEqual([]);
    server.refuseReceiver(address, '550 5.1.1 There is no such user');
    await mailTo(address);
    expect(await inbox.logged(address, 'bounced')).toMatchObject({ error: expect.stringContaining('no such user') });
    server.refuseReceiver(address);
    await mailTo(address);
    await inbox.logged(address, 'suppressed');
    server.refuseReceiver(busy, `450 4.2.1 ${busy} is busy`);
    await mailTo(busy);
    const { id } = await inbox.logged(busy, 'queued');
    const waiting = await inState(String(id), 'retry');
    expect(waiting).toMatchObject({ attempts: expect.any(Number) });
    expect((await logOf(busy))[0]).toMatchObject({ error: expect.stringContaining('…@example.com is busy') });
    expect((await as('admin', 'POST', `${RUNS}/${id}/cancel`)).status).toBe(204);
  }
  const { token } = await newUser(['rest-minimal', 'sales-manager']);
  const headers = { authorization: `Bearer ${token}` };
  expect((await as('admin', 'GET', '/operations/mailbox', { headers })).status).toBe(403);
});
