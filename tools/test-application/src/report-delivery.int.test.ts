import { readFileSync } from 'node:fs';
import { startApplication, type TestApplication } from './index.ts';

let garage: TestApplication;
beforeAll(async () => {
  garage = await startApplication({ application: '@lintel/example-garage' });
});
afterAll(() => garage.stop());

const DELIVERIES = '/entities/sys_ReportDelivery';
const WEEKLY = {
  name: 'Turnover of the week',
  report: 'turnover',
  parameters: [
    { name: 'from', value: '2020-01-01T00:00:00' },
    { name: 'to', value: '2100-01-01T00:00:00' },
  ],
  recipients: 'boss@example.com, office@example.com',
  schedule: '30 6 * * 1',
  timeZone: 'Europe/Berlin',
  locale: 'de',
};

async function create(values: object = {}): Promise<string> {
  const response = await garage.as('desk').post(DELIVERIES, { ...WEEKLY, ...values });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
}
const sent = async () => (await garage.mails()).filter(({ subject }) => subject === WEEKLY.name);
const stateOf = async (id: string) => (await garage.as('desk').get(`${DELIVERIES}/${id}?fetchPlan=_local`)).json();

// Asserts contract/mail.md#reports.
test('a report on a schedule is sent to its receivers with the rights of its owner, once for each time', async () => {
  const id = await create();
  expect(await stateOf(id)).toMatchObject({ owner: 'desk', nextRun: expect.stringMatching(/T0[45]:30:00/) });
  await garage.travel({ days: 7 });
  const mails = await sent();
  expect(mails.map(({ to, subject, attachments }) => [to, subject, attachments?.map(({ name }) => name)])).toEqual([
    ['boss@example.com', 'Turnover of the week', ['turnover.csv']],
    ['office@example.com', 'Turnover of the week', ['turnover.csv']],
  ]);
  const [{ text, attachments } = {}] = mails;
  expect(text).toContain('ist angehängt');
  expect(Buffer.from(attachments?.[0]?.content ?? []).toString()).toContain('Invoices');
  expect(await stateOf(id)).toMatchObject({ lastSent: expect.any(String) });
  await garage.travel({ hours: 1 });
  expect(await sent()).toHaveLength(2);
  expect((await garage.as('desk').put(`${DELIVERIES}/${id}`, { active: false })).status).toBe(200);
  await garage.travel({ days: 7 });
  expect(await sent()).toHaveLength(2);
});

// Asserts contract/mail.md#reports.
test('the owner has a report sent before its next time, and no later than it', async () => {
  await garage.reset();
  const id = await create();
  const { nextRun } = await stateOf(id);
  const set = async (time: string) =>
    expect((await garage.as('desk').put(`${DELIVERIES}/${id}`, { nextRun: time })).status).toBe(200);
  await set('2100-01-01T00:00:00.000');
  expect((await stateOf(id)).nextRun).toBe(nextRun);
  await set('2020-01-01T00:00:00.000');
  // Its run is queued already: it does not wait for the job that looks each minute.
  expect((await stateOf(id)).nextRun).toBe(nextRun);
  // Another change before the report is sent does not take that back.
  expect((await garage.as('desk').put(`${DELIVERIES}/${id}`, { locale: 'en' })).status).toBe(200);
  await garage.travel({ minutes: 1 });
  expect(await sent()).toHaveLength(2);
  expect((await stateOf(id)).nextRun).toBe(nextRun);
  // The time that was set before is another run.
  await set('2020-01-01T00:00:00.000');
  await garage.travel({ minutes: 1 });
  expect(await sent()).toHaveLength(4);
});

test('the request of the guide to mail has a report sent to its receivers', async () => {
  await garage.reset();
  const page = readFileSync(new URL('../../../docs/guide/mail.md', import.meta.url), 'utf8');
  const [, path = '', body = ''] = /^curl \S+\/rest(\S+) .*?-d '(.*?)'$/ms.exec(page) ?? [];
  expect((await garage.as('desk').post(path, JSON.parse(body))).status).toBe(201);
  await garage.travel({ days: 7 });
  expect(await sent()).toEqual([
    expect.objectContaining({
      to: 'boss@example.com',
      attachments: [expect.objectContaining({ name: 'turnover.csv' })],
    }),
  ]);
});

// Asserts contract/mail.md#reports.
test('a report that is refused is not sent; its delivery says why, without values', async () => {
  await garage.reset();
  const unknown = await create({ report: 'unknown' });
  const wrong = await create({ parameters: [{ name: 'from', value: 'secret' }] });
  await garage.travel({ days: 7 });
  expect(await sent()).toEqual([]);
  expect((await stateOf(unknown)).lastError).toBe('404 Entity not found');
  expect((await stateOf(wrong)).lastError).toBe('400 Invalid parameter value');
  const { notifications } = (await garage.as('desk').get('/user-session/notifications')).json();
  expect(notifications).toHaveLength(2);
  expect(notifications[0]).toMatchObject({
    title: 'Turnover of the week could not be sent',
    link: { type: 'entity', entityName: 'sys_ReportDelivery', id: expect.any(String) },
  });
});

// Asserts contract/mail.md#reports.
test('a user who is not active any more has no reports', async () => {
  const former = await garage.addUser({ username: 'former', roles: ['rest-minimal', 'garage-desk'] });
  const id = (await former.post(DELIVERIES, WEEKLY)).json().id;
  const filter = { conditions: [{ property: 'username', operator: '=', value: 'former' }] };
  const [user] = await garage.data.loadList('sec_User', { filter });
  await garage.data.update('sec_User', user?.id, { active: false });
  await garage.travel({ days: 7 });
  expect((await stateOf(id)).lastError).toBe('REQ_NOT_FOUND');
});

// Asserts contract/mail.md#reports.
test('only the owner changes a report on a schedule', async () => {
  const id = await create();
  const other = await garage.addUser({ username: 'other', roles: ['rest-minimal', 'garage-desk'] });
  const change = await other.put(`${DELIVERIES}/${id}`, { recipients: 'other@example.com' });
  expect(change.status).toBe(403);
  const taken = await garage.as('desk').put(`${DELIVERIES}/${id}`, { owner: 'admin', nextRun: null });
  expect(await stateOf(id)).toMatchObject({ owner: 'desk', nextRun: expect.any(String) });
  expect(taken.status).toBeLessThan(500);
});

// Asserts contract/mail.md#reports.
test('a key of a user, which may have fewer roles, gets no reports with the rights of the user', async () => {
  const desk = ['rest-minimal', 'garage-desk'];
  const admin = await garage.addUser({ username: 'with-key', roles: ['system-full-access', ...desk] });
  const created = await admin.post('/api-keys', { name: 'counter', resourceRoles: desk });
  expect(created.status).toBe(201);
  const headers = { authorization: `Bearer ${created.json().key}` };
  const refused = await garage.anonymous.send('POST', DELIVERIES, { headers, body: WEEKLY });
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('with a login')]);
  const id = (await admin.post(DELIVERIES, WEEKLY)).json().id;
  const body = { recipients: 'other@example.com' };
  expect((await garage.anonymous.send('PUT', `${DELIVERIES}/${id}`, { headers, body })).status).toBe(403);
});

// Asserts contract/mail.md#reports.
test('another user with the name of a former owner sends none of the reports of that owner', async () => {
  await garage.reset();
  const roles = ['rest-minimal', 'garage-desk'];
  const former = await garage.addUser({ username: 'successor', roles });
  const id = (await former.post(DELIVERIES, WEEKLY)).json().id;
  const filter = { conditions: [{ property: 'username', operator: '=', value: 'successor' }] };
  const [user] = await garage.data.loadList('sec_User', { filter });
  await garage.data.update('sec_User', user?.id, { username: 'married' });
  const present = await garage.addUser({ username: 'successor', roles });
  await garage.travel({ days: 7 });
  expect(await sent()).toEqual([]);
  expect((await stateOf(id)).lastError).toBe('REQ_NOT_FOUND');
  expect((await present.put(`${DELIVERIES}/${id}`, { recipients: 'other@example.com' })).status).toBe(403);
});

// Asserts contract/mail.md#reports.
test('a user has at most 50 active reports, also of one request', async () => {
  await garage.reset();
  const many = await garage.addUser({ username: 'many', roles: ['rest-minimal', 'garage-desk'] });
  const refused = await many.post(
    DELIVERIES,
    Array.from({ length: 51 }, () => WEEKLY),
  );
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('.active","invalidValue"')]);
  const inactive = Array.from({ length: 51 }, (_, at) => ({ ...WEEKLY, active: at < 50 }));
  expect((await many.post(DELIVERIES, inactive)).status).toBe(201);
});

// Asserts contract/mail.md#reports.
test('a user has at most 50 active reports, also of requests at the same time', async () => {
  await garage.reset();
  const several = await garage.addUser({ username: 'several', roles: ['rest-minimal', 'garage-desk'] });
  const half = Array.from({ length: 25 }, () => WEEKLY);
  const statuses = await Promise.all(
    [half, half, half, half].map(async (body) => (await several.post(DELIVERIES, body)).status),
  );
  expect(statuses.toSorted()).toEqual([201, 201, 400, 400]);
});

// Asserts contract/mail.md#reports.
test.each([
  [{ locale: 'xx' }, 'locale'],
  [{ locale: 'de\n' }, 'locale'],
  [{ schedule: '* * * * *' }, 'schedule'],
  [{ schedule: '*/5 * * * *' }, 'schedule'],
  [{ schedule: '0 0 30 2 *' }, 'schedule'],
  [{ schedule: 'daily' }, 'schedule'],
  [{ timeZone: 'Berlin' }, 'timeZone'],
  [{ recipients: 'boss' }, 'recipients'],
  [{ recipients: Array.from({ length: 21 }, (_, at) => `a${at}@example.com`).join(',') }, 'recipients'],
  [{ parameters: [{ value: 1 }] }, 'parameters'],
  [{ parameters: [{ name: 'x'.repeat(20_001) }] }, 'parameters'],
])('%o is refused', async (values, path) => {
  const response = await garage.as('desk').post(DELIVERIES, { ...WEEKLY, ...values });
  expect(response.status).toBe(400);
  expect(response.text).toContain(`"path":"${path}`);
});
