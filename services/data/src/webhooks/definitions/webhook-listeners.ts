import { type EntityListener, type EntityValues, entityListener, type ListenerContext } from '@lintel/application';
import { isPlatformError, PlatformError, validationError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import { isWebhookSecret } from '../outgoing/sign-message.ts';
import type { SecretSeal } from './create-secret-seal.ts';

/** Whoever names somebody else as the owner sees, through the webhook, what that user sees. */
const CHOOSE_OWNER = 'webhooks.owner.choose';

export interface WebhookGuards {
  readonly model: Model;
  readonly isEnabled: boolean;
  readonly seal: SecretSeal;
  readonly secretOverlapMs: number;
  /** What is wrong with a URL, as the end of a sentence. */
  readonly problemOfUrl: (url: string) => string | undefined;
  /** @throws PlatformError (400) for a filter that does not fit the entity */
  readonly assertFilter: (entityName: string, filter: string) => void;
  readonly now: () => number;
  /** Called when a change of a webhook is there for everybody. */
  readonly onChange: () => void;
  /** Called when a delivery waits again. */
  readonly onReplay: () => void;
}

/**
 * Refuses webhooks that could not be told of anything, or should not be, when they are saved, and encrypts their
 * secrets: the clear text is in the request and nowhere else.
 */
export const webhookListeners = (guards: WebhookGuards): readonly EntityListener[] => [
  entityListener({
    entity: 'sys_Webhook',
    async beforeSave({ before, after = {} }, context) {
      assertEnabled(after, guards);
      assertReceiver(after, guards);
      assertSubject(after, guards);
      // A webhook that changes hands concerns both.
      if (before !== undefined) assertOwn(before['owner'], context);
      return { owner: await ownerOf(after, context), ...secretsOf(before, after, guards) };
    },
    beforeDelete: async ({ before }, context) => assertOwn(before?.['owner'], context),
    afterCommit: async () => guards.onChange(),
  }),
  entityListener({
    entity: 'sys_WebhookDelivery',
    async beforeSave({ before, after = {} }, context) {
      if (before === undefined) throw new PlatformError('ACCESS_DENIED', 'Deliveries are made by changes alone');
      const others = Object.keys({ ...before, ...after }).filter((name) => name !== 'state');
      const changed = others.find((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
      if (changed !== undefined) throw refusal(changed, 'cannot be changed', after[changed] ?? null);
      if (after['state'] !== 'pending' || before['state'] === 'pending')
        throw refusal('state', 'can only be set to pending, where the delivery has ended', after['state'] ?? null);
      await assertOwnDelivery(before, context);
      const now = timeOf(guards.now());
      return { attempts: 0, queuedAt: now, nextAttempt: now, finishedAt: null };
    },
    beforeDelete: async ({ before = {} }, context) => assertOwnDelivery(before, context),
    afterCommit: async () => guards.onReplay(),
  }),
];

function assertEnabled({ active }: EntityValues, { isEnabled }: WebhookGuards): void {
  if (!isEnabled && active === true) throw refusal('active', 'must be false: svc.webhooks.enabled is not set', true);
}

function assertReceiver({ url }: EntityValues, { problemOfUrl }: WebhookGuards): void {
  const problem = typeof url === 'string' ? problemOfUrl(url) : undefined;
  if (problem !== undefined) throw refusal('url', problem, url);
}

function assertSubject({ entityName, filter }: EntityValues, { model, assertFilter }: WebhookGuards): void {
  if (typeof entityName !== 'string') return;
  if (model.entities.get(entityName)?.kind !== 'entity')
    throw refusal('entityName', 'must name a stored entity', entityName);
  if (typeof filter !== 'string') return;
  try {
    assertFilter(entityName, filter);
  } catch (error) {
    if (isPlatformError(error) && error.status < 500)
      throw refusal('filter', error.details === '' ? error.error : error.details, filter);
    throw error;
  }
}

async function ownerOf({ owner }: EntityValues, context: ListenerContext): Promise<string> {
  const name = typeof owner === 'string' && owner !== '' ? owner : context.username;
  assertOwn(name, context);
  const filter = { conditions: [{ property: 'username', operator: '=', value: name }] };
  const [user] = await context.data.loadList('sec_User', { filter, fetchPlan: '_instance_name', limit: 1 });
  if (user === undefined) throw refusal('owner', 'must be the name of a user', name);
  return name;
}

/** @throws PlatformError (403) where it is somebody else's, or nobody can say whose, and the caller has no right to that */
function assertOwn(owner: unknown, { username, hasSpecific }: ListenerContext): void {
  if (owner !== username && !hasSpecific(CHOOSE_OWNER))
    throw new PlatformError('ACCESS_DENIED', 'User is not allowed to change webhooks of other owners');
}

/** A delivery belongs to whom its webhook belongs to now. */
async function assertOwnDelivery({ webhookId }: EntityValues, context: ListenerContext): Promise<void> {
  if (context.hasSpecific(CHOOSE_OWNER)) return;
  const webhook = await context.data.load('sys_Webhook', webhookId, { fetchPlan: '_local' });
  assertOwn(webhook?.['owner'], context);
}

/** Whatever a client says of the former secret does not count. */
function secretsOf(before: EntityValues | undefined, after: EntityValues, guards: WebhookGuards): EntityValues {
  const { secret } = after;
  const former = before?.['secret'];
  if (typeof secret !== 'string' || secret === former)
    return {
      previousSecret: before?.['previousSecret'] ?? null,
      previousSecretUntil: before?.['previousSecretUntil'] ?? null,
    };
  // Never with the value: the answer would show it.
  if (!isWebhookSecret(secret)) throw refusal('secret', 'must be whsec_ and 24 to 64 bytes in base64', null);
  const until = former === undefined ? null : timeOf(guards.now() + guards.secretOverlapMs);
  return { secret: guards.seal.seal(secret), previousSecret: former ?? null, previousSecretUntil: until };
}

/** In the form of the datatype `dateTime`. */
const timeOf = (ms: number): string => new Date(ms).toISOString().slice(0, -1);

const refusal = (path: string, message: string, invalidValue: unknown): Error =>
  validationError([{ message, messageTemplate: message, path, invalidValue }]);
