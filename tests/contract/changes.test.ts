import { type EventStream, eventually, openEventStream } from '@lintel/testkit';
import { as, baseUrl, basic, send, tokenOf, tokenRequest, unique } from './api.ts';

const streams: EventStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function openWith(token: string, entity: string, headers: Readonly<Record<string, string>> = {}) {
  const all = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip, br', ...headers };
  const stream = await openEventStream(`${baseUrl}/rest/changes/${entity}`, all);
  streams.push(stream);
  // After its first words a client gets everything.
  await eventually(() => expect(stream.lastEventId).not.toBe(''));
  return stream;
}
const follow = async (user: string, entity: string, headers?: Readonly<Record<string, string>>) =>
  openWith(await tokenOf(user), entity, headers);

interface SentChange {
  readonly entity: string;
  readonly id: string;
  readonly change: string;
  readonly attributes?: readonly string[];
  readonly trace?: string;
}

/** What a stream sent about some instances; other tests change others. */
const sentChangesOf = (stream: EventStream, ...ids: readonly string[]): readonly SentChange[] =>
  stream.events.map(({ data }) => JSON.parse(data) as SentChange).filter(({ id }) => ids.includes(id));
const changesOf = (stream: EventStream, ...ids: readonly string[]): readonly string[] =>
  sentChangesOf(stream, ...ids).map(({ change, id }) => `${change} ${ids.indexOf(id)}`);

const customers = '/entities/sales_Customer';

async function createCustomer(country: string): Promise<string> {
  const body = { name: unique('feed'), creditLimit: '1.00', address: { country, city: 'Town' } };
  const response = await as('admin', 'POST', customers, { body });
  expect(response.status).toBe(201);
  return String(response.json().id);
}
async function change(id: string, body: object): Promise<void> {
  expect((await as('admin', 'PUT', `${customers}/${id}`, { body })).status).toBe(200);
}
async function remove(id: string): Promise<void> {
  expect((await as('admin', 'DELETE', `${customers}/${id}`)).status).toBe(204);
}

test('what others create, change and delete is sent as it happens, uncompressed and uncached', async () => {
  const stream = await follow('admin', 'sales_Customer');
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(stream.headers.get('content-encoding')).toBe(null);
  expect(stream.headers.get('cache-control')).toBe('no-store, no-transform');
  const id = await createCustomer('FR');
  await change(id, { phone: '030' });
  await remove(id);
  await eventually(() => expect(changesOf(stream, id)).toEqual(['created 0', 'updated 0', 'deleted 0']));
  const [created, updated, deleted] = sentChangesOf(stream, id);
  expect(created?.attributes).toEqual(expect.arrayContaining(['creditLimit', 'name']));
  expect(updated?.attributes).toEqual(expect.arrayContaining(['phone', 'version']));
  expect(deleted).toEqual({ entity: 'sales_Customer', id, change: 'deleted', trace: expect.any(String) });
});

test('a change has the trace of its request for the user who has made it, and for no other', async () => {
  const [own, other] = [await follow('admin', 'sales_Customer'), await follow('clerk', 'sales_Customer')];
  const id = await createCustomer('DE');
  const { headers } = await as('admin', 'PUT', `${customers}/${id}`, { body: { phone: '030' } });
  await eventually(() => expect(changesOf(own, id)).toEqual(['created 0', 'updated 0']));
  await eventually(() => expect(changesOf(other, id)).toEqual(['created 0', 'updated 0']));
  expect(sentChangesOf(own, id).at(-1)?.trace).toBe(headers.get('x-trace-id'));
  expect(sentChangesOf(other, id).map(({ trace }) => trace)).toEqual([undefined, undefined]);
  await remove(id);
});

test('a caller with row-level rules and hidden attributes receives what the caller may read, and no more', async () => {
  const stream = await follow('clerk', 'sales_Customer');
  const [shown, hidden] = [await createCustomer('DE'), await createCustomer('FR')];
  await change(hidden, { phone: '1' });
  await eventually(() => expect(changesOf(stream, shown)).toEqual(['created 0']));
  await remove(hidden);
  await change(shown, { address: { country: 'FR' } });
  await change(shown, { phone: '2' });
  await change(shown, { address: { country: 'DE' } });
  await remove(shown);
  await eventually(() => expect(changesOf(stream, shown, hidden).at(-1)).toBe('removed 0'));
  expect(stream.events.map(({ data }) => data).join()).not.toMatch(/creditLimit|email/);
  expect(sentChangesOf(stream, hidden)).toEqual([]);
});

test('a client that comes again after an event gets what it missed', async () => {
  const first = await follow('admin', 'sales_Customer');
  const [one, two] = [await createCustomer('DE'), await createCustomer('DE')];
  await eventually(() => expect(changesOf(first, one, two)).toEqual(['created 0', 'created 1']));
  const lastEventId = first.events.find(({ data }) => data.includes(one))?.id ?? '';
  first.close();
  const three = await createCustomer('DE');
  const again = await follow('admin', 'sales_Customer', { 'last-event-id': lastEventId });
  await eventually(() => expect(changesOf(again, one, two, three)).toEqual(['created 1', 'created 2']));
  await Promise.all([one, two, three].map(remove));
});

test.each([
  ['an unknown entity', 'admin', 'sales_None', 404, 'Entity not found'],
  ['an entity that the caller may not read', 'viewer', 'sales_Customer', 403, 'Reading forbidden'],
])('%s is refused', async (_name, user, entity, status, error) => {
  const response = await as(user, 'GET', `/changes/${entity}`);
  expect([response.status, response.json().error]).toEqual([status, error]);
});

test('without a token, with an id that is none and with another method it is refused', async () => {
  expect((await send('GET', '/rest/changes/sales_Customer')).status).toBe(401);
  const garbage = await as('admin', 'GET', '/changes/sales_Customer', { headers: { 'last-event-id': '17' } });
  expect([garbage.status, garbage.json().details]).toEqual([
    400,
    'Last-Event-ID must be the id of an event of the changes of sales_Customer',
  ]);
  const posted = await as('admin', 'POST', '/changes/sales_Customer', { body: {} });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('who logs out receives nothing more', async () => {
  const form = { grant_type: 'password', username: 'admin', password: 'admin' };
  const token = String((await tokenRequest('/oauth/token', form)).json().access_token);
  const [ending, staying] = [await openWith(token, 'sales_Customer'), await follow('admin', 'sales_Customer')];
  const client = { authorization: basic('client', 'secret') };
  expect((await tokenRequest('/oauth/revoke', { token }, client)).status).toBe(200);
  await eventually(() => expect(ending.state).not.toBe('open'));
  const id = await createCustomer('DE');
  await eventually(() => expect(changesOf(staying, id)).toEqual(['created 0']));
  expect(changesOf(ending, id)).toEqual([]);
  await remove(id);
});
