import {
  boolean,
  dateTime,
  integer,
  json,
  keyedEntity,
  long,
  standardEntity,
  string,
  text,
  uuid,
} from '@lintel/metadata';

/**
 * An external receiver of changes. Its secrets are stored encrypted and cannot be read. The listeners of the data
 * service check what the rules of the attributes cannot express.
 */
const Webhook = standardEntity('sys_Webhook', {
  attributes: {
    name: string(255).mandatory().notBlank(),
    url: string(2000).mandatory(),
    /** An entity, whose changes are sent, as are the changes of its descendants, or the type of an event of the application. */
    entityName: string(255).mandatory(),
    /** Which changes, separated by commas. */
    changes: string(50)
      .mandatory()
      .default('created,updated,deleted')
      .pattern(/(?:created|updated|deleted)(?:, ?(?:created|updated|deleted))*/),
    /** A filter of the search API, as JSON; without it every instance. */
    filter: text(),
    /** Values of enumerations or booleans that a change must have set; without it all changes. */
    became: json({ schema: { type: 'object', minProperties: 1, maxProperties: 20 } }),
    active: boolean().mandatory().default(true),
    /** Name of the user whose rights apply; by default the user who saves it. */
    owner: string(255).mandatory(),
    /** `whsec_…`; a new one replaces the former, which is still used for signatures for a while. */
    secret: string(1000).mandatory().secret(),
    previousSecret: string(1000).secret(),
    previousSecretUntil: dateTime(),
    /** When it is set, what the log has from then on is delivered again; then it is empty. */
    replayFrom: dateTime(),
  },
  instanceName: ['name'],
});

/**
 * The delivery of one change to one webhook, with its result: both the log and the queue of pending deliveries.
 * `state` is `pending`, `delivered`, `failed`, `refused` (the owner has no access) or `skipped` (the owner may see
 * nothing of the change). It outlives its webhook.
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
    /** The partition key. Deliveries with one key, those of one instance, are sent in their order. */
    lane: string(32).mandatory(),
    state: string(20).mandatory(),
    attempts: integer().mandatory(),
    /** When it became pending; it expires some days later. */
    queuedAt: dateTime().mandatory(),
    nextAttempt: dateTime(),
    lastAttempt: dateTime(),
    /** The HTTP status of the last attempt. */
    lastStatus: integer(),
    lastError: string(1000),
    /** Of the last attempt, milliseconds. */
    duration: integer(),
    finishedAt: dateTime(),
    /** Lease of the running attempt; an expired one was aborted. */
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

/** The entities of webhooks and of their deliveries. */
export const WEBHOOK_ENTITIES = [Webhook, WebhookDelivery] as const;
