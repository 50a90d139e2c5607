import { eventually } from '@lintel/testkit';
import { as, createOrder, query, send, unique } from '../api.ts';
import { newUser } from '../new-user.ts';
import {
  ALL_REMINDERS,
  inState,
  newAddress,
  queuedBy,
  REMINDER,
  RUNS,
  remind,
  removeOrders,
  runOf,
  shippedOrder,
} from './reminders.ts';

afterAll(removeOrders);

const [LATER, MUCH_LATER] = ['2099-01-01T10:00:00.000Z', '2099-02-01T10:00:00.000Z'] as const;

const newestRun = async (): Promise<string | undefined> =>
  (await as('admin', 'GET', `${RUNS}${query({ job: REMINDER, limit: 1 })}`)).json().runs[0]?.id;
const post = async (path: string, user = 'admin'): Promise<number> => (await as(user, 'POST', path)).status;

/** The headers of a user who may only do what the permissions are for. */
async function operatorWith(...permissions: readonly string[]) {
  const code = unique('jobs');
  const body = {
    ...{ name: code, code, scopes: ['API'], childRoles: ['rest-minimal'] },
    resourcePolicies: permissions.map((resource) => ({ type: 'specific', resource, action: 'access' })),
  };
  expect((await as('admin', 'POST', '/entities/sec_ResourceRole', { body })).status).toBe(201);
  return { authorization: `Bearer ${(await newUser([code])).token}` };
}

// Asserts contract/operations.md#jobs, contract/jobs.md#declaration and #schedules.
test('jobs are listed with their schedules and their next times', async () => {
  const { status, json } = await as('admin', 'GET', '/operations/jobs');
  expect(status).toBe(200);
  const weekly = {
    name: ALL_REMINDERS,
    schedule: '0 7 * * 1',
    timeZone: 'Europe/Berlin',
    next: expect.any(String),
    paused: false,
  };
  expect(json()).toEqual(
    expect.arrayContaining([weekly, { name: REMINDER, schedule: null, timeZone: null, next: null, paused: false }]),
  );
  const { next } = json().find(({ name }: { name: string }) => name === ALL_REMINDERS);
  const TIME = { weekday: 'long', hour: '2-digit', minute: '2-digit' } as const;
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', ...TIME });
  expect(time.format(new Date(next))).toBe('Monday 07:00');
});

// Asserts contract/jobs.md#enqueue.
test('a run is queued with the transaction of its call: not by one that fails, and not by a rehearsal', async () => {
  const order = await createOrder();
  const before = await newestRun();
  const refused = await remind(order);
  expect([refused.status, refused.json().error]).toEqual([404, 'Order not found']);
  const { id } = await shippedOrder({ email: newAddress() });
  expect((await remind(id, LATER, 'manager', { prefer: 'tx=rollback' })).status).toBe(200);
  expect(await newestRun()).toBe(before);
  const run = await queuedBy(remind(id, LATER));
  expect(await newestRun()).toBe(run);
  expect((await runOf(run)).json()).toMatchObject({ job: REMINDER, state: 'created', attempts: 0, runAt: LATER });
});

// Asserts contract/jobs.md#enqueue and #cancelling.
test('a key is one run, until the application cancels the run that waits', async () => {
  const { id } = await shippedOrder({ email: newAddress() });
  const waiting = await queuedBy(remind(id, LATER));
  expect(await Promise.all([1, 2, 3].map(() => queuedBy(remind(id))))).toEqual([waiting, waiting, waiting]);
  await queuedBy(remind(id, MUCH_LATER));
  const { runs } = (await as('admin', 'GET', `${RUNS}${query({ job: REMINDER, state: 'created' })}`)).json();
  expect(runs.filter((run: { id: string }) => run.id === waiting)).toMatchObject([{ runAt: MUCH_LATER }]);
  expect(await post(`${RUNS}/${waiting}/cancel`)).toBe(204);
  const run = await queuedBy(remind(id));
  await inState(run, 'completed');
  expect(await queuedBy(remind(id))).toBe(run);
});

// Asserts contract/operations.md#jobs and contract/jobs.md#cancelling.
test('a run that waits is removed, and one that is complete is neither cancelled nor repeated', async () => {
  const { id } = await shippedOrder({ email: newAddress() });
  const waiting = await queuedBy(remind(id, LATER));
  expect(await post(`${RUNS}/${waiting}/retry`)).toBe(409);
  expect(await post(`${RUNS}/${waiting}/cancel`)).toBe(204);
  for (const action of ['cancel', 'retry']) expect(await post(`${RUNS}/${waiting}/${action}`)).toBe(404);
  const run = await queuedBy(remind(id));
  const ended = await inState(run, 'completed');
  expect(ended).toMatchObject({ attempts: 1, error: null, startedAt: expect.any(String), endedAt: expect.any(String) });
  for (const action of ['cancel', 'retry']) expect(await post(`${RUNS}/${run}/${action}`)).toBe(409);
});

// Asserts contract/jobs.md#rights.
test('a run reads with the rights of its job, not of the caller who queued it', async () => {
  const address = { country: 'DE' };
  const { id } = await shippedOrder({ email: newAddress(), address });
  expect((await as('clerk', 'GET', `/entities/sales_Order/${id}`)).text).not.toContain('@example.com');
  await inState(await queuedBy(remind(id, undefined, 'clerk')), 'completed');
  const { id: abroad } = await shippedOrder({ email: newAddress(), address: { country: 'FR' } });
  expect((await remind(abroad, undefined, 'clerk')).status).toBe(404);
  expect((await remind(id, undefined, 'viewer')).status).toBe(403);
});

// Asserts contract/jobs.md#attempts and contract/operations.md#jobs.
test('a run that fails is tried again, and operators repeat it when its cause is gone', async () => {
  const { id, customerId } = await shippedOrder({});
  const run = await queuedBy(remind(id));
  const failed = await inState(run, 'failed');
  expect(failed).toMatchObject({ attempts: 2, error: expect.stringMatching(/^RestError: the log/) });
  expect(JSON.stringify(failed)).not.toContain('e-mail');
  const { runs } = (await as('admin', 'GET', `${RUNS}${query({ state: 'failed', job: REMINDER })}`)).json();
  expect(runs).toContainEqual(failed);
  const body = { email: newAddress() };
  expect((await as('admin', 'PUT', `/entities/sales_Customer/${customerId}`, { body })).status).toBe(200);
  expect(await post(`${RUNS}/${run}/retry`)).toBe(204);
  expect(await inState(run, 'completed')).toMatchObject({ error: null });
});

// Asserts contract/operations.md#jobs and contract/jobs.md#progress.
test('operators run a job of the application now, and follow its progress', async () => {
  const date = new Date(Date.now() - 45 * 86_400_000).toISOString().slice(0, 10);
  await shippedOrder({ email: newAddress() }, { date });
  const path = `/operations/jobs/${ALL_REMINDERS}/run`;
  expect((await as('admin', 'POST', path, { body: { orderId: 'x' } })).status).toBe(400);
  for (const other of ['none', 'lintel.mail', 'lintel.call'])
    expect(await post(`/operations/jobs/${other}/run`)).toBe(404);
  const { status, json } = await as('admin', 'POST', path);
  expect(status).toBe(201);
  const { progress } = await inState(json().id, 'completed');
  expect(progress.of).toBeGreaterThan(0);
  expect(progress.done).toBe(progress.of);
  const empty = await as('admin', 'POST', `/operations/jobs/${REMINDER}/run`);
  await inState(empty.json().id, 'completed');
});

// Asserts contract/operations.md#jobs and contract/jobs.md#pausing.
test('operators pause a job, whose runs wait until they resume it', async () => {
  const job = `/operations/jobs/${ALL_REMINDERS}`;
  const isPaused = async () =>
    (await as('admin', 'GET', '/operations/jobs')).json().find(({ name }: { name: string }) => name === ALL_REMINDERS)
      .paused;
  for (const action of ['pause', 'resume']) {
    expect((await as('admin', 'POST', `${job}/${action}`, { body: {} })).status).toBe(400);
    expect(await post(`/operations/jobs/none/${action}`)).toBe(404);
    expect(await post(`${job}/${action}`, 'manager')).toBe(403);
  }
  const operator = await operatorWith(`jobs.manage.${ALL_REMINDERS}`);
  const change = async (path: string) => (await as('admin', 'POST', path, { headers: operator })).status;
  expect(await change(`/operations/jobs/${REMINDER}/pause`)).toBe(404);
  try {
    for (const _ of [1, 2]) expect(await change(`${job}/pause`)).toBe(204);
    expect(await isPaused()).toBe(true);
    const { id } = await eventually(async () => {
      const run = (await as('admin', 'POST', `${job}/run`)).json();
      const { id: order } = await shippedOrder({ email: newAddress() });
      await inState(await queuedBy(remind(order)), 'completed');
      expect((await runOf(run.id)).json()).toMatchObject({ state: 'created' });
      return run;
    });
    for (const _ of [1, 2]) expect(await change(`${job}/resume`)).toBe(204);
    await inState(id, 'completed');
    expect(await isPaused()).toBe(false);
  } finally {
    await post(`${job}/resume`);
  }
});

// Asserts contract/operations.md#jobs.
test('runs are listed in pages, and wrong parameters are named', async () => {
  const { id } = await shippedOrder({ email: newAddress() });
  const older = await queuedBy(remind(id));
  await inState(older, 'completed');
  const { id: other } = await shippedOrder({ email: newAddress() });
  const newer = await queuedBy(remind(other));
  const page = async (parameters: object) =>
    (await as('admin', 'GET', `${RUNS}${query({ job: REMINDER, limit: 1, ...parameters })}`)).json();
  const first = await page({});
  const second = await page({ after: first.next });
  expect([first.runs[0].id, second.runs[0].id]).toEqual([newer, older]);
  for (const [parameters, status, name] of [
    [{ state: 'ended' }, 400, 'state'],
    [{ limit: 201 }, 400, 'limit'],
    [{ after: 'x' }, 400, 'after'],
    [{ job: 'none' }, 404, 'job'],
  ] as const) {
    const wrong = await as('admin', 'GET', `${RUNS}${query(parameters)}`);
    expect([wrong.status, wrong.text]).toEqual([status, expect.stringContaining(name)]);
  }
  await inState(newer, 'completed');
});

// Asserts contract/operations.md#jobs and contract/roles.md#specific.
test('others see no runs, and operators of one job know no other one', async () => {
  const { id } = await shippedOrder({ email: newAddress() });
  const run = await queuedBy(remind(id, LATER));
  for (const path of [RUNS, `${RUNS}/${run}`, '/operations/jobs']) {
    for (const user of ['manager', 'viewer']) expect((await as(user, 'GET', path)).status).toBe(403);
    expect((await send('GET', `/rest${path}`)).status).toBe(401);
  }
  expect(await post(`${RUNS}/${run}/cancel`, 'manager')).toBe(403);
  const [reader, stranger, operator] = await Promise.all([
    operatorWith(`jobs.read.${REMINDER}`),
    operatorWith(`jobs.read.${ALL_REMINDERS}`, `jobs.manage.${ALL_REMINDERS}`),
    operatorWith(`jobs.read.${REMINDER}`, `jobs.manage.${REMINDER}`),
  ]);
  const asUser = (headers: Record<string, string>, path: string, method = 'GET') =>
    as('admin', method, path, { headers });
  expect((await asUser(reader, '/operations/jobs')).json()).toMatchObject([{ name: REMINDER }]);
  const found = (await asUser(reader, `${RUNS}/${run}`)).json();
  expect(found).toMatchObject({ id: run, state: 'created' });
  expect(JSON.stringify(found)).not.toContain(id);
  expect((await asUser(reader, `${RUNS}/${run}/cancel`, 'POST')).status).toBe(403);
  expect((await asUser(stranger, `${RUNS}/${run}`)).status).toBe(404);
  expect((await asUser(stranger, `${RUNS}/${run}/cancel`, 'POST')).status).toBe(404);
  expect((await asUser(stranger, `${RUNS}?job=${REMINDER}`)).status).toBe(404);
  expect((await asUser(stranger, RUNS)).text).not.toContain(run);
  expect((await asUser(operator, `${RUNS}/${run}/cancel`, 'POST')).status).toBe(204);
});
