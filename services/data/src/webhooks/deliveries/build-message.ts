import type { UserAttributeReader } from '@lintel/application';
import { isPlatformError } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import type { Database } from '@lintel/persistence';
import { keyInSql, parseEntityId, parseRead, type QueryLimits } from '@lintel/query';
import { type CallerAccess, prepareRead, type ReadDependencies, readIn, readOne } from '@lintel/reading';
import type { Access, AccessOf } from '@lintel/security';
import { principalOfUser } from '../../access/principal-of-user.ts';
import { CHANGE_TYPE, idJson } from '../../changes/entity-change.ts';
import { SentInstances } from '../../changes/sent-instances.ts';
import { type VisibleChange, type VisibleRows, visibleChanges } from '../../changes/visible-changes.ts';
import type { ClaimedDelivery } from './delivery.ts';

/** Whether a change is sent to a webhook, according to the rights of its owner, and the body of the message. */
export type DeliveryDecision =
  | { readonly kind: 'message'; readonly body: string }
  /** The owner may see nothing of the change, or the filter does not match. */
  | { readonly kind: 'nothing'; readonly reason: string }
  /** The owner has no access. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface BuildMessageDependencies {
  readonly database: Pick<Database, 'query'>;
  readonly read: ReadDependencies;
  readonly accessOf: AccessOf;
  readonly readUserAttributes: UserAttributeReader;
}

/**
 * Decides with the current rights of the owner and the current state of the instance, by the same pipeline as a request
 * of that user. Only the id of a deleted instance is known, and row-level rules cannot be applied to it:
 * owners with row-level rules for the entity get no message about deletions.
 */
export async function buildMessage(
  delivery: ClaimedDelivery,
  deps: BuildMessageDependencies,
  signal: AbortSignal,
): Promise<DeliveryDecision> {
  const owner = await principalOfUser(delivery.webhook.owner, 'webhook', deps);
  if (owner?.account.isActive !== true) return refused('The owner is no active user');
  const { principal } = owner;
  if (!deps.accessOf(principal).hasSpecific('rest.enabled')) return refused('The owner may not use the REST API');
  const { kind } = delivery.change;
  if (kind === 'published') return ownEvent(delivery, deps.accessOf(principal));
  const model = deps.read.currentModel();
  const entity = model.entities.get(delivery.change.entity);
  if (entity === undefined) return refused(`There is no entity ${delivery.change.entity}`);
  const access = deps.read.loadAccess(principal);
  const change = { ...delivery.change, kind, sequence: 0 };
  try {
    const [visible] = await visibleChanges([change], entity, { access, sent: new SentInstances(0) }, model, allRows);
    if (visible === undefined) return nothing('The owner may see nothing of it');
    // That it is sent says which value an attribute got.
    if (!delivery.webhook.became.every((name) => visible.attributes.includes(name)))
      return refused('The owner may not view an attribute of the condition');
    if (visible.kind === 'deleted') return message(delivery, model, entity, visible, undefined);
    const instance = await readInstance(delivery, entity, model, access, deps.read.limitsOf(principal), deps, signal);
    return instance === undefined
      ? nothing('There is no such instance for the owner and the filter')
      : message(delivery, model, entity, visible, instance);
  } catch (error) {
    // The owner lost the right, the filter uses hidden attributes, or it no longer matches the model.
    if (isPlatformError(error) && error.status < 500) return refused(error.message);
    throw error;
  }
}

/** An event of the application has its data whatever the owner may read: it needs its own permission. */
function ownEvent(
  { change: { entity: type }, data = 'null', changedAt }: ClaimedDelivery,
  { hasSpecific }: Access,
): DeliveryDecision {
  if (!hasSpecific('events.read') && !hasSpecific(`events.read.${type}`))
    return refused('The owner may not read the event');
  return { kind: 'message', body: `{"type":"${type}","timestamp":"${changedAt}","data":${data}}` };
}

/** Row-level rules are applied when the instance itself is read. */
const allRows: VisibleRows = async (_entity, ids) => new Set(ids);

async function readInstance(
  { change, webhook }: ClaimedDelivery,
  entity: Entity,
  model: Model,
  access: CallerAccess,
  limits: QueryLimits,
  { database, read }: BuildMessageDependencies,
  signal: AbortSignal,
): Promise<string | undefined> {
  const members = { ...(webhook.filter === undefined ? {} : { filter: webhook.filter }) };
  const parsed = parseRead({ operation: 'instance', entityName: entity.name, members }, read.limits, limits);
  const line = prepareRead(parsed, model, readIn(access, 'webhook'), read);
  const found = await readOne(line, keyInSql(model, entity, parseEntityId(model, entity, change.id)), database, signal);
  return found?.json;
}

/** The form that Standard Webhooks recommends; numbers of ids and instances keep every digit. */
function message(
  { changedAt }: ClaimedDelivery,
  model: Model,
  entity: Entity,
  { id, kind, attributes }: VisibleChange,
  instance: string | undefined,
): DeliveryDecision {
  const members = [
    `"entity":${JSON.stringify(entity.name)}`,
    `"id":${idJson(model, entity, id)}`,
    `"change":${JSON.stringify(kind)}`,
    ...(kind === 'updated' ? [`"attributes":${JSON.stringify(attributes)}`] : []),
    ...(instance === undefined ? [] : [`"instance":${instance}`]),
  ];
  const body = `{"type":"${CHANGE_TYPE}","timestamp":"${changedAt}","data":{${members.join(',')}}}`;
  return { kind: 'message', body };
}

const refused = (reason: string): DeliveryDecision => ({ kind: 'refused', reason });
const nothing = (reason: string): DeliveryDecision => ({ kind: 'nothing', reason });
