import { type Envelope, EVENTS } from '@lintel/contracts';
import { lineageOf, type Model } from '@lintel/metadata';
import { formatEntityId } from '@lintel/query';
import type { WebhookRoute, WebhookSource } from '../definitions/webhook-source.ts';
import type { DeliveryStore } from './create-delivery-store.ts';

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
  const { entity: name, id, change, attributes } = EVENTS['data.entity.changed.v1'].schema.parse(envelope.data);
  const entity = deps.model.entities.get(name);
  if (entity === undefined) return;
  const lineage = new Set(lineageOf(deps.model, entity).map((ancestor) => ancestor.name));
  const isSubscribed = (route: WebhookRoute): boolean => lineage.has(route.entityName) && route.changes.has(change);
  const webhookIds = routes.filter(isSubscribed).map((route) => route.id);
  if (webhookIds.length === 0) return;
  const added = await deps.store.add({
    webhookIds,
    eventId: envelope.id,
    changedAt: envelope.time,
    change: { entity: name, id: formatEntityId(deps.model, entity, id), kind: change, attributes },
  });
  if (added > 0) deps.onAdded();
}
