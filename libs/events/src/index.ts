export { type AmqpBusOptions, createAmqpBus } from './amqp/create-amqp-bus.ts';
export type { Clock } from './clock.ts';
export { createEnvelope, type EnvelopeParts } from './create-envelope.ts';
export type { RetryPolicy } from './delivery/retry-policy.ts';
export type { EventBus, SubscribeOptions, Subscription } from './event-bus.ts';
export { createInProcessBus, type InProcessBus, type InProcessBusOptions } from './in-process/create-in-process-bus.ts';
export { createIdempotentConsumer, type IdempotentConsumerOptions } from './outbox/create-idempotent-consumer.ts';
export { createOutboxRelay, type OutboxRelay, type OutboxRelayOptions } from './outbox/create-outbox-relay.ts';
export type { InboxStore, OutboxEntry, OutboxStore } from './outbox-store.ts';
