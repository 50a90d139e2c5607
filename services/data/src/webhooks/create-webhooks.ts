import type { EntityListener } from '@lintel/application';
import { createUserAttributeReader } from '@lintel/application';
import { retryDelayMs } from '@lintel/events';
import type { AttributeBuilders, Model } from '@lintel/metadata';
import { createPublishedEvents, type Database } from '@lintel/persistence';
import type { ReadDependencies } from '@lintel/reading';
import type { AccessOf } from '@lintel/security';
import type { Logger, Metrics } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import { assertFilter } from '../changes/assert-filter.ts';
import { createTestMessages, type SendTestMessage } from './create-test-messages.ts';
import { createSecretEncryption } from './definitions/create-secret-encryption.ts';
import { webhookListeners } from './definitions/webhook-listeners.ts';
import { buildMessage } from './deliveries/build-message.ts';
import { createDeliveryStore } from './deliveries/create-delivery-store.ts';
import { createDispatcher } from './deliveries/create-dispatcher.ts';
import { deliver } from './deliveries/deliver.ts';
import { createSender } from './outgoing/create-sender.ts';
import { createReceiverRules } from './outgoing/receiver-rules.ts';
import type { WebhookConfig } from './webhook-settings.ts';

export interface WebhookOptions {
  readonly config: WebhookConfig;
  /** The shared secret of all services; the key for the secrets of webhooks if none is configured. */
  readonly internalSecret: string;
  readonly model: Model;
  /** Types of the events of the application. */
  readonly ownEvents: readonly string[];
  /** Attributes that the application adds to the users. */
  readonly userAttributes?: AttributeBuilders | undefined;
  readonly database: Database;
  readonly read: ReadDependencies;
  readonly accessOf: AccessOf;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
}

/** The webhooks of a data service. */
export interface Webhooks {
  /** Listeners that check writes of `sys_Webhook` and `sys_WebhookDelivery`. */
  readonly listeners: readonly EntityListener[];
  /** Undefined if webhooks are disabled. */
  readonly sendTestMessage: SendTestMessage | undefined;
  /** Starts the deliveries, of what is published from now on and of what waits; none if webhooks are disabled. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Deliveries wait for receivers most of the time; the database connections of the service suffice for so many. */
const CONCURRENCY = 16;
/** In all data services: a receiver that is slow leaves most of them to others. */
const CONCURRENCY_PER_WEBHOOK = 4;
/** A receiver that was repaired gets its deliveries on the same day. */
const MAX_RETRY_DELAY_MS = 6 * 3_600_000;

/** Longer than the longest attempt: a delivery is taken over only from a process that has ended. */
const leaseMsOf = (timeoutMs: number): number => 2 * timeoutMs + 60_000;

/** @throws Error with an invalid entry of `svc.webhooks.allowed-networks` */
export function createWebhooks(options: WebhookOptions): Webhooks {
  const { config, model, database, read, accessOf, clock, logger, metrics } = options;
  const readUserAttributes = createUserAttributeReader(options);
  const encryption = createSecretEncryption(config.encryptionKey ?? options.internalSecret);
  const rules = createReceiverRules(config);
  const sender = createSender(rules, config.timeoutMs, metrics);
  const store = createDeliveryStore(database, options);
  const backOff = { initialDelayMs: config.retryDelayMs, maxDelayMs: MAX_RETRY_DELAY_MS };
  const dispatcher = createDispatcher({
    ...config,
    concurrency: CONCURRENCY,
    perWebhook: CONCURRENCY_PER_WEBHOOK,
    store,
    logger,
    metrics,
    leaseMs: leaseMsOf(config.timeoutMs),
    deliver: (delivery, signal) =>
      deliver(
        delivery,
        {
          store,
          sender,
          encryption,
          decide: (claimed, ended) => buildMessage(claimed, { database, read, accessOf, readUserAttributes }, ended),
          giveUpAfterMs: config.giveUpAfterMs,
          delayMs: (attempt) => retryDelayMs(backOff, attempt),
          now: () => clock.now(),
          logger,
        },
        signal,
      ),
  });
  let listening: { close(): Promise<void> } | undefined;
  if (config.enabled) {
    metrics?.observe('lintel.webhooks.oldest_age', () => store.oldestPendingAge());
    metrics?.observe('lintel.webhooks.unread_age', () => store.oldestUnreadAge());
  }
  return {
    listeners: webhookListeners({
      model,
      ownEvents: new Set(options.ownEvents),
      isEnabled: config.enabled,
      encryption,
      secretOverlapMs: config.secretOverlapMs,
      problemOfUrl: rules.problemOf,
      assertFilter: (entityName, filter, author) => assertFilter(model, entityName, filter, author, read),
      now: () => clock.now(),
      onChange: () => dispatcher.wake(),
      onSend: async (deliveryId) => {
        await store.advance(deliveryId);
        dispatcher.wake();
      },
    }),
    sendTestMessage: config.enabled
      ? createTestMessages({ database, encryption, sender, now: () => clock.now() })
      : undefined,
    async start() {
      await store.setReading(config.enabled);
      if (!config.enabled) return;
      listening = await createPublishedEvents(database).listen(() => dispatcher.wake());
      dispatcher.start();
    },
    async stop() {
      await listening?.close();
      await dispatcher.stop();
      await sender.close();
    },
  };
}
