import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { startApplication, type TestApplication } from './index.ts';

const GOLF = 'b0000000-0000-4000-8000-000000000001';
const CAR = {
  plate: 'X 1',
  vin: 'ZFA00000000000001',
  fuel: 'PETROL',
  make: 'Fiat',
  model: 'Panda',
  owner: { id: 'a0000000-0000-4000-8000-000000000001' },
};
const DAY_MS = 86_400_000;
const RealDate = Date;

let application: TestApplication;
beforeAll(async () => {
  application = await startApplication({
    application: '@lintel/example-garage',
    properties: { 'svc.webhooks.retry-delay': '10ms' },
  });
});
afterAll(() => application.stop());

const cars = '/entities/garage_Car';
const dayIn = (days: number): string => new RealDate(RealDate.now() + days * DAY_MS).toISOString().slice(0, 10);

describe('users', () => {
  test('those of the demo data have a client', async () => {
    const response = await application.as('desk').get(`${cars}/${GOLF}`);
    expect(response.status).toBe(200);
    expect(response.json()).toMatchObject({ _entityName: 'garage_Car', plate: 'B-NB 412' });
    expect((await application.as('mia').delete(`${cars}/${GOLF}`)).status).toBe(403);
  });

  test('one that is added has its roles', async () => {
    const clerk = await application.addUser({
      username: 'clerk',
      roles: ['rest-minimal', 'garage-mechanic'],
      rowLevelRoles: ['garage-own-jobs'],
      attributes: { email: 'clerk@example.com' },
    });
    expect((await clerk.get(cars)).json()).toHaveLength(2);
    const jobs: { mechanic?: unknown }[] = (await clerk.get('/entities/garage_Job?fetchPlan=_base')).json();
    expect(jobs.filter(({ mechanic }) => mechanic !== undefined)).toEqual([]);
    expect((await clerk.put(`${cars}/${GOLF}`, { mileage: 121_500 })).status).toBe(200);
  });

  test('one whose password nobody knows gets tokens', async () => {
    await application.data.create('sec_User', { username: 'silent', password: 'b7!kkJ2-fw', active: true });
    expect((await application.as('silent').get(cars)).status).toBe(403);
  });

  test('an unknown one is an error that names those there are', async () => {
    await expect(application.as('nobody').get(cars)).rejects.toThrow('There is no user nobody; there are admin, ');
  });

  test('requests without a token have the rights of anonymous', async () => {
    expect((await application.anonymous.get('/entities/garage_Part')).status).toBe(200);
    expect((await application.anonymous.get(cars)).status).toBe(401);
  });
});

test('bytes and texts are sent as they are', async () => {
  const desk = application.as('desk');
  const parts = { headers: { 'content-type': 'application/json' } };
  expect((await desk.send('PUT', `${cars}/${GOLF}`, { ...parts, body: '{"mileage":' })).status).toBe(400);
  const body = Buffer.from('{"mileage":121600}');
  expect((await desk.send('PUT', `${cars}/${GOLF}`, { ...parts, body })).status).toBe(200);
});

describe('events', () => {
  test('of a change arrive', async () => {
    application.events.clear();
    await application.as('desk').put(`${cars}/${GOLF}`, { mileage: 130_000 });
    const event = await application.events.next(({ type }) => type === 'data.entity.changed.v1');
    expect(event).toMatchObject({
      subject: `garage_Car/${GOLF}`,
      data: { change: 'updated', attributes: expect.arrayContaining(['mileage']), by: 'desk' },
    });
  });

  test('of the demo data do not', async () => {
    await application.reset();
    expect(application.events.list()).toEqual([]);
  });
});

describe('webhooks', () => {
  test('messages arrive, and are sent again after a refusal', async () => {
    const receiver = await application.addWebhook({
      entityName: 'garage_Car',
      changes: 'updated',
      owner: 'desk',
      filter: { conditions: [{ property: 'plate', operator: '=', value: 'B-NB 412' }] },
    });
    await application.as('desk').put(`${cars}/${GOLF}`, { mileage: 131_000 });
    const message = await receiver.messages.next();
    expect(message).toMatchObject({ data: { entity: 'garage_Car', id: GOLF, instance: { mileage: 131_000 } } });
    receiver.respondWith(503);
    await application.as('desk').put(`${cars}/${GOLF}`, { mileage: 132_000 });
    const refused = await receiver.messages.next();
    expect(refused.status).toBe(503);
    receiver.respondWith(204);
    const accepted = await receiver.messages.next(({ status }) => status === 204, 30_000);
    expect(accepted).toEqual({ ...refused, status: 204, timestamp: expect.any(String) });
  });

  test('a message with an invalid signature is refused', async () => {
    const receiver = await application.addWebhook({ entityName: 'garage_Car', owner: 'desk' });
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };
    expect((await fetch(receiver.url, { method: 'POST', headers, body: '{}' })).status).toBe(401);
    expect(receiver.messages.list()).toEqual([]);
  });
});

describe('time', () => {
  const overdue = async (): Promise<readonly string[]> =>
    (await application.as('desk').get('/queries/garage_Car/inspectionsOverdue'))
      .json<{ plate: string }[]>()
      .map(({ plate }) => plate);

  test('moves in this process and in statements, and ends with a reset', async () => {
    await application.reset();
    await application.as('desk').put(`${cars}/${GOLF}`, { inspectionDue: dayIn(20) });
    expect(await overdue()).not.toContain('B-NB 412');
    await application.travel({ days: 24, hours: 24, minutes: 1, seconds: 1 });
    expect(await overdue()).toContain('B-NB 412');
    const before = new Date();
    await application.as('desk').put(`${cars}/${GOLF}`, { mileage: 140_000 });
    const saved = await application.data.load('garage_Car', GOLF, {
      fetchPlan: { entity: 'garage_Car', properties: ['lastModifiedDate'] },
    });
    const at = Date.parse(`${saved?.['lastModifiedDate']}Z`);
    expect(at).toBeGreaterThanOrEqual(before.getTime());
    expect(at).toBeLessThanOrEqual(Date.now());
    expect(at).toBeGreaterThan(RealDate.now() + 24 * DAY_MS);
    await application.reset();
    expect(Math.abs(Date.now() - RealDate.now())).toBeLessThan(DAY_MS);
  });

  test('ends tokens', async () => {
    const desk = application.as('desk');
    const authorization = `Bearer ${await application.tokenOf('desk')}`;
    const status = async (): Promise<number> =>
      (await application.anonymous.send('GET', cars, { headers: { authorization } })).status;
    expect(await status()).toBe(200);
    await application.travel({ days: 400 });
    expect(await status()).toBe(401);
    expect((await desk.get(cars)).status).toBe(200);
  });
});

describe('a reset', () => {
  test('gives the data of the start, and forgets users and receivers', async () => {
    await application.reset();
    const desk = application.as('desk');
    const clerk = await application.addUser({ username: 'clerk', roles: ['rest-minimal', 'garage-desk'] });
    expect((await clerk.post(cars, CAR)).status).toBe(201);
    await desk.put(`${cars}/${GOLF}`, { mileage: 1_000_000 });
    const receiver = await application.addWebhook({ entityName: 'garage_Car', owner: 'desk' });
    await application.reset();
    const list: { plate: string; mileage: number }[] = (await desk.get(`${cars}?sort=plate&fetchPlan=_local`)).json();
    expect(list.map(({ plate, mileage }) => [plate, mileage])).toEqual([
      ['4821 KLM', 88_050],
      ['B-NB 412', 121_400],
    ]);
    await expect(clerk.get(cars)).rejects.toThrow('There is no user clerk');
    await expect(fetch(receiver.url)).rejects.toThrow('fetch failed');
  });
});

// Asserts contract/api-documents.md#explorer.
test('an application without its demo data has no users but those that are added', async () => {
  const empty = await startApplication({
    application: '@lintel/example-garage',
    demo: false,
    properties: { 'svc.rest.base-path': '/api', 'svc.rest.anonymous-url-patterns': '/nothing' },
  });
  try {
    const explorer = await fetch(`${empty.url}/api/docs`);
    expect([explorer.status, await explorer.text()]).toEqual([200, expect.stringContaining('data-client="explorer"')]);
    expect((await fetch(`${empty.url}/api/docs/openapiDetailed.json`)).status).toBe(401);
    const authorization = new URLSearchParams({
      response_type: 'code',
      client_id: 'explorer',
      redirect_uri: `${empty.url}/api/docs/explorer/oauth2-redirect.html`,
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    });
    const login = await fetch(`${empty.url}/oauth2/authorize?${authorization}`, { redirect: 'manual' });
    expect(login.headers.get('location')).toContain('/as-login');

    const boss = await empty.addUser({ username: 'boss', roles: ['system-full-access'] });
    expect((await boss.get(cars)).json()).toEqual([]);
    expect((await fetch(`${empty.url}/rest/entities/garage_Car`)).status).toBe(404);
  } finally {
    await empty.stop();
  }
});

test('stop removes everything', async () => {
  // Other processes make such folders at the same time.
  const folders = (): readonly string[] =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`lintel-application-${process.pid}-`));
  const before = folders();
  const other = await startApplication({ application: '@lintel/example-garage' });
  const own = folders().filter((name) => !before.includes(name));
  expect(own).toHaveLength(1);
  await other.stop();
  await other.stop();
  expect(folders()).toEqual(before);
  await expect(fetch(`${other.url}/rest/entities/garage_Car`)).rejects.toThrow('fetch failed');
  await expect(other.as('desk').get(cars)).rejects.toThrow('has been stopped');
});

test('an application that cannot start is an error, and leaves nothing behind', async () => {
  const start = startApplication({
    application: '@lintel/example-garage',
    properties: { 'svc.rest.default-max-page-size': 'many' },
  });
  await expect(start).rejects.toThrow('svc.rest.default-max-page-size');
});
