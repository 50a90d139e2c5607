import { enumeration, enumOf, integer, standardEntity, string, toOne } from '@lintel/metadata';

export const ShipmentState = enumeration('dispatch.ShipmentState', {
  PLANNED: 'P',
  REFUSED: 'R',
  CANCELLED: 'C',
  SHIPPED: 'S',
});

/** A tour of a lorry, with the number of shipments that it still takes. */
export const Tour = standardEntity('dispatch_Tour', {
  attributes: { name: string(50).mandatory().unique(), free: integer().mandatory().min(0) },
  instanceName: ['name'],
});

/** The shipment of an order; `order` is the subject of the events of the order. */
export const Shipment = standardEntity('dispatch_Shipment', {
  attributes: {
    order: string(100).mandatory().unique(),
    number: string(20).mandatory(),
    state: enumOf(ShipmentState).mandatory(),
    tour: toOne('dispatch_Tour'),
  },
  instanceName: ['number'],
});
