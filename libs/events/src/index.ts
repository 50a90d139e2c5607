export type {
  DeadLetter,
  DeadLetterContent,
  DeadLetterOutcome,
  DeadLetterPage,
  EventAdministration,
  KeyedDeadLetter,
  QueueState,
} from './administration/event-administration.ts';
export { type AmqpAdministrationOptions, createAmqpAdministration } from './amqp/create-amqp-administration.ts';
export { type AmqpBusOptions, createAmqpBus } from './amqp/create-amqp-bus.ts';
export {
  type DeadLetterOptions,
  discardDeadLetters,
  listDeadLetters,
  type RetryOutcome,
  retryDeadLetters,
} from './amqp/dead-letters.ts';
export { type BrokerFindings, probeBroker } from './amqp/probe-broker.ts';
export { createEnvelope, type EnvelopeParts } from './create-envelope.ts';
export { type RetryPolicy, retryDelayMs } from './delivery/retry-policy.ts';
export type { EventBus, SubscribeOptions, Subscription } from './event-bus.ts';
export { handleAfter } from './handle-after.ts';
export { createInProcessBus, type InProcessBus, type InProcessBusOptions } from './in-process/create-in-process-bus.ts';
export { createOutboxRelay, type OutboxRelay, type OutboxRelayOptions } from './outbox/create-outbox-relay.ts';
export type { OutboxEntry, OutboxStore } from './outbox-store.ts';
