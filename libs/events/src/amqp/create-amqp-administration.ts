import { createBatches } from '../administration/create-batches.ts';
import { deadLetterKey } from '../administration/dead-letter-key.ts';
import {
  type DeadLetterContent,
  type DeadLetterOutcome,
  type EventAdministration,
  type KeyedDeadLetter,
  MAX_SEARCHED,
  type QueueState,
} from '../administration/event-administration.ts';
import { withContent } from '../administration/with-content.ts';
import { busUnavailable } from '../bus-unavailable.ts';
import { type DeadLetterOptions, sendAgain } from './dead-letters.ts';
import { connectToOne, eachDeadLetter, stateOf, type VisitDeadLetter, type VisitLimits } from './each-dead-letter.ts';
import { workQueueOf } from './topology.ts';

export interface AmqpAdministrationOptions extends DeadLetterOptions {
  /** Names of the queues that the processes of a service share, by service. */
  readonly queues: Readonly<Record<string, readonly string[]>>;
}

/**
 * The administration of a RabbitMQ. Each operation uses a connection of its own, which must exist within `timeoutMs`;
 * otherwise it rejects with BUS_UNAVAILABLE.
 */
export function createAmqpAdministration(options: AmqpAdministrationOptions): EventAdministration {
  /** Visits the oldest letters of each service until those with the keys are found. */
  const find = async (keys: ReadonlySet<string>, visit: VisitKeyed): Promise<void> => {
    const missing = new Set(keys);
    const visitMissing: VisitKeyed = async (letter, message, channel) =>
      missing.delete(letter.key) && visit(letter, message, channel);
    await walk(visitMissing, { maxPerService: MAX_SEARCHED, isDone: () => missing.size === 0 });
  };
  const walk = (visit: VisitKeyed, limits: VisitLimits): Promise<number> =>
    reaching(() =>
      eachDeadLetter(
        options,
        (letter, message, channel) =>
          visit({ ...letter, key: deadLetterKey(letter, message.content) }, message, channel),
        limits,
      ),
    );
  const contents = createBatches(async (keys) => {
    const found = new Map<string, DeadLetterContent>();
    await find(keys, async (letter, { content }) => {
      found.set(letter.key, withContent(letter, content));
      return false;
    });
    return found;
  });
  return {
    queues: () => reaching(() => queueStates(options)),
    async deadLetters(limit) {
      const letters: KeyedDeadLetter[] = [];
      const total = await walk(
        async (letter) => {
          letters.push(letter);
          return false;
        },
        { maxPerService: Math.min(limit, MAX_SEARCHED) },
      );
      return { letters, total };
    },
    deadLetter: contents,
    async retry(key) {
      let outcome: DeadLetterOutcome = 'unknown';
      await find(new Set([key]), async (letter, message, channel) => {
        const isSent = await sendAgain(letter, message, channel);
        outcome = isSent ? 'retried' : 'no-queue';
        return isSent;
      });
      return outcome;
    },
    async discard(key) {
      let isFound = false;
      await find(new Set([key]), async () => {
        isFound = true;
        return true;
      });
      return isFound;
    },
  };
}

type VisitKeyed = (
  letter: KeyedDeadLetter,
  ...rest: Parameters<VisitDeadLetter> extends [unknown, ...infer R] ? R : never
) => Promise<boolean>;

async function queueStates(options: AmqpAdministrationOptions): Promise<readonly QueueState[]> {
  const model = await connectToOne(options);
  try {
    const names = Object.entries(options.queues).flatMap(([service, queues]) =>
      queues.map((name) => workQueueOf(service, name)),
    );
    const states: QueueState[] = [];
    for (const name of names) {
      const state = await stateOf(model, name);
      if (state !== undefined) states.push({ name, events: state.messageCount, consumers: state.consumerCount });
    }
    return states;
  } finally {
    await model.close().catch(() => {});
  }
}

/** @throws PlatformError BUS_UNAVAILABLE for every failure: its cause may have addresses */
async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw busUnavailable('The message broker cannot be reached', cause);
  }
}
