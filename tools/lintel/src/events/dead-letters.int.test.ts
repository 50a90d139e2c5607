import { createAmqpBus, createEnvelope, type EventBus } from '@lintel/events';
import { createLogger } from '@lintel/telemetry';
import { createTestVhost, eventually, type TestVhost } from '@lintel/testkit';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { discardDead, listDead, retryDead } from './dead-letters.ts';
import type { ChosenDeadLettersOptions } from './events.command.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
const TYPE = 'data.user.changed.v1';
const IDS = [1, 2, 3, 4].map((number) => `01928e2a-0000-7000-8000-00000000000${number}`);

let vhost: TestVhost;
let bus: EventBus;
let isRefusing = true;
let accepted: string[];
let variables: Readonly<Record<string, string>>;

beforeAll(async () => {
  vhost = await createTestVhost('cli_dead');
  variables = { SVC_BROKER_URLS: vhost.url };
  const clock = { now: () => Date.now() };
  bus = await createAmqpBus({ urls: [vhost.url], service: 'data', instanceId: 'test', clock, logger });
  await bus.subscribe({
    queue: { kind: 'work', name: 'listener' },
    types: [TYPE],
    handle: async ({ id }) => {
      if (isRefusing) throw Object.assign(new Error('no'), { retryable: false });
      accepted.push(id);
    },
  });
  await bus.publish(
    IDS.map((id) =>
      createEnvelope({
        owner: 'data',
        type: TYPE,
        subject: `user-${id.at(-1)}`,
        id,
        time: new Date(),
        data: { username: `user-${id.at(-1)}`, change: 'updated' },
      }),
    ),
  );
  await eventually(async () => expect(await listed()).toHaveLength(IDS.length));
});
afterAll(async () => {
  await bus.close();
  await vhost.drop();
});

const listed = async (): Promise<readonly { readonly id: string }[]> => {
  const terminal = fakeTerminal();
  await listDead({ json: true }, terminal, variables);
  return JSON.parse(terminal.output());
};

const retry = async (ids: readonly string[], options: ChosenDeadLettersOptions = {}) => {
  const terminal = fakeTerminal();
  const code = await retryDead(ids, options, terminal, variables);
  return { code, output: terminal.output() };
};

const discard = async (ids: readonly string[], options: ChosenDeadLettersOptions = {}) => {
  const terminal = fakeTerminal();
  await discardDead(ids, options, terminal, variables);
  return terminal.output();
};

test('dead letters are removed by id or all of a type', async () => {
  expect(await discard(IDS.slice(3))).toBe('1 event was removed.');
  expect(await discard([], { all: true, type: ['data.entity.changed.v1'] })).toBe('0 events were removed.');
  expect(await discard(IDS.slice(2, 3), { dryRun: true })).toContain(IDS[2]);
  expect((await listed()).map(({ id }) => id)).toEqual(IDS.slice(0, 3));
  expect(JSON.parse(await discard(IDS.slice(2, 3), { json: true }))).toMatchObject({ discarded: [{ id: IDS[2] }] });
});

test('dead letters are listed, and handled again by id or all of a type', async () => {
  const terminal = fakeTerminal();
  await listDead({ service: ['data'] }, terminal, variables);
  expect(terminal.output()).toMatch(/^Time +Queue +Type +Subject +Id +Reason\n/);
  expect(terminal.output()).toContain(`data.listener  ${TYPE}  user-1   ${IDS[0]}  rejected`);
  expect((await retry([], { all: true, dryRun: true })).output).toContain(IDS[1]);
  isRefusing = false;
  accepted = [];
  expect(await retry(IDS.slice(1, 2))).toEqual({ code: 0, output: '1 event was sent again.' });
  expect(await retry([], { all: true, type: ['data.entity.changed.v1'] })).toMatchObject({
    output: '0 events were sent again.',
  });
  expect(await listed()).toMatchObject([{ id: IDS[0], subject: 'user-1', queue: 'data.listener' }]);
  expect(await retry([], { all: true, type: [TYPE] })).toMatchObject({ output: '1 event was sent again.' });
  await eventually(() => expect(accepted).toEqual([IDS[1], IDS[0]]));
  expect(await listed()).toEqual([]);
});

test.each<[readonly string[], ChosenDeadLettersOptions, string]>([
  [[], {}, 'No event is named'],
  [['x'], { all: true }, 'Ids exclude --all and --type'],
  [['x'], {}, 'There is no dead letter x'],
  [[], { all: true, service: ['dta'] }, 'There is no service dta'],
])('%j with %j is refused', async (ids, options, problem) => {
  await expect(retry(ids, options)).rejects.toThrow(problem);
  await expect(discard(ids, options)).rejects.toThrow(problem);
});

// Asserts contract/events.md#other-applications.
test('dead letters of the broker that applications share are listed and removed', async () => {
  const shared = await createTestVhost('cli_shared');
  const clock = { now: () => Date.now() };
  const received = await createAmqpBus({ urls: [shared.url], service: 'sales', instanceId: 'test', clock, logger });
  try {
    await received.subscribe({
      queue: { kind: 'work', name: 'received' },
      types: ['dispatch.shipment-changed.v1'],
      handle: () => Promise.reject(Object.assign(new Error('no'), { retryable: false })),
    });
    const members = { specversion: '1.0', source: '/dispatch', datacontenttype: 'application/json' } as const;
    const about = { type: 'dispatch.shipment-changed.v1', subject: 's', time: '2026-01-01T00:00:00Z' };
    await received.publish([{ ...members, ...about, id: 'refused', data: {} }]);
    const options = { exchange: true, application: '@lintel/example-sales', json: true };
    const own = { ...variables, SVC_EVENTS_BROKER_URLS: shared.url };
    const exchanged = async () => {
      const terminal = fakeTerminal();
      await listDead(options, terminal, own);
      return JSON.parse(terminal.output());
    };
    await eventually(async () => expect(await exchanged()).toMatchObject([{ id: 'refused', queue: 'sales.received' }]));
    await discardDead(['refused'], options, fakeTerminal(), own);
    expect(await exchanged()).toEqual([]);
    await expect(listDead(options, fakeTerminal(), variables)).rejects.toThrow('No RabbitMQ is configured');
  } finally {
    await received.close();
    await shared.drop();
  }
});

test('without RabbitMQ, and where it is away, the error says what to do', async () => {
  const terminal = fakeTerminal();
  const application = '@lintel/example-sales';
  await expect(listDead({ application }, terminal, {})).rejects.toThrow('No RabbitMQ is configured');
  await expect(listDead({}, terminal, { SVC_BROKER_URLS: 'amqp://127.0.0.1:1' })).rejects.toThrow(
    'RabbitMQ cannot be used: connect ECONNREFUSED',
  );
});
