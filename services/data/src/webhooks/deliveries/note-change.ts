import { type Envelope, EVENTS } from '@lintel/contracts';
import { lineageOf, type Model } from '@lintel/metadata';
import { formatEntityId } from '@lintel/query';
import type { WebhookRoute, WebhookSource } from '../definitions/webhook-source.ts';
import type { DeliveryStore } from './create-delivery-store.ts';

export interface NotingDependencies {
  readonly source: WebhookSource;
  readonly store: Pick<DeliveryStore, 'add'>;
  readonly model: Model;
  /** Called when there is something to deliver. */
  readonly onAdded: () => void;
}

/**
 * Handles an event of the line: adds a delivery for each webhook that it concerns, in one statement, and costs nothing
 * where there is none. An event that comes again finds its deliveries; a webhook's own change comes before what is
 * changed after it.
 */
export async function noteChange(envelope: Envelope, deps: NotingDependencies): Promise<void> {
  deps.source.cache.handleEvent(envelope);
  const routes = await deps.source.current();
  if (routes.length === 0) return;
  const { entity: name, id, change, attributes } = EVENTS['data.entity.changed.v1'].schema.parse(envelope.data);
  const entity = deps.model.entities.get(name);
  if (entity === undefined) return;
  const lineage = new Set(lineageOf(deps.model, entity).map((ancestor) => ancestor.name));
  const isTold = (route: WebhookRoute): boolean => lineage.has(route.entityName) && route.changes.has(change);
  const webhookIds = routes.filter(isTold).map((route) => route.id);
  if (webhookIds.length === 0) return;
  const added = await deps.store.add({
    webhookIds,
    eventId: envelope.id,
    changedAt: envelope.time,
    change: { entity: name, id: formatEntityId(deps.model, entity, id), kind: change, attributes },
  });
  if (added > 0) deps.onAdded();
}
