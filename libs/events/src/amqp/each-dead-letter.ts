import { setTimeout as sleep } from 'node:timers/promises';
import { type ChannelModel, type ConfirmChannel, connect, type GetMessage, type Replies } from 'amqplib';
import type { DeadLetter } from '../administration/event-administration.ts';
import { busUnavailable } from '../bus-unavailable.ts';
import { decodeEnvelope } from '../delivery/envelope-codec.ts';
import type { DeadLetterOptions } from './dead-letters.ts';
import { deadLetterQueueOf, tryLockDeadLetters, unlockDeadLetters } from './topology.ts';

/** Between two attempts to get the lock. */
const LOCK_RETRY_MS = 50;

/**
 * A quorum queue drops what was delivered and returned too often: RabbitMQ 4 after 20 times. A letter that was looked at
 * so often is therefore replaced by a copy.
 */
const RENEW_AFTER_DELIVERIES = 10;

/** Headers in which RabbitMQ counts the deliveries of one message. */
export const DELIVERIES = /^x-(delivery|acquired)-count$/;

/** Which letters are visited. */
export interface VisitLimits {
  /** The oldest ones of each service; with 0 they are only counted, also while another process looks at them. */
  readonly maxPerService?: number;
  /** Asked before each letter; where it is true, no further letter is read. */
  readonly isDone?: () => boolean;
}

/** @returns whether the letter is removed */
export type VisitDeadLetter = (letter: DeadLetter, message: GetMessage, channel: ConfirmChannel) => Promise<boolean>;

/**
 * Calls `visit` for each letter that was there at the beginning, within the limits. A letter for
 * which it returns true is removed; the others are returned to the queue at the end, in their order. Only one process
 * at a time does so: letters that another one looks at would be missing.
 *
 * @returns how many letters there were
 */
export async function eachDeadLetter(
  options: DeadLetterOptions,
  visit: VisitDeadLetter,
  limits: VisitLimits = {},
): Promise<number> {
  const model = await connectToOne(options);
  const isCount = limits.maxPerService === 0;
  try {
    if (!isCount) await lock(model, options);
    let total = 0;
    for (const service of options.services) {
      // A service that has never subscribed has no queue.
      const count = (await stateOf(model, deadLetterQueueOf(service)))?.messageCount ?? 0;
      total += count;
      if (count > 0 && !isCount)
        await visitQueue(
          model,
          service,
          { ...limits, maxPerService: Math.min(count, limits.maxPerService ?? count) },
          visit,
        );
    }
    if (!isCount) await unlockDeadLetters(model);
    return total;
  } finally {
    await model.close().catch(() => {});
  }
}

async function visitQueue(
  model: ChannelModel,
  service: string,
  { maxPerService = 0, isDone }: VisitLimits,
  visit: VisitDeadLetter,
): Promise<void> {
  if (isDone?.() === true) return;
  const queue = deadLetterQueueOf(service);
  const channel = await model.createConfirmChannel();
  channel.on('error', () => {}); // Thrown by the interrupted call.
  for (let at = 0; at < maxPerService && isDone?.() !== true; at += 1) {
    const message = await channel.get(queue);
    if (message === false) break;
    const isRemoved =
      (await visit(letterOf(service, message), message, channel)) || (await renew(channel, queue, message));
    if (isRemoved) channel.ack(message);
  }
  // The next one that gets the lock finds again what was not acknowledged.
  channel.nackAll(true);
  await channel.checkQueue(queue);
  await channel.close();
}

async function renew(channel: ConfirmChannel, queue: string, message: GetMessage): Promise<boolean> {
  if (Number(message.properties.headers?.['x-delivery-count'] ?? 0) < RENEW_AFTER_DELIVERIES) return false;
  return publishTo(channel, queue, message, headersWithout(message, DELIVERIES));
}

/** @throws PlatformError BUS_UNAVAILABLE */
async function lock(model: ChannelModel, { timeoutMs }: DeadLetterOptions): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!(await tryLockDeadLetters(model))) {
    if (performance.now() > endMs) throw busUnavailable('The dead letters are in use by another process');
    await sleep(LOCK_RETRY_MS);
  }
}

/** The headers of a message but those that match. */
export const headersWithout = (
  { properties }: GetMessage,
  ...excluded: readonly RegExp[]
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(properties.headers ?? {}).filter(([name]) => !excluded.some((pattern) => pattern.test(name))),
  );

/** A connection to the first node that accepts one. */
export async function connectToOne({ urls, timeoutMs }: DeadLetterOptions): Promise<ChannelModel> {
  const failures: unknown[] = [];
  for (const url of urls) {
    try {
      const model = await connect(url, { timeout: timeoutMs });
      model.on('error', () => {}); // Thrown by the interrupted call.
      return model;
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0];
}

/** The state of a queue; undefined if it does not exist. A missing queue closes its channel. */
export async function stateOf(model: ChannelModel, queue: string): Promise<Replies.AssertQueue | undefined> {
  const channel = await model.createChannel();
  channel.on('error', () => {}); // Thrown by the interrupted call.
  try {
    const state = await channel.checkQueue(queue);
    await channel.close();
    return state;
  } catch (error) {
    if ((error as { code?: unknown }).code === 404) return undefined;
    throw error;
  }
}

/** @returns whether the queue exists and has stored the message */
export function publishTo(
  channel: ConfirmChannel,
  queue: string,
  { content, properties }: GetMessage,
  headers: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let isReturned = false;
    const onReturn = (): void => {
      isReturned = true;
    };
    channel.once('return', onReturn);
    const { contentType, messageId, type, timestamp, appId } = properties;
    const options = { contentType, messageId, type, timestamp, appId, headers, persistent: true, mandatory: true };
    channel.publish('', queue, content, options, (error) => {
      channel.off('return', onReturn);
      if (error === null) resolve(!isReturned);
      else reject(error);
    });
  });
}

/** The last death: the one that brought the letter here. */
function letterOf(service: string, { content, properties }: GetMessage): DeadLetter {
  const decoded = decodeEnvelope(content);
  const envelope = 'envelope' in decoded ? decoded.envelope : undefined;
  const headers = properties.headers ?? {};
  const [death] = (headers['x-death'] ?? []) as readonly { readonly time?: { readonly value?: unknown } }[];
  const seconds = Number(death?.time?.value);
  return {
    service,
    id: envelope?.id ?? textOf(properties.messageId),
    type: envelope?.type,
    subject: envelope?.subject,
    queue: textOf(headers['x-last-death-queue'] ?? headers['x-first-death-queue']),
    reason: textOf(headers['x-last-death-reason'] ?? headers['x-first-death-reason']),
    time: Number.isNaN(seconds) ? undefined : new Date(seconds * 1_000),
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
