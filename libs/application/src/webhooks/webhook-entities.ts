import { boolean, dateTime, integer, keyedEntity, long, standardEntity, string, text, uuid } from '@lintel/metadata';

/**
 * Somebody outside who is told of changes. Nothing can be read of its secrets, and they are kept encrypted; what a
 * rule of an attribute cannot say, the listeners of the data service check.
 */
const Webhook = standardEntity('sys_Webhook', {
  attributes: {
    name: string(255).mandatory().notBlank(),
    url: string(2000).mandatory(),
    /** Changes of its instances, and of those of its descendants, are told. */
    entityName: string(255).mandatory(),
    /** Which changes, separated by commas. */
    changes: string(50)
      .mandatory()
      .default('created,updated,deleted')
      .pattern(/(?:created|updated|deleted)(?:, ?(?:created|updated|deleted))*/),
    /** A filter of the search API, as JSON; without it every instance. */
    filter: text(),
    active: boolean().mandatory().default(true),
    /** Name of the user with whose rights it is told; whoever saves it, where there is none. */
    owner: string(255).mandatory(),
    /** `whsec_…`; a new one replaces the former, which goes on signing for a while. */
    secret: string(1000).mandatory().secret(),
    previousSecret: string(1000).secret(),
    previousSecretUntil: dateTime(),
    /** When it is set, what the log has from then on is delivered again; then it is empty. */
    replayFrom: dateTime(),
  },
  instanceName: ['name'],
});

/**
 * One change that one webhook is told of, with what became of it: the log, and the queue of what waits. `state` is
 * `pending`, `delivered`, `failed`, `refused` (its owner may not be told) or `skipped` (there was nothing that its
 * owner may be told). It outlives its webhook.
 */
const WebhookDelivery = keyedEntity('sys_WebhookDelivery', {
  key: 'id',
  generation: 'identity',
  attributes: {
    id: long(),
    webhookId: uuid().mandatory(),
    webhookName: string(255).mandatory(),
    /** The `webhook-id` of all its attempts. */
    eventId: string(255).mandatory(),
    entityName: string(255).mandatory(),
    /** As in the path of the instance. */
    entityId: text().mandatory(),
    change: string(10).mandatory(),
    /** Names of the changed attributes, separated by commas. */
    changedAttributes: text(),
    changedAt: dateTime().mandatory(),
    /** Deliveries of one lane come in their order: those of an instance. */
    lane: string(32).mandatory(),
    state: string(20).mandatory(),
    attempts: integer().mandatory(),
    /** When it began to wait: it is given up some days later. */
    queuedAt: dateTime().mandatory(),
    nextAttempt: dateTime(),
    lastAttempt: dateTime(),
    /** The status that the receiver answered to the last attempt. */
    lastStatus: integer(),
    lastError: string(1000),
    /** Of the last attempt, milliseconds. */
    duration: integer(),
    finishedAt: dateTime(),
    /** Of the attempt that is under way; one that is older was broken off. */
    leaseId: uuid(),
    leaseUntil: dateTime(),
  },
  instanceName: ['{entityName}', ' ', '{entityId}', ' ', '{change}'],
  indexes: [
    { attributes: ['webhookId', 'eventId'], unique: true },
    { attributes: ['webhookId', 'changedAt'], unique: false },
    { attributes: ['finishedAt'], unique: false },
    { attributes: ['webhookId', 'state', 'nextAttempt'], unique: false },
    { attributes: ['webhookId', 'state', 'lane'], unique: false },
  ],
});

export const WEBHOOK_ENTITIES = [Webhook, WebhookDelivery] as const;
