export type { EventBus, SubscribeOptions, Subscription } from './event-bus.ts';
export type { InboxStore, OutboxEntry, OutboxStore } from './outbox-store.ts';
