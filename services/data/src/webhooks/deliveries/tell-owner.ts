import type { Principal } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import { type Database, readAccount } from '@lintel/persistence';
import { parseEntityId, parseRead } from '@lintel/query';
import type { AccessOf } from '@lintel/security';
import type { CallerAccess, ReadDependencies } from '../../entities/read-dependencies.ts';
import { enterLine, readOne } from '../../entities/read-line.ts';
import type { ChangeFact, ClaimedDelivery } from './delivery.ts';

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

/** The type of the messages, which is that of the event: a change of their form is a new version of it. */
const MESSAGE_TYPE = 'data.entity.changed.v1';

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
  const { fact } = delivery;
  const model = deps.read.currentModel();
  const entity = model.entities.get(fact.entity);
  if (entity?.kind !== 'entity') return refused(`There is no entity ${fact.entity}`);
  const access = deps.read.loadAccess(principal);
  const { canRead, mayView, rows, predicates } = access.read.entity(entity.name);
  if (!canRead) return refused(`The owner may not read ${entity.name}`);
  const attributes = fact.attributes.filter((name) => isViewable(entity, name, mayView));
  if (fact.change === 'deleted') {
    if (rows !== undefined || predicates.length > 0) return nothing('Rules about rows hold for the owner');
    return message(delivery, attributes, undefined);
  }
  if (fact.change === 'updated' && attributes.length === 0 && fact.attributes.length > 0)
    return nothing('The owner may see none of what was changed');
  try {
    const instance = await readInstance(delivery, entity, model, access, deps, signal);
    return instance === undefined
      ? nothing('There is no such instance for the owner and the filter')
      : message(delivery, attributes, instance);
  } catch (error) {
    // The filter asks for what the owner may not see, or no longer fits the model.
    if (isPlatformError(error) && error.status < 500) return refused(error.message);
    throw error;
  }
}

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

/** Names that are none of an attribute are those of dynamic ones, about which there are no policies. */
function isViewable(entity: Entity, name: string, mayView: (attribute: string) => boolean): boolean {
  const attribute = entity.attributes.get(name);
  return attribute === undefined ? name.startsWith('+') : !attribute.secret && mayView(name);
}

async function readInstance(
  { entityId, webhook }: ClaimedDelivery,
  entity: Entity,
  model: Model,
  access: CallerAccess,
  { database, read }: TellingDependencies,
  signal: AbortSignal,
): Promise<string | undefined> {
  const members = { ...(webhook.filter === undefined ? {} : { filter: webhook.filter }) };
  const parsed = parseRead({ operation: 'instance', entityName: entity.name, members }, read.limits);
  const line = enterLine(parsed, model, access, read);
  const found = await readOne(line, parseEntityId(model, entity, entityId), database, signal);
  return found?.json;
}

/** The form that Standard Webhooks recommends; numbers of the instance keep every digit, since its text is not read. */
function message(
  { fact, changedAt }: ClaimedDelivery,
  attributes: ChangeFact['attributes'],
  instance: string | undefined,
): Told {
  const { entity, id, change } = fact;
  const data = JSON.stringify({ entity, id, change, ...(change === 'updated' ? { attributes } : {}) });
  const told = instance === undefined ? data : `${data.slice(0, -1)},"instance":${instance}}`;
  const head = JSON.stringify({ type: MESSAGE_TYPE, timestamp: changedAt });
  return { kind: 'message', body: `${head.slice(0, -1)},"data":${told}}` };
}

const refused = (reason: string): Told => ({ kind: 'refused', reason });
const nothing = (reason: string): Told => ({ kind: 'nothing', reason });
