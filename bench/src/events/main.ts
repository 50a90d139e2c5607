import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Envelope } from '@lintel/contracts';
import { createAmqpBus, createBatches, createOutboxRelay } from '@lintel/events';
import { createDatabase, createOutboxStore, createReceivedEvents, type OutboxEvent } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { createLogger } from '@lintel/telemetry';
import { provide } from '@lintel/testkit/backends';

/**
 * `npm run bench:events [-- --events 20000 --stored]`: how many events of an application go from the outbox through
 * RabbitMQ to a consumer in a second, and how long one takes from its commit to the consumer; with `--stored` the
 * consumer stores each event, as an application does. Relay and consumer are one process with one database.
 */
const { values } = parseArgs({
  options: { events: { type: 'string', default: '20000' }, stored: { type: 'boolean', default: false } },
});
const count = Number(values.events);
const TYPE = 'bench.happened.v1';
const SUBJECTS = 100;
const SINGLE_EVENTS = 500;

await using stack = new AsyncDisposableStack();
const backends = stack.adopt(await provide({ postgres: true, amqp: true }, console.error), (given) => given.stop());
const { LINTEL_TEST_POSTGRES_URL: url = '', LINTEL_TEST_AMQP_URL: broker = '' } = backends.environment;
await runMigrations({ url, migrations: [] });
const limits = { maxConnections: 4, statementTimeoutMs: 60_000, applicationName: 'lintel-bench' };
const database = stack.adopt(createDatabase({ url, ...limits }), (opened) => opened.close());
const clock = { now: () => Date.now() };
const logger = createLogger({ service: 'bench', level: 'error' });
const connection = { urls: [broker], service: 'bench', instanceId: 'one', clock, logger };
const prefetch = values.stored ? { prefetch: 50 } : {};
const bus = stack.adopt(await createAmqpBus({ ...connection, ...prefetch }), (opened) => opened.close());

const eventOf = (at: number): OutboxEvent => {
  const [id, subject] = [randomUUID(), `subject-${at % SUBJECTS}`];
  const described = { specversion: '1.0', id, source: '/bench', type: TYPE, subject };
  const content = { time: new Date().toISOString(), datacontenttype: 'application/json', data: { at } };
  return { id, type: TYPE, subject, envelope: { ...described, ...content } };
};
const append = (events: readonly OutboxEvent[]) =>
  database.transaction((transaction) => transaction.appendEvents(events));

const events = createReceivedEvents(database);
const store = createBatches(async (texts) => {
  await events.receive([...texts]);
  return new Map();
});
let received = 0;
const arrivals = new Map<string, number>();
await bus.subscribe({
  queue: { kind: 'work', name: 'events' },
  types: [TYPE],
  async handle(envelope: Envelope) {
    if (values.stored) await store(JSON.stringify(envelope));
    received += 1;
    arrivals.set(envelope.id, performance.now());
  },
});
await append(Array.from({ length: count }, (_, at) => eventOf(at)));
const relay = createOutboxRelay({ store: createOutboxStore(database), bus, logger, clock });
stack.defer(() => relay.stop());
const since = performance.now();
const usage = process.cpuUsage();
relay.start();
while (received < count) await sleep(5);
const seconds = (performance.now() - since) / 1_000;
const { user, system } = process.cpuUsage(usage);
console.log(
  `${count} events in ${seconds.toFixed(1)} s: ${(count / seconds).toFixed(0)} a second, ` +
    `${((user + system) / count).toFixed(0)} µs of processor time for each`,
);

const waits: number[] = [];
for (let at = 0; at < SINGLE_EVENTS; at += 1) {
  const event = eventOf(at);
  await append([event]);
  const committed = performance.now();
  while (!arrivals.has(event.id)) await sleep(1);
  waits.push((arrivals.get(event.id) ?? Number.NaN) - committed);
}
waits.sort((left, right) => left - right);
const part = (share: number): string => (waits[Math.ceil(waits.length * share) - 1] ?? Number.NaN).toFixed(1);
console.log(`From the commit to the consumer: ${part(0.5)} ms (p50), ${part(0.95)} ms (p95), ${part(1)} ms at most`);
