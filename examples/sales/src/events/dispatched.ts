import { event, onEvent } from '@lintel/application';

/** The event of `examples/dispatch`, with the members that sales reads. */
const shipmentChanged = event<{ state: string }>(
  'dispatch.shipment-changed.v1',
  { type: 'object', required: ['state'], properties: { state: { type: 'string' } } },
  { source: '/dispatch' },
);

/** The status that an order gets by a state of its shipment; a refused one is confirmed again by hand. */
const STATUS: Readonly<Record<string, string>> = { REFUSED: 'NEW', SHIPPED: 'SHIPPED' };

/** Follows the shipment of an order; takes its confirmation back if it cannot be shipped. */
export const followShipments = onEvent(
  shipmentChanged,
  { name: 'shipments', as: { resourceRoles: ['sales-manager'] } },
  async ({ event: { subject, data: shipment }, data }) => {
    const status = STATUS[shipment.state];
    const id = subject.slice('sales_Order/'.length);
    const order = status === undefined ? undefined : await data.load('sales_Order', id);
    // An order that was changed meanwhile stays as it is: dispatch gets that change, too.
    if (order?.['status'] === 'CONFIRMED') await data.update('sales_Order', id, { status });
  },
);
