import { type EntityListener, entityListener, event } from '@lintel/application';

/** The state of the shipment of an order, for the application that the order is of: its subject is the order. */
export const shipmentChanged = event<{ order: string; state: string }>('dispatch.shipment-changed.v1', {
  type: 'object',
  required: ['order', 'state'],
  properties: { order: { type: 'string' }, state: { enum: ['PLANNED', 'REFUSED', 'CANCELLED', 'SHIPPED'] } },
});

export const announceShipment: EntityListener = entityListener({
  entity: 'dispatch_Shipment',
  async afterSave({ before, after }, { data }) {
    if (after === undefined || after['state'] === before?.['state']) return;
    const [order, state] = [String(after['order']), String(after['state'])];
    await data.events.publish(shipmentChanged, order, { order, state });
  },
});
