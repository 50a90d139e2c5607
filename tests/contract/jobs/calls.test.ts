import { as, basic, send, tokenRequest } from '../api.ts';
import { newUser } from '../new-user.ts';
import { callInState, newAddress, remind, remindAll, removeOrders, shippedOrder } from './reminders.ts';

afterAll(removeOrders);

/** Each test has a day for its orders, on which the demo data has none. */
let day = 0;
function newDay(): { readonly from: string; readonly to: string } {
  day += 1;
  const date = `2019-05-${String(day).padStart(2, '0')}`;
  return { from: date, to: date };
}

/** Shipped orders of a new day. */
async function shippedOn(count: number) {
  const period = newDay();
  for (let at = 0; at < count; at += 1) await shippedOrder({ email: newAddress() }, { date: period.from });
  return period;
}

// Asserts contract/services.md#long-running and contract/jobs.md#progress.
test('a call continues without its client, who follows it and reads its result', async () => {
  const period = await shippedOn(2);
  const accepted = await remindAll(period);
  const { id } = accepted.json();
  expect([accepted.status, accepted.headers.get('location'), accepted.headers.get('retry-after')]).toEqual([
    202,
    `/rest/service-runs/${id}`,
    '1',
  ]);
  expect(accepted.json()).toMatchObject({ service: 'sales_ReminderService', method: 'remindAll' });
  const run = await callInState(id, 'SUCCEEDED');
  expect(run).toMatchObject({ result: 2, progress: { done: 2, of: 2 }, finishedAt: expect.any(String) });
  const waited = await remindAll(period, 'manager', { prefer: '' });
  expect([waited.status, waited.text]).toEqual([200, '2']);
  const list = await as('manager', 'GET', '/service-runs');
  expect([list.status, list.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const { result: _result, ...listed } = run;
  expect(list.json()).toContainEqual(listed);
});

// Asserts contract/services.md#long-running and contract/jobs.md#cancelling.
test('an active call is cancelled where it waits, and does nothing after that', async () => {
  const period = await shippedOn(2);
  const { id } = (await remindAll({ ...period, pauseSeconds: 60 })).json();
  await callInState(id, 'RUNNING');
  const path = `/service-runs/${id}`;
  expect((await as('manager', 'DELETE', path, { body: {} })).status).toBe(400);
  expect((await as('manager', 'DELETE', path)).status).toBe(204);
  const run = await callInState(id, 'CANCELLED');
  expect(run).not.toHaveProperty('result');
  expect((await as('manager', 'DELETE', path)).status).toBe(409);
});

// Asserts contract/services.md#long-running.
test('a call that fails has the error of a client that waits', async () => {
  const period = newDay();
  const waited = await remindAll(period, 'manager', { prefer: '' });
  expect([waited.status, waited.json().error]).toEqual([404, 'No orders']);
  const { id } = (await remindAll(period)).json();
  expect(await callInState(id, 'FAILED')).toMatchObject({ error: { status: 404, ...waited.json() } });
  const operator = await as('admin', 'GET', `/operations/job-runs/${id}`);
  expect(operator.json()).toMatchObject({ job: 'lintel.call', state: 'failed' });
  expect(operator.text).not.toMatch(/No order|2019-05/);
});

// Asserts contract/services.md#long-running.
test.each([
  ['a missing parameter', { from: '2019-05-01' }],
  ['a date of another form', { from: '2019-05-01', to: 'tomorrow' }],
  ['a pause above the maximum', { from: '2019-05-01', to: '2019-05-01', pauseSeconds: 61 }],
])('%s is refused before the call is accepted', async (_, body) => {
  const { status, headers } = await remindAll(body);
  expect([Math.floor(status / 100), headers.get('location')]).toEqual([4, null]);
});

// Asserts contract/services.md#long-running.
test('a client waits for methods that are not long, and a client without a user for all', async () => {
  const { id } = await shippedOrder({ email: newAddress() });
  const short = await remind(id, undefined, 'manager', { prefer: 'respond-async' });
  expect([short.status, short.headers.get('preference-applied')]).toEqual([200, null]);
  const { access_token } = (
    await tokenRequest(
      '/oauth2/token',
      { grant_type: 'client_credentials' },
      { authorization: basic('integration', 'secret') },
    )
  ).json();
  const headers = { authorization: `Bearer ${access_token}`, prefer: 'respond-async' };
  const { from, to } = await shippedOn(1);
  const waited = await send('POST', '/rest/services/sales_ReminderService/remindAll', { headers, body: { from, to } });
  expect([waited.status, waited.text]).toEqual([200, '1']);
});

// Asserts contract/services.md#long-running.
test('a call is its user’s alone', async () => {
  const period = await shippedOn(1);
  const { id } = (await remindAll(period)).json();
  for (const user of ['admin', 'clerk', 'auditor']) {
    for (const method of ['GET', 'DELETE']) expect((await as(user, method, `/service-runs/${id}`)).status).toBe(404);
    expect((await as(user, 'GET', '/service-runs')).text).not.toContain(id);
  }
  expect((await send('GET', `/rest/service-runs/${id}`)).status).toBe(401);
  await callInState(id, 'SUCCEEDED');
});

// Asserts contract/services.md#long-running.
test('a user has at most 20 calls that have not ended', async () => {
  const period = await shippedOn(1);
  const { token } = await newUser(['rest-minimal', 'sales-manager']);
  const headers = { authorization: `Bearer ${token}`, prefer: 'respond-async' };
  const sent = await Promise.all(
    Array.from({ length: 22 }, () => remindAll({ ...period, pauseSeconds: 60 }, 'manager', headers)),
  );
  expect(sent.filter(({ status }) => status === 202)).toHaveLength(20);
  const refused = sent.filter(({ status }) => status !== 202);
  expect(refused.map(({ status }) => status)).toEqual([429, 429]);
  for (const { status, json } of sent)
    if (status === 202)
      expect((await as('manager', 'DELETE', `/service-runs/${json().id}`, { headers })).status).toBe(204);
});
