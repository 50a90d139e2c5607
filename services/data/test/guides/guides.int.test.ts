import { readFileSync } from 'node:fs';
import { cloneTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { createMailbox } from '../../src/index.ts';
import { type DataWithRelay, startWithRelay } from '../event-handlers/start-with-relay.ts';
import { schemaOf } from '../schema-of.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { clinic } from './clinic.ts';

const mailbox = createMailbox();
let database: TestDatabase;
let data: DataWithRelay;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  database = await cloneTestDatabase(schemaOf(clinic.model), 'guides');
  receiver = await startReceiver();
  process.env['CHAT_URL'] = `${receiver.url}/chat`;
  const webhooks = {
    'svc.webhooks.enabled': 'true',
    'svc.webhooks.allow-insecure-http': 'true',
    'svc.webhooks.allowed-networks': '127.0.0.0/8',
  };
  data = await startWithRelay(database, clinic, { admin: { resourceRoles: ['system-full-access'] } }, webhooks, {
    mailbox,
  });
  for (const [username, role] of [
    ['admin', 'system-full-access'],
    ['reminders', 'clinic-planner'],
  ] as const) {
    await post('/entities/sec_User', { username, active: true });
    await post('/entities/sec_RoleAssignment', { username, roleCode: role, roleType: 'resource' });
  }
});
afterAll(async () => {
  await data?.close();
  await receiver?.close();
  await database?.drop();
});

async function post(path: string, body: unknown): Promise<{ readonly id: string }> {
  const response = await data.send('admin', 'POST', path, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json();
}
const confirm = async (patient: string): Promise<string> => {
  const values = { patient, email: `${patient}@example.com`, status: 'REQUESTED' };
  const { id } = await post('/entities/clinic_Appointment', values);
  await change(id, 'CONFIRMED');
  return id;
};
const change = async (id: string, status: string): Promise<void> => {
  expect((await data.send('admin', 'PUT', `/entities/clinic_Appointment/${id}`, { status })).status).toBe(200);
};
const list = async (path: string) => (await data.send('admin', 'GET', path)).json();
const slots = () => list('/entities/clinic_FreeSlot');
const runsOf = async (job: string) => (await list(`/operations/job-runs?job=${job}`)).runs;

const pageOf = (name: string): string =>
  readFileSync(new URL(`../../../../docs/guide/${name}.md`, import.meta.url), 'utf8');
const blocksOf = (name: string, language: string): readonly string[] =>
  [...pageOf(name).matchAll(new RegExp(`\\\`\\\`\\\`${language}\\n(.*?)\\\`\\\`\\\``, 'gs'))].map(
    ([, code = '']) => code,
  );

test.each([
  ['events', 2],
  ['jobs', 2],
  ['notifications', 2],
])('the guide to %s shows this application', (name, count) => {
  const source = readFileSync(new URL('clinic.ts', import.meta.url), 'utf8');
  const blocks = blocksOf(name, 'ts').map((block) => block.replaceAll(/^import .*\n+/gm, '').trim());
  expect(blocks).toHaveLength(count);
  for (const block of blocks) expect(source).toContain(block);
});

test('each declaration of the guides to events and jobs, and the request of the webhook, has ten lines at most', () => {
  const declarations = ['events', 'jobs'].flatMap((name) =>
    blocksOf(name, 'ts').flatMap((block) => block.trim().split(/\n+(?=export )/)),
  );
  const requests = blocksOf('events', 'http').map((block) => block.trim());
  const lengths = [...declarations, ...requests].map((text) => text.split('\n').length);
  expect(lengths.length).toBeGreaterThan(8);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(10);
});

test('a handler queues the reminder of an appointment that was confirmed for the next day', async () => {
  const id = await confirm('ada');
  await eventually(async () => {
    const [run] = await runsOf('remind');
    expect(run).toMatchObject({ state: 'created' });
    expect(Date.parse(run.runAt)).toBeGreaterThan(Date.parse(run.queuedAt) + 80_000_000);
  });
  await change(id, 'CANCELLED');
  await eventually(async () => expect(await slots()).toHaveLength(1));
});

test('a cancelled appointment is a free slot, once, until a replay is requested as the guide shows', async () => {
  const before = (await slots()).length;
  const id = await confirm('bo');
  await change(id, 'CANCELLED');
  await eventually(async () => expect(await slots()).toHaveLength(before + 1));
  const [request = ''] = blocksOf('events', 'http').filter((block) => block.includes('replayFrom'));
  const [, method = '', path = '', body = ''] = /^(\w+) \/rest(\S+)\n(.*)/s.exec(request) ?? [];
  const all = { ...JSON.parse(body), replayFrom: '2020-01-01T00:00:00Z' };
  expect((await data.send('admin', method, path, all)).status).toBe(200);
  await eventually(async () => expect((await slots()).length).toBeGreaterThan(before + 1));
});

test('the nightly job sends a mail to each patient whose appointment is due, once', async () => {
  await confirm('eve');
  for (let night = 0; night < 2; night += 1) {
    await post('/operations/jobs/nightly-reminders/run', undefined);
    await eventually(
      async () => {
        const ended = (await runsOf('nightly-reminders')).filter(
          ({ state }: { state: string }) => state === 'completed',
        );
        expect(ended).toHaveLength(night + 1);
      },
      { timeoutMs: 30_000 },
    );
  }
  await eventually(() => expect(mailbox.list()).toHaveLength(1));
  expect(mailbox.list()[0]).toMatchObject({ to: 'eve@example.com', text: 'Dear eve, we expect you tomorrow.' });
});

test('a free slot notifies its planner, also by a channel, whose receiver fails once', async () => {
  receiver.fail('/chat', 1);
  const { id } = await post('/entities/clinic_FreeSlot', { appointment: 'x' });
  const key = `'%${id}%'`;
  expect(await database.query(`SELECT FROM sys.notification WHERE content LIKE ${key}`)).toHaveLength(1);
  const [run] = await runsOf('chat');
  expect(run.state).not.toBe('failed');
  const sent = await receiver.until('/chat', 2);
  expect(sent.map(({ body }) => JSON.parse(body).text)).toContain('reminders: An appointment was cancelled');
});

test('a write queues one run with its key', async () => {
  const { id } = await post('/entities/clinic_Visit', { notes: 'a' });
  expect((await data.send('admin', 'PUT', `/entities/clinic_Visit/${id}`, { notes: 'b' })).status).toBe(200);
  expect(await runsOf('follow-up')).toHaveLength(1);
});

test('the webhook of the guide sends that an appointment became confirmed', async () => {
  const [request = ''] = blocksOf('events', 'http').filter((block) => block.includes('sys_Webhook'));
  const [, path = '', body = ''] = /^POST \/rest(\S+)\n(.*)/s.exec(request) ?? [];
  await post(path, { ...JSON.parse(body), url: `${receiver.url}/confirmed` });
  const id = await confirm('cy');
  const [message] = await receiver.until('/confirmed', 1);
  expect(JSON.parse(message?.body ?? '')).toMatchObject({
    data: { entity: 'clinic_Appointment', change: 'updated', instance: { id, status: 'CONFIRMED' } },
  });
});
