import type { ConfirmChannel, GetMessage } from 'amqplib';
import type { DeadLetter } from '../administration/event-administration.ts';
import { DELIVERIES, eachDeadLetter, headersWithout, publishTo } from './each-dead-letter.ts';

/** Where dead letters are, and how long an operation on them may take. */
export interface DeadLetterOptions {
  /** Nodes of RabbitMQ; the first that accepts a connection is used. */
  readonly urls: readonly string[];
  readonly services: readonly string[];
  readonly timeoutMs: number;
}

/** What became of the dead letters of a retry. */
export interface RetryOutcome {
  /** Those that their queues have again. */
  readonly retried: readonly DeadLetter[];
  /** Those that were to be retried, and whose queue no longer exists; they stay dead letters. */
  readonly kept: readonly DeadLetter[];
}

/** Headers in which RabbitMQ notes why the message is a dead letter. */
const DEATHS = /^x-(death|first-death-.*|last-death-.*)$/;

/** The dead letters of the services, the oldest of each service first. All of them stay where they are. */
export async function listDeadLetters(options: DeadLetterOptions): Promise<readonly DeadLetter[]> {
  const listed: DeadLetter[] = [];
  await eachDeadLetter(options, async (letter) => {
    listed.push(letter);
    return false;
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
    const isSent = await sendAgain(letter, message, channel);
    (isSent ? retried : kept).push(letter);
    return isSent;
  });
  return { retried, kept };
}

/**
 * Removes dead letters for good.
 *
 * @param matches which letters are removed
 */
export async function discardDeadLetters(
  options: DeadLetterOptions,
  matches: (letter: DeadLetter) => boolean,
): Promise<readonly DeadLetter[]> {
  const discarded: DeadLetter[] = [];
  await eachDeadLetter(options, async (letter) => {
    if (!matches(letter)) return false;
    discarded.push(letter);
    return true;
  });
  return discarded;
}

/** @returns whether the queue that the letter was refused from exists and has stored it */
export const sendAgain = async (letter: DeadLetter, message: GetMessage, channel: ConfirmChannel): Promise<boolean> =>
  letter.queue !== undefined &&
  (await publishTo(channel, letter.queue, message, headersWithout(message, DELIVERIES, DEATHS)));
