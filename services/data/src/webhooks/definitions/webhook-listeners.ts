import {
  conditionProblems,
  type EntityListener,
  type EntityValues,
  entityListener,
  type ListenerContext,
} from '@lintel/application';
import { LazyListenerContext, refusalBy } from '@lintel/entities';
import { isPlatformError, PlatformError, type ValidationItem, validationError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import type { ReadAccess } from '@lintel/query';
import { neededPolicy, type SpecificPermission } from '@lintel/security';
import type { UrlProblem } from '../outgoing/receiver-rules.ts';
import { isWebhookSecret } from '../outgoing/sign-message.ts';
import type { SecretEncryption } from './create-secret-encryption.ts';

/** A user who names another user as the owner receives, by the webhook, the data that the other user sees. */
export const CHOOSE_OWNER: SpecificPermission = 'webhooks.owner.choose';

export interface WebhookGuards {
  readonly model: Model;
  /** Types of the events of the application. */
  readonly ownEvents: ReadonlySet<string>;
  readonly isEnabled: boolean;
  readonly encryption: SecretEncryption;
  readonly secretOverlapMs: number;
  /** The rule that a URL violates. */
  readonly problemOfUrl: (url: string) => UrlProblem | undefined;
  /** @throws PlatformError for a filter that does not fit the entity, or that its author may not use (403) */
  readonly assertFilter: (entityName: string, filter: string, author: ReadAccess) => void;
  readonly now: () => number;
  /** Called when a change of a webhook is committed. */
  readonly onChange: () => void;
  /** Called when it is committed that a delivery is to be sent now. */
  readonly onSend: (deliveryId: string) => Promise<void>;
}

/**
 * Refuses to save webhooks that cannot or must not receive messages, and encrypts their secrets: the plain text is only
 * in the request.
 */
export const webhookListeners = (guards: WebhookGuards): readonly EntityListener[] => [
  entityListener({
    entity: 'sys_Webhook',
    async beforeSave({ before, after = {} }, context) {
      // A new owner needs the consent of both: the caller must be allowed to act for either.
      if (before !== undefined) assertOwn(before['owner'], context);
      const items: ValidationItem[] = [];
      // One refusal names all mistakes; an error that is no mistake ends the checks.
      const collect = async <T>(check: () => T | Promise<T>): Promise<T | undefined> => {
        try {
          return await check();
        } catch (error) {
          if (!isPlatformError(error) || error.items === undefined) throw error;
          items.push(...error.items);
          return undefined;
        }
      };
      await collect(() => assertEnabled(after, guards, context));
      await collect(() => assertReceiver(after, guards, context));
      await collect(() => assertSubject(before, after, guards, context));
      const owner = await collect(() => ownerOf(after, context));
      const secrets = await collect(() => secretsOf(before, after, guards, context));
      if (items.length > 0) throw validationError(items);
      return { owner, ...secrets };
    },
    beforeDelete: async ({ before }, context) => assertOwn(before?.['owner'], context),
    afterCommit: async () => guards.onChange(),
  }),
  entityListener({
    entity: 'sys_WebhookDelivery',
    async beforeSave({ before, after = {} }, context) {
      if (before === undefined) throw new PlatformError('ACCESS_DENIED', 'Deliveries are made by changes alone');
      if (before['state'] === 'pending' && isCleared('nextAttempt', before, after)) {
        await assertOwnDelivery(before, context);
        return { nextAttempt: timeOf(guards.now()) };
      }
      const others = Object.keys({ ...before, ...after }).filter((name) => name !== 'state');
      const changed = others.find((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
      if (changed !== undefined)
        throw refusalBy('WebhookDeliveryFixed', context.message, changed, after[changed] ?? null);
      if (after['state'] !== 'pending' || before['state'] === 'pending')
        throw refusalBy('WebhookDeliveryState', context.message, 'state', after['state'] ?? null);
      await assertOwnDelivery(before, context);
      const now = timeOf(guards.now());
      return { attempts: 0, queuedAt: now, nextAttempt: now, finishedAt: null };
    },
    beforeDelete: async ({ before = {} }, context) => assertOwnDelivery(before, context),
    afterCommit: async ({ change, id }) => (change === 'deleted' ? undefined : guards.onSend(String(id))),
  }),
];

/** Whether the attribute becomes empty, and no other one changes. */
const isCleared = (name: string, before: EntityValues, after: EntityValues): boolean =>
  (after[name] ?? null) === null &&
  (before[name] ?? null) !== null &&
  Object.keys({ ...before, ...after }).every(
    (each) => each === name || JSON.stringify(before[each]) === JSON.stringify(after[each]),
  );

function assertEnabled({ active }: EntityValues, { isEnabled }: WebhookGuards, { message }: ListenerContext): void {
  if (!isEnabled && active === true)
    throw refusalBy('WebhooksDisabled', message, 'active', true, { property: 'svc.webhooks.enabled' });
}

function assertReceiver({ url }: EntityValues, { problemOfUrl }: WebhookGuards, { message }: ListenerContext): void {
  const problem = typeof url === 'string' ? problemOfUrl(url) : undefined;
  if (problem !== undefined) throw refusalBy(problem.rule, message, 'url', url);
}

function assertSubject(
  before: EntityValues | undefined,
  { entityName, filter, became }: EntityValues,
  { model, ownEvents, assertFilter }: WebhookGuards,
  context: ListenerContext,
): void {
  const { message } = context;
  const refuse = (attribute: 'filter' | 'became', value: unknown, details: string) =>
    refusalBy(attribute === 'filter' ? 'WebhookFilter' : 'InvalidCondition', message, attribute, value, { details });
  if (typeof entityName !== 'string') return;
  if (ownEvents.has(entityName)) {
    if (typeof filter === 'string') throw refuse('filter', filter, 'Events have no filters');
    if (isCondition(became)) throw refuse('became', became, 'Events have no new values');
    return;
  }
  const entity = model.entities.get(entityName);
  if (entity?.kind !== 'entity') throw refusalBy('WebhookEntity', message, 'entityName', entityName);
  const assertAllowed = (attribute: 'filter' | 'became', value: unknown, text: string): void => {
    // Who changes something else is not its author.
    if (JSON.stringify(before?.[attribute]) === JSON.stringify(value) && before?.['entityName'] === entityName) return;
    try {
      assertFilter(entityName, text, LazyListenerContext.readAccessOf(context));
    } catch (error) {
      if (isPlatformError(error) && error.status < 500 && !isRefusal(error))
        throw refuse(attribute, value, error.details === '' ? error.error : error.details);
      throw error;
    }
  };
  if (typeof filter === 'string') assertAllowed('filter', filter, filter);
  if (!isCondition(became)) return;
  // First: a mistake in a value would show that a hidden attribute exists.
  const conditions = Object.keys(became).map((property) => ({ property, operator: 'notEmpty', value: true }));
  assertAllowed('became', became, JSON.stringify({ conditions }));
  const [problem] = conditionProblems(entity, became, model.enums);
  if (problem !== undefined) throw refuse('became', became, problem);
}

/** The attribute's schema refuses other values. */
const isCondition = (became: unknown): became is Readonly<Record<string, unknown>> =>
  typeof became === 'object' && became !== null;

/** The caller may not use the filter: that is no mistake in it. */
const isRefusal = ({ status }: PlatformError): boolean => status === 401 || status === 403;

async function ownerOf({ owner }: EntityValues, context: ListenerContext): Promise<string> {
  const name = typeof owner === 'string' && owner !== '' ? owner : context.username;
  assertOwn(name, context);
  const filter = { conditions: [{ property: 'username', operator: '=', value: name }] };
  const [user] = await context.data.loadList('sec_User', { filter, fetchPlan: '_instance_name', limit: 1 });
  if (user === undefined) throw refusalBy('WebhookOwner', context.message, 'owner', name);
  return name;
}

/** @throws PlatformError (403) if the owner is another user or unknown, and the caller may not act for others */
function assertOwn(owner: unknown, { username, kind, hasSpecific }: ListenerContext): void {
  // Owners are users: a client of the name is another caller.
  if ((owner !== username || kind === 'client') && !hasSpecific(CHOOSE_OWNER))
    throw new PlatformError('ACCESS_DENIED', 'User is not allowed to change webhooks of other owners', {
      headers: neededPolicy(CHOOSE_OWNER),
    });
}

/** The owner of a delivery is the current owner of its webhook. */
async function assertOwnDelivery({ webhookId }: EntityValues, context: ListenerContext): Promise<void> {
  if (context.hasSpecific(CHOOSE_OWNER)) return;
  const webhook = await context.data.load('sys_Webhook', webhookId, { fetchPlan: '_local' });
  assertOwn(webhook?.['owner'], context);
}

/** Values of the previous secret that a client sends are ignored. */
function secretsOf(
  before: EntityValues | undefined,
  after: EntityValues,
  guards: WebhookGuards,
  { message }: ListenerContext,
): EntityValues {
  const { secret } = after;
  const former = before?.['secret'];
  if (typeof secret !== 'string' || secret === former)
    return {
      previousSecret: before?.['previousSecret'] ?? null,
      previousSecretUntil: before?.['previousSecretUntil'] ?? null,
    };
  // Without the value, which would otherwise be in the response.
  if (!isWebhookSecret(secret)) throw refusalBy('WebhookSecret', message, 'secret', null);
  const until = former === undefined ? null : timeOf(guards.now() + guards.secretOverlapMs);
  return { secret: guards.encryption.encrypt(secret), previousSecret: former ?? null, previousSecretUntil: until };
}

/** In the form of the datatype `dateTime`. */
const timeOf = (ms: number): string => new Date(ms).toISOString().slice(0, -1);
