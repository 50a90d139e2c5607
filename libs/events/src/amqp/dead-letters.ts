import { type ChannelModel, type ConfirmChannel, connect, type GetMessage } from 'amqplib';
import { decodeEnvelope } from '../delivery/envelope-codec.ts';
import { deadLetterQueueOf } from './topology.ts';

/** An event that a handler refused, or that failed too often. */
export interface DeadLetter {
  /** The service whose handler did not accept it. */
  readonly service: string;
  /** Id of the event; undefined if the message has none. */
  readonly id: string | undefined;
  /** Undefined if the message is not an event. */
  readonly type: string | undefined;
  readonly subject: string | undefined;
  /** The queue that it was refused from; undefined if it was sent to the dead letters directly. */
  readonly queue: string | undefined;
  /** In the words of RabbitMQ: `rejected` by the handler, `delivery_limit` after connections that were lost. */
  readonly reason: string | undefined;
  /** When it became a dead letter. */
  readonly time: Date | undefined;
}

export interface DeadLetterOptions {
  /** Nodes of RabbitMQ; the first that accepts a connection is used. */
  readonly urls: readonly string[];
  readonly services: readonly string[];
  readonly timeoutMs: number;
}

export interface RetryOutcome {
  /** Those that their queues have again. */
  readonly retried: readonly DeadLetter[];
  /** Those that were to be retried, and whose queue no longer exists; they stay dead letters. */
  readonly kept: readonly DeadLetter[];
}

/**
 * A quorum queue drops what was delivered and returned too often: RabbitMQ 4 after 20 times. A letter that was looked at
 * so often is therefore replaced by a copy.
 */
const RENEW_AFTER_DELIVERIES = 10;

/** Headers in which RabbitMQ counts the deliveries of one message. */
const DELIVERIES = /^x-(delivery|acquired)-count$/;
/** Headers in which RabbitMQ notes why the message is a dead letter. */
const DEATHS = /^x-(death|first-death-.*|last-death-.*)$/;

/** The dead letters of the services, the oldest of each service first. All of them stay where they are. */
export async function listDeadLetters(options: DeadLetterOptions): Promise<readonly DeadLetter[]> {
  const listed: DeadLetter[] = [];
  await eachDeadLetter(options, async (letter, message, channel) => {
    listed.push(letter);
    if (Number(message.properties.headers?.['x-delivery-count'] ?? 0) < RENEW_AFTER_DELIVERIES) return false;
    return publishTo(channel, deadLetterQueueOf(letter.service), message, headersWithout(message, DELIVERIES));
  });
  return listed;
}

/**
 * Sends dead letters to the queues that they were refused from. A letter is removed only after its queue has stored it:
 * if the process ends in between, the event is in both, and a handler gets it once more later.
 *
 * @param matches which letters are sent
 */
export async function retryDeadLetters(
  options: DeadLetterOptions,
  matches: (letter: DeadLetter) => boolean,
): Promise<RetryOutcome> {
  const retried: DeadLetter[] = [];
  const kept: DeadLetter[] = [];
  await eachDeadLetter(options, async (letter, message, channel) => {
    if (!matches(letter)) return false;
    const headers = headersWithout(message, DELIVERIES, DEATHS);
    const isSent = letter.queue !== undefined && (await publishTo(channel, letter.queue, message, headers));
    (isSent ? retried : kept).push(letter);
    return isSent;
  });
  return { retried, kept };
}

const headersWithout = (
  { properties }: GetMessage,
  ...excluded: readonly RegExp[]
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(properties.headers ?? {}).filter(([name]) => !excluded.some((pattern) => pattern.test(name))),
  );

/**
 * Calls `visit` for each letter that was there at the beginning. A letter for which it returns true is removed; the
 * others are returned to the queue at the end, in their order.
 */
async function eachDeadLetter(
  options: DeadLetterOptions,
  visit: (letter: DeadLetter, message: GetMessage, channel: ConfirmChannel) => Promise<boolean>,
): Promise<void> {
  const model = await connectToOne(options);
  try {
    for (const service of options.services) {
      const count = await countOf(model, deadLetterQueueOf(service));
      if (count === 0) continue;
      const channel = await model.createConfirmChannel();
      channel.on('error', () => {}); // Thrown by the interrupted call.
      for (let at = 0; at < count; at += 1) {
        const message = await channel.get(deadLetterQueueOf(service));
        if (message === false) break;
        if (await visit(letterOf(service, message), message, channel)) channel.ack(message);
      }
      // Whatever was not acknowledged is in the queue again.
      await channel.close();
    }
  } finally {
    await model.close().catch(() => {});
  }
}

async function connectToOne({ urls, timeoutMs }: DeadLetterOptions): Promise<ChannelModel> {
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

/** Zero if the queue does not exist: the service has never subscribed. A missing queue closes its channel. */
async function countOf(model: ChannelModel, queue: string): Promise<number> {
  const channel = await model.createChannel();
  channel.on('error', () => {}); // Thrown by the interrupted call.
  try {
    const { messageCount } = await channel.checkQueue(queue);
    await channel.close();
    return messageCount;
  } catch (error) {
    if ((error as { code?: unknown }).code === 404) return 0;
    throw error;
  }
}

/** @returns whether the queue exists and has stored the message */
function publishTo(
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
