import { type EventAdministration, MAX_SEARCHED } from '../administration/event-administration.ts';
import { withContent } from '../administration/with-content.ts';
import { decodeEnvelope } from '../delivery/envelope-codec.ts';
import type { InProcessDeadLetters } from './in-process-dead-letters.ts';
import type { InProcessQueue } from './in-process-queue.ts';

/** The administration of a bus in memory. */
export function createInProcessAdministration(
  queues: ReadonlySet<InProcessQueue>,
  letters: InProcessDeadLetters,
): EventAdministration {
  return {
    queues: async () =>
      [...queues]
        .filter(({ isShared }) => isShared)
        .map((queue) => ({ name: queue.name, events: queue.size, consumers: queue.consumerCount })),
    deadLetters: async (limit) => ({
      letters: letters.list().slice(0, Math.min(limit, MAX_SEARCHED)),
      total: letters.size,
    }),
    async deadLetter(key) {
      const found = letters.get(key);
      return found && withContent(found.letter, found.content);
    },
    async retry(key) {
      const found = letters.get(key);
      if (found === undefined) return 'unknown';
      const { letter, content } = found;
      const decoded = decodeEnvelope(content);
      // Refused again at once, as by a consumer at the broker.
      if (!('envelope' in decoded)) return 'retried';
      const { envelope } = decoded;
      const queue = [...queues].find((each) => each.name === letter.queue && each.takes(envelope.type));
      if (queue === undefined) return 'no-queue';
      letters.remove(key);
      queue.add(envelope);
      return 'retried';
    },
    discard: async (key) => letters.remove(key),
  };
}
