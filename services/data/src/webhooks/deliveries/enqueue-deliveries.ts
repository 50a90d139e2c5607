import { type Envelope, EVENTS } from '@lintel/contracts';
import { lineageOf, type Model } from '@lintel/metadata';
import { formatEntityId } from '@lintel/query';
import { CHANGE_TYPE } from '../../changes/entity-change.ts';
import type { WebhookRoute, WebhookSource } from '../definitions/webhook-source.ts';
import type { DeliveryStore } from './create-delivery-store.ts';
import type { NewDelivery } from './delivery.ts';

export interface EnqueueDependencies {
  readonly source: WebhookSource;
  readonly store: Pick<DeliveryStore, 'add'>;
  readonly model: Model;
  /** Called after deliveries were added. */
  readonly onAdded: () => void;
}

/**
 * Handles a change event: adds a delivery for each webhook that subscribes to it, in one statement; without webhooks
 * there is no statement. A repeated event adds nothing. The change of a webhook itself is handled before the changes
 * that follow it.
 */
export async function enqueueDeliveries(envelope: Envelope, deps: EnqueueDependencies): Promise<void> {
  deps.source.cache.handleEvent(envelope);
  const routes = await deps.source.current();
  if (routes.length === 0) return;
  if (envelope.type !== CHANGE_TYPE) return add(ownEvent(envelope, routes), deps);
  const { entity: name, id, change, attributes } = EVENTS['data.entity.changed.v1'].schema.parse(envelope.data);
  const entity = deps.model.entities.get(name);
  if (entity === undefined) return;
  const lineage = new Set(lineageOf(deps.model, entity).map((ancestor) => ancestor.name));
  const isSubscribed = (route: WebhookRoute): boolean => lineage.has(route.entityName) && route.changes.has(change);
  const webhookIds = routes.filter(isSubscribed).map((route) => route.id);
  const changed = { entity: name, id: formatEntityId(deps.model, entity, id), kind: change, attributes };
  await add({ webhookIds, eventId: envelope.id, changedAt: envelope.time, change: changed }, deps);
}

/** An event of the application, for the webhooks that name its type. */
function ownEvent({ type, subject = '', id, time, data }: Envelope, routes: readonly WebhookRoute[]): NewDelivery {
  return {
    webhookIds: routes.filter(({ entityName }) => entityName === type).map((route) => route.id),
    eventId: id,
    changedAt: time,
    change: { entity: type, id: subject, kind: 'published', attributes: [] },
    data: JSON.stringify(data),
  };
}

async function add(delivery: NewDelivery, { store, onAdded }: EnqueueDependencies): Promise<void> {
  if (delivery.webhookIds.length > 0 && (await store.add(delivery)) > 0) onAdded();
}
