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
import { connectToOne, eachDeadLetter, stateOf, type VisitDeadLetter } from './each-dead-letter.ts';
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
  /** Visits the oldest letters until `visit` has found the one with the key. */
  const find = async (key: string, visit: VisitKeyed): Promise<void> => {
    let isFound = false;
    await walk(async (letter, message, channel) => {
      if (isFound || letter.key !== key) return false;
      isFound = true;
      return visit(letter, message, channel);
    }, MAX_SEARCHED);
  };
  const walk = (visit: VisitKeyed, limit: number): Promise<number> =>
    reaching(() =>
      eachDeadLetter(
        options,
        (letter, message, channel) =>
          visit({ ...letter, key: deadLetterKey(letter, message.content) }, message, channel),
        limit,
      ),
    );
  return {
    queues: () => reaching(() => queueStates(options)),
    async deadLetters(limit) {
      const letters: KeyedDeadLetter[] = [];
      const total = await walk(
        async (letter) => {
          letters.push(letter);
          return false;
        },
        Math.min(limit, MAX_SEARCHED),
      );
      return { letters, total };
    },
    async deadLetter(key) {
      let found: DeadLetterContent | undefined;
      await find(key, async (letter, { content }) => {
        found = withContent(letter, content);
        return false;
      });
      return found;
    },
    async retry(key) {
      let outcome: DeadLetterOutcome = 'unknown';
      await find(key, async (letter, message, channel) => {
        const isSent = await sendAgain(letter, message, channel);
        outcome = isSent ? 'retried' : 'no-queue';
        return isSent;
      });
      return outcome;
    },
    async discard(key) {
      let isFound = false;
      await find(key, async () => {
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
