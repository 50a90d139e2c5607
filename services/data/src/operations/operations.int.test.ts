import { defineApplication } from '@lintel/application';
import { createEnvelope, createInProcessBus } from '@lintel/events';
import { standardEntity, string } from '@lintel/metadata';
import { resourceRole, specificPolicy } from '@lintel/security';
import { eventually } from '@lintel/testkit';
import { type DataFixture, startData } from '../../test/data-fixture.ts';
import { openEventAdministration } from './open-event-administration.ts';

const PERMISSIONS = [
  'health.view',
  'configuration.view',
  'statements.view',
  'schema.view',
  'mailbox.view',
  'security-events.view',
  'identity-providers.view',
  'identity-providers.test',
  'dead-letters.view',
  'dead-letters.content.view',
  'dead-letters.manage',
];
const without = (permission: string): string => `without-${permission}`;
const application = defineApplication({
  id: 't',
  name: 'Operations',
  entities: [standardEntity('t_Note', { attributes: { text: string(50) } })],
  roles: PERMISSIONS.flatMap((permission) => [
    resourceRole(permission, {
      name: permission,
      policies: [specificPolicy('rest.enabled'), specificPolicy(permission)],
    }),
    resourceRole(without(permission), {
      name: without(permission),
      policies: ['rest.enabled', ...PERMISSIONS.filter((other) => other !== permission)].map(specificPolicy),
    }),
  ]),
});

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => quiet };
const bus = createInProcessBus({ logger: quiet });
let data: DataFixture;
beforeAll(async () => {
  const roles = PERMISSIONS.flatMap((permission) => [permission, without(permission)]);
  const users = Object.fromEntries(roles.map((role) => [role, { resourceRoles: [role] }]));
  const root = { root: { resourceRoles: ['system-full-access'] } };
  data = await startData(application, { ...users, ...root }, {}, undefined, { events: bus.administration });
});
afterAll(async () => {
  await bus.close();
  await data?.close();
});

// Asserts contract/operations.md#tasks.
test('tasks are counted as far as the caller may see them', async () => {
  const tasks = (user: string) => data.send(user, 'GET', '/operations/tasks');
  expect((await tasks('root')).json()).toEqual({ failedRuns: 0, deadLetters: 0, waitingReports: 0 });
  expect((await tasks('dead-letters.view')).json()).toEqual({ deadLetters: 0 });
  expect((await tasks(without('dead-letters.view'))).json()).toEqual({ waitingReports: 0 });
  expect((await tasks('schema.view')).status).toBe(403);
});

// Asserts contract/operations.md#tasks.
test('tasks that cannot be counted without the broker are null', async () => {
  const users = { root: { resourceRoles: ['system-full-access'] } };
  const events = openEventAdministration(['amqp://127.0.0.1:1']);
  const alone = await startData(application, users, {}, undefined, { events });
  try {
    const { status, json } = await alone.send('root', 'GET', '/operations/tasks');
    expect([status, json()]).toEqual([200, { failedRuns: 0, deadLetters: null, waitingReports: null }]);
  } finally {
    await alone.close();
  }
});

// Asserts contract/operations.md#permissions.
test.each([
  ['GET', '/operations/processes', 'health.view', 200],
  ['GET', '/operations/queues', 'health.view', 200],
  ['GET', '/operations/processes/none/settings', 'configuration.view', 404],
  ['GET', '/operations/slow-statements', 'statements.view', 200],
  ['GET', '/operations/schema', 'schema.view', 200],
  ['GET', '/operations/mailbox', 'mailbox.view', 200],
  ['GET', '/operations/dead-letters', 'dead-letters.view', 200],
  ['GET', '/operations/dead-letters/none', 'dead-letters.content.view', 404],
  ['POST', '/operations/dead-letters/none/retry', 'dead-letters.manage', 404],
  ['DELETE', '/operations/dead-letters/none', 'dead-letters.manage', 404],
])('%s %s needs %s, and nothing else is enough', async (method, path, permission, status) => {
  expect((await data.send(permission, method, path)).status).toBe(status);
  expect((await data.send(without(permission), method, path)).status).toBe(403);
});

// Asserts contract/operations.md#queues.
test('what waits in the outbox is counted', async () => {
  await data.send('root', 'POST', '/entities/t_Note', { text: 'waits' });
  const { outbox, deliveries } = (await data.send('root', 'GET', '/operations/queues')).json();
  expect(outbox.count).toBeGreaterThan(0);
  expect(deliveries).toEqual({ count: 0, oldestSeconds: 0 });
});

let isRefusing: boolean;
let handled: string[];
/** A subscription that refuses events, and the dead letter of one. */
async function refusedEvent(id: string) {
  isRefusing = true;
  handled = [];
  const subscription = await bus.forService('data').subscribe({
    queue: { kind: 'work', name: 'notes' },
    types: ['data.entity.changed.v1'],
    handle: async (event) => {
      if (isRefusing) throw Object.assign(new Error('no'), { retryable: false });
      handled.push(event.id);
    },
  });
  const change = { entity: 't_Note', id: 'n1', change: 'updated' as const, attributes: ['text'], by: 'maria' };
  const type = 'data.entity.changed.v1';
  await bus.publish([
    createEnvelope({ owner: 'data', type, subject: 't_Note/n1', data: change, id, time: new Date() }),
  ]);
  const letter = await eventually(async () => {
    const { letters } = (await data.send('root', 'GET', '/operations/dead-letters')).json();
    const found = letters.find((each: { id: string }) => each.id === id);
    if (found === undefined) throw new Error('not yet');
    return found;
  });
  return { subscription, letter };
}

// Asserts contract/operations.md#dead-letters.
test('a dead letter is listed without its content, read, retried and handled', async () => {
  const { subscription, letter } = await refusedEvent('event-1');
  expect(letter).toEqual({
    key: expect.any(String),
    service: 'data',
    id: 'event-1',
    type: 'data.entity.changed.v1',
    subject: 't_Note/n1',
    queue: 'data.notes',
    reason: 'rejected',
    time: expect.any(String),
  });
  const path = `/operations/dead-letters/${letter.key}`;
  const read = (await data.send('root', 'GET', path)).json();
  expect(JSON.parse(read.content).data).toMatchObject({ by: 'maria' });
  isRefusing = false;
  expect((await data.send('root', 'POST', `${path}/retry`)).status).toBe(204);
  await eventually(() => expect(handled).toEqual(['event-1']));
  expect((await data.send('root', 'POST', `${path}/retry`)).status).toBe(404);
  await subscription.close();
});

// Asserts contract/operations.md#dead-letters.
test('of retries at the same time one has an effect', async () => {
  const { subscription, letter } = await refusedEvent('event-3');
  isRefusing = false;
  const retry = () => data.send('root', 'POST', `/operations/dead-letters/${letter.key}/retry`);
  const statuses = (await Promise.all([retry(), retry(), retry()])).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([204, 404, 404]);
  await eventually(() => expect(handled).toEqual(['event-3']));
  await subscription.close();
});

// Asserts contract/operations.md#dead-letters.
test('a letter whose queue no longer exists returns 409 and kept', async () => {
  const { subscription, letter } = await refusedEvent('event-2');
  await subscription.close();
  const path = `/operations/dead-letters/${letter.key}`;
  const refused = await data.send('root', 'POST', `${path}/retry`);
  expect([refused.status, refused.json().error]).toEqual([409, 'The queue no longer exists']);
  expect((await data.send('root', 'DELETE', path)).status).toBe(204);
  expect((await data.send('root', 'GET', '/operations/dead-letters')).json()).toEqual({ total: 0, letters: [] });
});
