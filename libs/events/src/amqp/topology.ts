import { ownerOf } from '@lintel/contracts';
import type { Channel, ChannelModel } from 'amqplib';

/*
 * All exchanges and queues, with their arguments, in this one file. Declaring is idempotent; a broker that
 * has one of them with other arguments refuses, and the declaring process stays not ready.
 *
 *   <owner>.events          topic, durable; routing key = event type. Only the owner publishes to it.
 *   lintel.unroutable       alternate exchange of them all and its bounded queue: events without a consumer.
 *   <service>.<name>        work queue: quorum, one active consumer, so that events of a subject stay in order.
 *   <service>.<name>        job queue: quorum, its consumers share the work.
 *   (server-named)          replica queue: exclusive, deleted with the connection of its process.
 *   lintel.probe            exchange of a check of the installation and its queue, deleted with its connection.
 *   lintel.dead-letters     exclusive queue: the lock of the connection that looks at dead letters.
 *   <service>.dlx           gets refused events; the queue <service>.dead-letters is bound to it.
 */

const PROBE = 'lintel.probe';
const DEAD_LETTER_LOCK = 'lintel.dead-letters';
const UNROUTABLE = 'lintel.unroutable';
const UNROUTABLE_MAX_EVENTS = 1_000;

/**
 * Deliveries of one event before the broker dead-letters it. They count lost connections and crashed consumers:
 * attempts of a running consumer are counted by its retry policy.
 */
const MAX_DELIVERIES = 20;

export const exchangeOf = (owner: string): string => `${owner}.events`;
/** The name of a queue that the processes of a service share. */
export const workQueueOf = (service: string, name: string): string => `${service}.${name}`;
const deadLetterExchangeOf = (service: string): string => `${service}.dlx`;
export const deadLetterQueueOf = (service: string): string => `${service}.dead-letters`;

/** What is being declared on each connection. */
const declaring = new WeakMap<object, Map<string, Promise<void>>>();

/** Subscriptions that are made together wait for one declaration of what they share. */
function declareTogether(channel: Channel, name: string, declare: () => Promise<void>): Promise<void> {
  const open = declaring.get(channel.connection) ?? new Map<string, Promise<void>>();
  declaring.set(channel.connection, open);
  const declared = open.get(name) ?? declare().finally(() => open.delete(name));
  open.set(name, declared);
  return declared;
}

/** The exchange of an owner and its alternate exchange. */
export async function declareExchange(channel: Channel, owner: string): Promise<void> {
  await channel.assertExchange(UNROUTABLE, 'fanout', { durable: true });
  await channel.assertQueue(UNROUTABLE, {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', 'x-max-length': UNROUTABLE_MAX_EVENTS, 'x-overflow': 'drop-head' },
  });
  await channel.bindQueue(UNROUTABLE, UNROUTABLE, '');
  await channel.assertExchange(exchangeOf(owner), 'topic', { durable: true, alternateExchange: UNROUTABLE });
}

/** The queue that all replicas of a service share, one consuming at a time; returns its name. */
export const declareWorkQueue = (channel: Channel, service: string, name: string, types: readonly string[]) =>
  declareSharedQueue(channel, service, name, types, { 'x-single-active-consumer': true });

/** The queue that all replicas of a service consume at the same time; returns its name. */
export const declareJobQueue = (channel: Channel, service: string, name: string, types: readonly string[]) =>
  declareSharedQueue(channel, service, name, types, {});

async function declareSharedQueue(
  channel: Channel,
  service: string,
  name: string,
  types: readonly string[],
  consuming: Readonly<Record<string, boolean>>,
): Promise<string> {
  await declareTogether(channel, deadLetterExchangeOf(service), () => declareDeadLetters(channel, service));
  const queue = workQueueOf(service, name);
  await channel.assertQueue(queue, {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      ...consuming,
      'x-delivery-limit': MAX_DELIVERIES,
      'x-dead-letter-exchange': deadLetterExchangeOf(service),
      // A dead letter is removed here only after the target queue has stored it; this requires the overflow below.
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    },
  });
  await bind(channel, queue, types);
  return queue;
}

/** A queue of this process alone; returns its name, which the broker chose. */
export async function declareReplicaQueue(
  channel: Channel,
  service: string,
  types: readonly string[],
): Promise<string> {
  await declareTogether(channel, deadLetterExchangeOf(service), () => declareDeadLetters(channel, service));
  const { queue } = await channel.assertQueue('', {
    exclusive: true,
    autoDelete: true,
    durable: false,
    deadLetterExchange: deadLetterExchangeOf(service),
  });
  await bind(channel, queue, types);
  return queue;
}

/** An exchange and a queue without events: a login that can declare them may declare the others. Returns the queue. */
export async function declareProbe(channel: Channel): Promise<string> {
  await channel.assertExchange(PROBE, 'topic', { durable: false, autoDelete: true });
  const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true });
  await channel.bindQueue(queue, PROBE, '#');
  return queue;
}

async function declareDeadLetters(channel: Channel, service: string): Promise<void> {
  const exchange = deadLetterExchangeOf(service);
  const queue = deadLetterQueueOf(service);
  await channel.assertExchange(exchange, 'topic', { durable: true });
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await channel.bindQueue(queue, exchange, '#');
}

async function bind(channel: Channel, queue: string, types: readonly string[]): Promise<void> {
  for (const owner of new Set(types.map(ownerOf)))
    await declareTogether(channel, exchangeOf(owner), () => declareExchange(channel, owner));
  for (const type of types) await channel.bindQueue(queue, exchangeOf(ownerOf(type)), type);
}

/** @returns whether the connection has the lock of the dead letters now; it has it until it unlocks or ends */
export async function tryLockDeadLetters(model: ChannelModel): Promise<boolean> {
  const channel = await model.createChannel();
  channel.on('error', () => {}); // Thrown by the interrupted call.
  try {
    await channel.assertQueue(DEAD_LETTER_LOCK, { exclusive: true, durable: false });
    await channel.close();
    return true;
  } catch (error) {
    // RESOURCE_LOCKED: the queue is of another connection.
    if ((error as { code?: unknown }).code === 405) return false;
    throw error;
  }
}

/** Ends the lock. */
export async function unlockDeadLetters(model: ChannelModel): Promise<void> {
  const channel = await model.createChannel();
  await channel.deleteQueue(DEAD_LETTER_LOCK);
  await channel.close();
}
