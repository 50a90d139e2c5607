import type { EventBus } from './event-bus.ts';

/**
 * A bus whose subscriptions handle events only after `started` has resolved, so that a service declares its queues
 * while it starts. If `started` rejects, no event is handled: the broker delivers it to another process.
 */
export function handleAfter(started: Promise<unknown>, bus: Pick<EventBus, 'subscribe'>): Pick<EventBus, 'subscribe'> {
  return {
    subscribe: ({ handle, ...options }) =>
      bus.subscribe({
        ...options,
        async handle(envelope) {
          await started;
          await handle(envelope);
        },
      }),
  };
}
