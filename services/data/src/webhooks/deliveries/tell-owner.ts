import type { Principal } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import { type Database, readAccount } from '@lintel/persistence';
import { parseEntityId, parseRead } from '@lintel/query';
import type { AccessOf } from '@lintel/security';
import { CHANGE_TYPE, idJson } from '../../changes/entity-change.ts';
import { ToldInstances } from '../../changes/told-instances.ts';
import { type VisibleChange, type VisibleRows, visibleChanges } from '../../changes/visible-changes.ts';
import type { CallerAccess, ReadDependencies } from '../../entities/read-dependencies.ts';
import { enterLine, readOne } from '../../entities/read-line.ts';
import type { ClaimedDelivery } from './delivery.ts';

/** What the owner of a webhook may be told of a change. */
export type Told =
  | { readonly kind: 'message'; readonly body: string }
  /** There is nothing that the owner may see, or that the filter finds. */
  | { readonly kind: 'nothing'; readonly reason: string }
  /** The owner may not be told. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface TellingDependencies {
  readonly database: Pick<Database, 'query'>;
  readonly read: ReadDependencies;
  readonly accessOf: AccessOf;
}

/**
 * Decides by the rights that the owner has now, with the state that the instance has now: the same lines as any
 * request of that user. Of what was deleted only the id is left, and nobody can say any more which rows rules would
 * have shown: owners with row-level rules about the entity are not told.
 */
export async function tellOwner(
  delivery: ClaimedDelivery,
  deps: TellingDependencies,
  signal: AbortSignal,
): Promise<Told> {
  const principal = await ownerOf(delivery.webhook.owner, deps);
  if (principal === undefined) return refused('The owner is no active user');
  if (!deps.accessOf(principal).hasSpecific('rest.enabled')) return refused('The owner may not use the REST API');
  const model = deps.read.currentModel();
  const entity = model.entities.get(delivery.change.entity);
  if (entity === undefined) return refused(`There is no entity ${delivery.change.entity}`);
  const access = deps.read.loadAccess(principal);
  const change = { ...delivery.change, place: 0 };
  try {
    const [told] = await visibleChanges([change], entity, { access, told: new ToldInstances(0) }, model, shownBelow);
    if (told === undefined) return nothing('The owner may see nothing of it');
    if (told.kind === 'deleted') return message(delivery, model, entity, told, undefined);
    const instance = await readInstance(delivery, entity, model, access, deps, signal);
    return instance === undefined
      ? nothing('There is no such instance for the owner and the filter')
      : message(delivery, model, entity, told, instance);
  } catch (error) {
    // The right is gone, the filter asks for what the owner may not see, or it no longer fits the model.
    if (isPlatformError(error) && error.status < 500) return refused(error.message);
    throw error;
  }
}

/** What rules say of the rows is seen when the instance itself is read. */
const shownBelow: VisibleRows = async (_entity, ids) => new Set(ids);

async function ownerOf(username: string, { database }: TellingDependencies): Promise<Principal | undefined> {
  const account = await readAccount(database, username);
  if (account?.isActive !== true) return undefined;
  return {
    username: account.username,
    kind: 'user',
    userId: account.id,
    clientId: 'lintel',
    sessionId: 'webhook',
    resourceRoles: account.resourceRoles,
    rowLevelRoles: account.rowLevelRoles,
    locale: account.locale,
    attributes: account.attributes,
    actingService: undefined,
  };
}

async function readInstance(
  { change, webhook }: ClaimedDelivery,
  entity: Entity,
  model: Model,
  access: CallerAccess,
  { database, read }: TellingDependencies,
  signal: AbortSignal,
): Promise<string | undefined> {
  const members = { ...(webhook.filter === undefined ? {} : { filter: webhook.filter }) };
  const parsed = parseRead({ operation: 'instance', entityName: entity.name, members }, read.limits);
  const line = enterLine(parsed, model, access, read);
  const found = await readOne(line, parseEntityId(model, entity, change.id), database, signal);
  return found?.json;
}

/** The form that Standard Webhooks recommends; numbers of ids and instances keep every digit. */
function message(
  { changedAt }: ClaimedDelivery,
  model: Model,
  entity: Entity,
  { id, kind, attributes }: VisibleChange,
  instance: string | undefined,
): Told {
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

const refused = (reason: string): Told => ({ kind: 'refused', reason });
const nothing = (reason: string): Told => ({ kind: 'nothing', reason });
